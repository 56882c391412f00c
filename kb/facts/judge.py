"""Whether a row of facts is about a thing: the rules of one."""
from facts.names import fold, split_title
from facts.vocabulary import FIELD, KIN, SPORTS, THIN

# How rare the words must be that two texts share, in sum, to be about one thing.
MIN_SHARED_WEIGHT = 9.0
# Sets that give one thing in several rows: a player in each list that names him, a game in each region, a cook by each prize.
REPEATING_SOURCES = {"nfl", "nba", "worldcup", "transfers", "fifa-players", "chefs", "laureates", "videogames", "breweries", "food-drink",
             "albums-songs", "pantheon", "olympics", "everypolitician", "books", "hot100", THIN}  # fmt: skip


# Sorts of places of which a name seldom has two.
SELDOM_TWICE = {"water", "height", "island", "airport", "stadium", "museum", "park"}


def is_musical(seen):
    return bool(seen.words & {"band", "singer", "rapper", "musician", "duo", "songwriter", "vocalist", "trio", "quartet", "musical"})


def related(a, b):
    """Whether a thing of the classes `a` may well be of the classes `b`."""
    return any(set(group.split()) & a and set(group.split()) & b for group in KIN)


def at_odds(a, b):
    """Whether two texts name countries, and none in common."""
    return bool(a.countries and b.countries and not a.countries & b.countries)


def of_one_year(a, b):
    """Whether two texts begin with about the same year. What is said of computer games is often when a shop had them."""
    return "pc" in a.words or not a.first_year or not b.first_year or abs(a.first_year - b.first_year) <= 2


def not_both(a, b):
    """Whether two unlike professions are of kinds that one person seldom has both of: two sports."""
    return a.classes <= SPORTS and b.classes <= SPORTS


ALIKE = [{"person", "character"}, {"organization", "team", "group"}, {"organization", "place"}, {"work", "product"}, {"work", "character"},
         {"product", "organization"}, {"product", "substance", "concept", "species"}, {"event", "concept"}, {"group", "concept"}]  # fmt: skip


def kinds_agree(a, b):
    return a == b or "other" in (a, b) or any(a in alike and b in alike for alike in ALIKE)


