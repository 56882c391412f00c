"""Lays the facts of a name to the things of that name, and names those that are new."""
import collections
import re

from facts.judge import Judge
from facts.names import fold, spelling, split_title, title_key
from facts.reading import rarity_of
from facts.seen import Thing
from facts.vocabulary import CLASS_OF, THING

# What a name of one or two words is not enough for, when the base says nothing about its thing: the same words are a
# song, a book and a film.
OFTEN_SHARED = {"hot100", "books", "albums-songs", "videogames", "yc", "web-tech", "breweries", "cncf", "pldb", "misp", "characters",
                "food-drink", "chefs", "iptv-channels", "netflix"}  # fmt: skip


def fits_untold(fact, thing, rivals):
    """Whether facts are taken to be about the thing of exactly this title of which the base says nothing."""
    if fact.thin:
        return title_key(fact.title) == title_key(thing.title)
    stem, inside = split_title(fact.title)
    words = len(fold(stem).split())
    if fold(stem) != fold(thing.title) or rivals > 1:
        return False
    # Who wrote the parenthesis knew another thing of the name.
    if inside and fact.kind in ("person", "organization", "work"):
        return False
    if fact.kind == "work":
        return words >= (4 if set(fact.sources) & OFTEN_SHARED else 3)
    if set(fact.sources) & OFTEN_SHARED:
        return words >= 3
    if words == 1 and fact.kind == "person":
        return "pantheon" in fact.sources and len(stem) >= 6
    if words == 1:
        return fact.kind in ("place", "organization", "product") and len(stem) >= 5 and thing.popularity < 8 and "parties" not in fact.sources
    return True


def disambiguators(fact):
    """What may stand in the parenthesis of a thing whose name is taken, shortest first."""
    _, inside = split_title(fact.title)
    if inside:
        yield inside
    seen, head = fact.see(), fact.text.split(", ")[0]
    table = CLASS_OF.get(fact.kind, THING)
    noun = next((w for w in re.findall(r"[a-z][a-z-]+", head.lower()) if w in table), "")
    if fact.kind == "place":
        for where in [*sorted(seen.states), *sorted(seen.countries - {"United States"} if seen.states else seen.countries)]:
            yield where
            yield f"{noun or 'place'}, {where}"
    by = re.search(r"\bby ([^,]+)", head)
    if fact.kind == "work" and by and noun:
        yield noun
        yield f"{by[1]} {noun}"
    short = re.sub(r"^(former |US |American )", "", re.sub(r" (in|of|for|from|spoken|since|district|by|serving) .*", "", head))
    if noun:
        yield noun
    if len(short.split()) <= 3:
        yield short
    for where in sorted(seen.countries):
        yield f"{where}" if fact.kind in ("organization", "team") else f"{where} {noun or short}"
    if seen.born:
        yield f"{noun or short}, born {seen.born}"
    for year in sorted(seen.years)[:2]:
        yield f"{year} {noun or fact.kind}"
    yield from (f"{noun or short or fact.kind} {number}" for number in range(2, 1000))


class Join:
    """Everything of one name, and the facts that were laid to it."""

    def __init__(self, things, redirects, facts):
        self.by_name, self.titles, by_title = collections.defaultdict(list), {}, {}
        for thing in things:
            by_title[title_key(thing.title)] = thing
            self.by_name[fold(split_title(thing.title)[0])].append(thing)
            if ", " in thing.title and thing.kind in ("place", "other"):
                self.by_name[fold(thing.title.split(", ")[0])].append(thing)
            for name in thing.names:
                self.by_name[name].append(thing)
        for name, title in redirects:
            if (thing := by_title.get(title_key(title))) and thing not in (known := self.by_name[fold(name)]):
                known.append(thing)
        self.by_spelling = collections.defaultdict(list)
        for name, known in self.by_name.items():
            if spelling(name) != name:
                self.by_spelling[spelling(name)] += known
        self.titles = by_title
        self.judge = Judge(rarity_of(things, facts))
        self.counts = collections.Counter()

    def lay(self, facts):
        """Lays the facts of one name to things, best known first; gives the things that have any."""
        touched = []
        rivals = self.rivals(facts)
        for fact in sorted(facts, key=lambda f: (f.thin, title_key(f.title) not in self.titles, "(" in f.title, -f.popularity, f.title, f.text)):
            thing, how = self.thing_of(fact, rivals)
            self.counts[how] += 1
            thing.facts.append(fact)
            thing.how = how
            if not thing.held or how == "untold":
                thing.text, thing.seen = f"{thing.text}, {fact.text}".strip(", "), None
                thing.kind = fact.kind if thing.kind == "other" else thing.kind
            if thing not in touched:
                touched.append(thing)
        return touched

    def rivals(self, facts):
        """How many different things the facts of one name are about."""
        groups = []
        for fact in facts:
            for group in groups:
                if self.judge.one_thing(fact, Thing(group.title, group.kind, group.text, 0, False, [group])) is not False or fact.thin or group.thin:
                    break
            else:
                groups.append(fact)
        return len(groups)

    def thing_of(self, fact, rivals):
        stem = fold(split_title(fact.title)[0])
        exact = self.titles.get(title_key(fact.title))
        if fact.thin and exact is not None and (exact.held or exact.kind == fact.kind):
            return exact, "thin"
        known = sorted(dict.fromkeys([exact] * (exact is not None) + self.by_name[stem], None), key=lambda t: (t is not exact, -t.popularity))
        untold = None
        for thing in known:
            verdict = self.judge.one_thing(fact, thing)
            if verdict:
                return thing, "told" if thing.held else "united"
            if verdict is None and untold is None and fits_untold(fact, thing, rivals):
                untold = thing
        if untold is not None:
            return untold, "untold"
        if (only := self.only_one(fact, known, rivals)) is not None:
            return only, "only"
        if (other := self.otherwise_called(fact, stem, known)) is not None:
            return other, "spelled"
        thing = Thing(self.free_title(fact, bool(known)), fact.kind, "", 0.0, False)
        self.titles[title_key(thing.title)] = thing
        self.by_name[stem].append(thing)
        return thing, "namesake" if known else "new"

    def only_one(self, fact, known, rivals):
        """The only thing of the name that is what the row says it is, a lake or a band, where nothing speaks against it."""
        if rivals > 1 or fact.thin:
            return None
        alike = [thing for thing in known if thing.held and self.judge.of_one_sort(fact, thing)]
        return alike[0] if len(alike) == 1 and self.judge.may_be_the_one(fact, alike[0]) else None

    def otherwise_called(self, fact, stem, known):
        """The thing that the row is about, found by another spelling of its name or by what else the row calls it."""
        others = list(self.by_spelling[spelling(stem)]) + (self.by_name[spelling(stem)] if spelling(stem) != stem else [])
        if "sky" in fact.sources:
            others += [thing for alias in fact.aliases for thing in self.by_name[fold(alias)]]
        for thing in sorted(dict.fromkeys(others), key=lambda t: -t.popularity):
            if thing.held and thing not in known and self.judge.one_thing(fact, thing) and self.judge.is_sure(fact, thing):
                return thing
        return None

    def free_title(self, fact, named):
        if not named and title_key(fact.title) not in self.titles:
            return fact.title
        base, _ = split_title(fact.title)
        if ", " in fact.title and fact.kind == "place" and title_key(fact.title) not in self.titles:
            return fact.title
        for inside in disambiguators(fact):
            title = f"{base} ({inside})"
            if title_key(title) not in self.titles:
                return title
        raise AssertionError("titles are counted up to a thousand")
