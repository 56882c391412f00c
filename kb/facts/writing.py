"""What the build is told about a thing that facts were laid to."""
import collections
import math

from facts.names import fold, split_title
from facts.reading import MAX_ALIASES, tidy

# Popularity: steps of the given 0 to 100 that are looked at together.
STEP = 8


def scale_popularity(facts, thing_of):
    """How often the base refers to what a set gives a popularity: the mean of the logarithm over each set and step, things
    that the base did not have counted as never referred to. Gives a function of a fact."""
    sums = collections.defaultdict(lambda: [0.0, 0.0])
    for fact in facts:
        thing = thing_of[id(fact)]
        value = math.log1p(thing.popularity) if thing.held else 0.0
        for key in ((fact.sources[0], int(fact.popularity) // STEP), ("", int(fact.popularity) // STEP)):
            sums[key][0] += value
            sums[key][1] += 1
    def scaled(fact):
        step = int(fact.popularity) // STEP
        total, count = sums[("", step)]
        prior = 20.0
        own, rows = sums[(fact.sources[0], step)]
        return math.expm1((own + prior * total / count) / (rows + prior))
    return scaled


# Sets whose facts are worth more than phrases that were read off a text.
TRUSTED_SOURCES = set("congress laureates olympics everypolitician openstates billionaires nba nfl nhl baseball worldcup fifa-players f1db judges "
              "drugs-ema parties football-clubs ror universities us-colleges pantheon diseases languages transfers".split())  # fmt: skip
ENOUGH_WORDS = 16


def rows_of(thing, scaled):
    """What the build is told about a thing."""
    fame = max(scaled(fact) for fact in thing.facts)
    row = {"title": thing.title, "popularity": round(max(fame - thing.popularity, 0.0) if thing.held else fame * 0.5, 2)}
    solid = [fact for fact in thing.facts if not fact.thin]
    texts = list(dict.fromkeys(fact.text for fact in solid)) or [thing.facts[0].text]
    if not thing.held or thing.words == 0:
        if solid or not thing.held:
            row["kind"] = (solid or thing.facts)[0].kind
        if row.get("kind") == "other" or not solid and row.get("kind") not in ("person", "event"):
            row.pop("kind", None)
        text = tidy(", ".join(texts), False)
        row["facts" if not solid else "description"] = [text] if not solid else text
    elif solid and (thing.words < ENOUGH_WORDS or any(set(fact.sources) & TRUSTED_SOURCES for fact in solid)):
        row["description"] = tidy(", ".join(texts), True)
    names = [alias for fact in solid for alias in fact.aliases]
    names += [split_title(fact.title)[0] for fact in solid]
    own = {fold(thing.title), fold(split_title(thing.title)[0])}
    names = [name for name in dict.fromkeys(names) if fold(name) not in own]
    if names:
        row["aliases"] = names[: MAX_ALIASES + 2]
    return row