class Judge:
    """Decides whether a row of facts is about a thing."""

    def __init__(self, rarity):
        self.rarity = rarity

    def may_be(self, fact, thing):
        """Whether nothing that either says of itself keeps them apart, before their texts are compared."""
        a, b = fact.see(), thing.see()
        name, title = fold(split_title(fact.title)[0]), fold(split_title(thing.title)[0])
        if a.wholes & {title, *thing.names}:
            return False
        # A set names a thing once: its second row of a name is about another thing.
        rows = [other for other in thing.facts if fold(split_title(other.title)[0]) == name and other.text != fact.text]
        if any(set(fact.sources) & set(other.sources) - REPEATING_SOURCES for other in rows):
            return False
        if "nsi-brands" in fact.sources and thing.kind == "place" and b.classes & {"settlement", "county", "water"}:
            return False
        if a.until and b.years and min(b.years) > a.until + 10:
            return False
        # Another name of somebody, not his own, is often a pen name or a part.
        stranger = fact.kind == "person" and thing.held and not set(name.split()) & set(title.split())
        return not stranger or b.empty or a.born and b.born or a.died and a.died == b.died or self.shared(a, b) >= MIN_SHARED_WEIGHT

    def shared(self, a, b):
        return sum(self.rarity(word) for word in a.words & b.words if not word.isdigit())

    def one_thing(self, fact, thing):
        """True, False, or None when the thing's text says nothing to decide on."""
        kind, (a, b) = fact.kind, (fact.see(), thing.see_as(fact.kind))
        if not self.may_be(fact, thing):
            return False
        if not kinds_agree(kind, thing.kind):
            return not at_odds(a, b) and self.shared(a, b) >= MIN_SHARED_WEIGHT * 2.5
        if b.empty:
            return None
        if kind == "person":
            return self.one_person(a, b)
        if kind == "place":
            return self.one_place(a, b)
        if kind == "work" or "game" in a.classes | b.classes and "game" in a.words | b.words:
            return self.one_work(a, b)
        if kind in ("organization", "team", "group"):
            return self.one_organization(fact, a, b)
        if kind == "event":
            return self.shared(a, b) >= MIN_SHARED_WEIGHT
        if "game" in a.words & b.words and not of_one_year(a, b):
            return False
        words = len(fold(split_title(fact.title)[0]).split())
        if a.things & b.things:
            return words > 1 or self.shared(a, b) >= MIN_SHARED_WEIGHT / 2
        return self.shared(a, b) >= MIN_SHARED_WEIGHT

    def of_one_sort(self, fact, thing):
        """Whether both are a thing of which a name seldom has two: a lake, a mountain, an airport, a band."""
        a, b = fact.see(), thing.see()
        if fact.kind == "place":
            return thing.kind == "place" and bool(a.classes & b.classes & SELDOM_TWICE)
        return fact.kind in ("group", "person") and "hot100" in fact.sources and is_musical(b)

    def may_be_the_one(self, fact, thing):
        """Whether nothing that the texts say speaks against one thing, where the name and its sort speak for it."""
        a, b = fact.see(), thing.see()
        if not self.may_be(fact, thing) or at_odds(a, b) or a.states and b.states and not a.states & b.states:
            return False
        if fact.kind == "place":
            return True
        return not (a.years and b.years) or min(b.years) <= max(a.years) + 3

    def is_sure(self, fact, thing):
        """Whether two are one even where they are spelled differently: years of a life agree, or what they are and where."""
        a, b = fact.see(), thing.see()
        if fact.kind == "person":
            return bool(a.born and a.born == b.born or a.died and a.died == b.died)
        if fact.kind == "place":
            return bool(a.classes & b.classes and (a.countries & b.countries or a.classes & SELDOM_TWICE))
        return "sky" in a.things & b.things

    def one_person(self, a, b):
        unlike = a.classes and b.classes and not a.classes & b.classes and not related(a.classes, b.classes)
        same_end = bool(a.died and a.died == b.died)
        if a.died and b.died and abs(a.died - b.died) > 1:
            return False
        if a.born and b.born:
            exact = a.born == b.born and (not (a.died and b.died) or same_end)
            if not exact and (at_odds(a, b) and not a.classes & b.classes or not self.of_one_seat(a, b)):
                return False
            return abs(a.born - b.born) <= 1 and not (unlike and not same_end and not_both(a, b))
        if not self.of_one_time(a, b) or not self.of_one_seat(a, b):
            return False
        if a.classes & b.classes:
            apart = at_odds(a, b)
            return not (apart and a.classes & b.classes <= SPORTS | {"politics"}) and (not apart or self.shared(a, b) >= MIN_SHARED_WEIGHT)
        if unlike:
            return same_end
        if at_odds(a, b):
            return False
        return same_end or self.shared(a, b) >= MIN_SHARED_WEIGHT

    def of_one_time(self, a, b):
        """Whether the years of two texts can be of one life, where not both give a birth. `a` is the row's."""
        for one, other in ((a, b), (b, a)):
            if one.born and other.years and not one.born + 10 <= min(other.years) <= one.born + 110:
                return False
            if one.died and other.years and min(other.years) > one.died + 1:
                return False
        if not a.years or not a.classes & b.classes & FIELD:
            return True
        if b.born:
            return b.born + 15 <= min(a.years) <= b.born + (30 if a.drafted else 50)
        return not b.years or min(abs(x - y) for x in a.years for y in b.years) <= 20

    def of_one_seat(self, a, b):
        """Whether what two people do in one profession can be one's: the state that elects, the place on the field."""
        if "politics" in a.classes & b.classes and a.states and b.states and not a.states & b.states:
            return False
        if "football" in a.classes & b.classes and a.plays and b.plays:
            return ("goalkeeper" in a.words) == ("goalkeeper" in b.words)
        return not ("gridiron" in a.classes & b.classes and a.positions and b.positions) or bool(a.positions & b.positions)

    def one_place(self, a, b):
        if at_odds(a, b):
            return False
        if a.states and b.states and not a.states & b.states:
            return False
        if a.classes and b.classes and not a.classes & b.classes:
            return False
        if a.countries & b.countries:
            return bool(a.states & b.states) or "United States" not in a.countries & b.countries or self.shared(a, b) >= MIN_SHARED_WEIGHT
        return self.shared(a, b) >= MIN_SHARED_WEIGHT

    def one_work(self, a, b):
        if a.classes and b.classes and not a.classes & b.classes:
            return False
        if a.years and b.years and min(abs(x - y) for x in a.years for y in b.years) > 1:
            return False
        if a.makers and (b.makers or len(b.words) >= 8) and not a.makers & {fold(word) for word in b.words}:
            return False
        if a.classes & b.classes & {"game", "song", "film"} and not of_one_year(a, b):
            return False
        same_year = bool(a.years & b.years)
        if a.classes & b.classes and same_year:
            return True
        return self.shared(a, b) >= (MIN_SHARED_WEIGHT if a.classes & b.classes or same_year else MIN_SHARED_WEIGHT * 1.5)

    def one_organization(self, fact, a, b):
        shared = self.shared(a, b)
        if at_odds(a, b) or a.states and b.states and not a.states & b.states:
            return False
        if a.classes and b.classes and not a.classes & b.classes:
            return shared >= MIN_SHARED_WEIGHT * 1.3
        name = fold(split_title(fact.title)[0])
        long = len(name.split()) >= 3
        brand = "nsi-brands" in fact.sources and not (a.classes and b.classes) and len(name.split()) == 2 and len(b.words) > 3
        if a.classes & b.classes and (a.countries & b.countries or long) or long and not b.classes and a.countries & b.countries:
            return True
        return shared >= MIN_SHARED_WEIGHT or brand or long and not a.classes
