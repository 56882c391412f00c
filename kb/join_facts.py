#!/usr/bin/env python3
"""Joins a table of facts to the things that a knowledge base holds already.

    findall kb dump --kb first.kb > first.jsonl
    python3 kb/join_facts.py --base first.jsonl --entities entities.jsonl --redirects redirects.tsv \
        --facts facts.tsv.xz --out WORK_DIR

FACTS has rows of title, type, description, aliases (a;b;c), popularity 0 to 100, source (a+b). Written to WORK_DIR:

    joined.jsonl        rows for `findall kb build --jsonl`: facts under the title of the thing that they are about, or of
                        a new thing, which gets a parenthesis where its name is taken
    joined.rejects.tsv  rows that are broken or no facts, with their number and the reason

The same name is not the same thing. Rows of one name are laid beside everything that the base calls so, best known first;
years, countries and what a thing is decide whether two are one. Where nothing decides they stay two: a name twice does
less harm than a fact about somebody else. The rules of "one" are those of `one_thing` and of the functions it calls.
"""
import argparse
import collections
import dataclasses
import json
import lzma
import math
import pathlib
import re
import unicodedata

KINDS = "person organization place team work product event group species substance concept character other".split()
# The tier that was read off tables of an encyclopedia: its titles are exact, its kinds are guesses, its texts are thin.
THIN = "wiki-tables"
MOST_WORDS, MOST_THIN_WORDS = 22, 14
LONGEST_TITLE = 90
MOST_ALIASES = 5
# How rare the words must be that two texts share, in sum, to be about one thing.
TELLING = 9.0

# Words of one class say the same about a thing; a thing of one class is seldom one of another.
CLASSES = {
    "politics": "politician politicians senator representative congressman congresswoman governor mayor minister legislator president "
    "chancellor deputy diplomat statesman monarch king queen emperor prince princess sultan pharaoh ruler councillor premier "
    "parliament assembly duma knesset senate congress delegate activist nobleman",
    "football": "footballer soccer midfielder goalkeeper winger striker fifa",
    "gridiron": "nfl quarterback linebacker cornerback fullback halfback placekicker punter gridiron",
    "baseball": "baseball pitcher shortstop outfielder infielder mlb",
    "basketball": "basketball nba wnba",
    "hockey": "hockey nhl",
    "athletics": "sprinter runner hurdler athletics athlete jumper thrower marathon decathlete racewalker",
    "swimming": "swimmer swimming diver diving",
    "rowing": "rower rowing canoeist canoe kayaker sculler",
    "cycling": "cyclist cycling",
    "wrestling": "wrestler wrestling",
    "boxing": "boxer boxing kickboxer",
    "fencing": "fencer fencing",
    "gymnastics": "gymnast gymnastics",
    "judo": "judoka judo taekwondo karate",
    "snow": "skier skiing biathlete biathlon snowboarder luger bobsledder bobsleigh skeleton",
    "skating": "skater skating",
    "sailing": "sailor sailing yachtsman",
    "shooting": "shooter marksman shooting archer archery",
    "lifting": "weightlifter weightlifting powerlifter",
    "volleyball": "volleyball",
    "handball": "handball handballer",
    "waterpolo": "waterpolo",
    "riding": "equestrian jockey rider dressage",
    "tennis": "tennis badminton",
    "rugby": "rugby",
    "cricket": "cricketer cricket",
    "golf": "golfer golf",
    "racing": "racing nascar motorsport",
    "art": "artist painter sculptor printmaker photographer engraver illustrator draughtsman architect designer painting etcher",
    "writing": "writer author novelist poet playwright journalist essayist historian philosopher critic translator dramatist editor "
    "biographer columnist",
    "music": "singer musician band rapper songwriter composer dj duo guitarist pianist vocalist drummer musical hip-hop conductor",
    "screen": "actor actress film director producer screenwriter cinematographer comedian television filmmaker animator presenter",
    "science": "physicist chemist mathematician biologist scientist economist physician engineer astronomer inventor geologist "
    "professor psychologist botanist physiologist doctor researcher anthropologist",
    "business": "businessman businesswoman entrepreneur billionaire executive ceo investor businessperson industrialist banker magnate",
    "law": "judge lawyer jurist attorney justice",
    "cooking": "chef restaurateur",
    "space": "astronaut cosmonaut",
    "military": "soldier general officer admiral military commander colonel lieutenant marshal",
    "religion": "bishop cardinal pope saint priest theologian archbishop rabbi missionary clergyman religious",
    "chess": "chess chessmaster",
}
# Classes that one person is often of.
KIN = [
    "politics law business military writing science religion space",
    "screen music writing art cooking business",
    "science writing art religion",
    "athletics gridiron cycling snow",
    "football waterpolo",
]
SPORTS = set(list(CLASSES)[1:29])
WORKS = {
    "song": "song single songs",
    "album": "album ep soundtrack mixtape",
    "book": "book novel memoir novella autobiography biography books bestseller",
    "film": "film movie documentary",
    "series": "series sitcom show miniseries television telenovela anime",
    "game": "game games videogame gaming",
    "opera": "opera ballet play musical",
    "comic": "comic comics manga magazine newspaper journal",
    "poem": "poem painting sculpture",
}
PLACES = {
    "settlement": "town city village commune comune municipality suburb settlement hamlet community borough locality township district "
    "capital neighborhood neighbourhood cdp seat census-designated",
    "water": "river lake sea bay reservoir strait stream creek gulf lagoon waterfall glacier ocean fjord canal",
    "height": "mountain peak volcano hill mount range summit cone stratovolcano pass",
    "island": "island islands archipelago atoll islet cape peninsula",
    "airport": "airport airfield airbase aerodrome airstrip",
    "stadium": "stadium arena ballpark venue circuit",
    "museum": "museum gallery",
    "park": "park monument memorial reserve forest seashore",
    "building": "building house church castle station bridge skyscraper hotel palace",
    "county": "county province region department prefecture state country",
}
ORGANIZATIONS = {
    "school": "university college school academy institute polytechnic faculty education",
    "health": "hospital clinic healthcare medical",
    "party": "party alliance movement coalition",
    "channel": "channel television network broadcaster station radio tv",
    "airline": "airline airlines airways carrier",
    "drink": "brewery microbrewery brewpub winery distillery beer",
    "shop": "retailer chain store supermarket supermarkets restaurant brand shops fast-food pharmacy",
    "company": "company corporation manufacturer startup firm conglomerate bank insurer business software",
    "club": "club team football constructor",
    "news": "newspaper news outlet magazine",
}
PRODUCTS = {
    "software": "software programming language library framework database web application app operating browser platform technology "
    "format tool protocol website cloud-native",
    "threat": "malware ransomware trojan virus botnet worm hacking backdoor threat cyber",
    "medicine": "medicine drug medication antibody vaccine substance pharmaceutical chemotherapy treat treatment inhibitor",
    "food": "cheese drink cocktail liqueur beer dish food wine beverage",
    "disease": "disease disorder syndrome cancer infection deficiency tumor dystrophy carcinoma condition",
    "tongue": "language dialect spoken languages",
    "sky": "galaxy nebula cluster supernova star constellation",
    "creature": "pokemon pokémon species character",
}

# Where one plays on the field: who is of one group is seldom of another.
POSITIONS = {
    "quarterback": "quarterback", "back": "running back|fullback|halfback", "receiver": "wide receiver",
    "line": r"offensive (?:tackle|guard|line\w*)|tight end", "front": r"defensive (?:end|tackle|line\w*)|linebacker",
    "secondary": "defensive back|cornerback|safety", "kicker": "punter|kicker|placekicker",
}  # fmt: skip
POSITION = re.compile("|".join(f"(?P<{name}>{words})" for name, words in POSITIONS.items()))
FIELD = {"football", "gridiron", "baseball", "basketball", "hockey"}
# Sets that give one thing in several rows: a player in each list that names him, a game in each region, a cook by each prize.
REPEATING = {"nfl", "nba", "worldcup", "transfers", "fifa-players", "chefs", "laureates", "videogames", "breweries", "food-drink",
             "albums-songs", "pantheon", "olympics", "everypolitician", "books", "hot100", THIN}  # fmt: skip
WHOLE = re.compile(r"\b(?:part|kind) of ([^,;]+)")


def table(classes):
    return {word: name for name, words in classes.items() for word in words.split()}


CLASS_OF = {"person": table(CLASSES), "work": table(WORKS), "place": table(PLACES)}
CLASS_OF["organization"] = CLASS_OF["team"] = table(ORGANIZATIONS)
THING = table(PRODUCTS)
STATES = """Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois Indiana
    Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada
    New_Hampshire New_Jersey New_Mexico New_York North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island
    South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia Washington West_Virginia Wisconsin Wyoming""".split()
SMALL = set(
    "a an the of in on at by for from to and or with as is was are were be been his her its their he she it they who which that this "
    "also one first two new born died active until since former member members known part kind based located best".split()
)
# Fields that a set names after the occupation: "writer, …, language".
FIELDS = set(
    "government;film and theatre;music;natural sciences;language;religion;philosophy;military;individual sports;team sports;"
    "social sciences;medicine;math;fine arts;design;activism;companions;media personality;explorers;business;outlaws;invention;"
    "history;engineering;computer science;law;dance;unspecified".split(";")
)


def fold(name):
    """The form in which names meet, as `knowledge/fold.rs` makes it: no case, accents, punctuation, article."""
    text = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).lower()
    text = re.sub(r"['’‘ʻʼ`.\"“”\u00ad]", "", text).replace("&", " and ").replace("+", " plus ")
    text = text.replace("ß", "ss").replace("æ", "ae").replace("œ", "oe").replace("ø", "o").replace("ł", "l").replace("đ", "d")
    text = " ".join(re.sub(r"[\W_]+", " ", text).split())
    return re.sub(r"^(the|a|an) (?=..)", "", text)


def title_key(title):
    """The form in which the build takes two titles for one, as in `knowledge/fold.rs`."""
    text = "".join(c for c in unicodedata.normalize("NFKD", title) if not unicodedata.combining(c))
    return " ".join(re.sub(r"[’‘`]", "'", re.sub(r"[–—‐‑−]", "-", text.replace("_", " "))).lower().split())


def split_title(title):
    """A title without its parenthesis, and what stands in it."""
    match = re.fullmatch(r"(.+?) \(([^()]*)\)", title)
    return (match[1], match[2]) if match else (title, "")


def read_countries():
    """Every way to say a country, {word or words: country}, from the table that the build has of demonyms."""
    source = pathlib.Path(__file__).parent.parent / "crates/findall-kb/src/build/demonyms.rs"
    said = {}
    for place, names in re.findall(r'\("([^"]+)", "([^"]+)"\)', source.read_text(encoding="utf-8")):
        for name in [place.removeprefix("The "), *names.split(",")]:
            said.setdefault(name.lower(), place)
    said.update({"u.s.": "United States", "us": "United States", "usa": "United States", "uk": "United Kingdom"})
    said.update({"soviet": "Russia", "west german": "Germany", "east german": "Germany", "korea republic": "South Korea"})
    said.update({"england": "United Kingdom", "english": "United Kingdom", "scotland": "United Kingdom", "wales": "United Kingdom"})
    said.update({"scottish": "United Kingdom", "welsh": "United Kingdom", "northern ireland": "United Kingdom"})
    said.update({"british": "United Kingdom", "russian federation": "Russia", "hong kong": "China", "deutschland": "Germany"})
    said.pop("georgia", None)
    for state in STATES:
        said[state.replace("_", " ").lower()] = "United States"
    return said


SAID = read_countries()
COUNTRY = re.compile(r"(?<![\w-])(" + "|".join(sorted(map(re.escape, SAID), key=len, reverse=True)) + r")(?![\w-])", re.IGNORECASE)
STATE = re.compile(r"\b(" + "|".join(state.replace("_", " ") for state in STATES) + r")\b")
YEAR = r"(1[0-9]{3}|20[0-3][0-9])"
BORN = re.compile(r"\bborn (?:c\. |in [^,;()]*? )?(?:[A-Z][a-z]+ \d{1,2}, |\d{1,2} [A-Z][a-z]+ )?" + YEAR)
DAY = r"(?:c\. ?|[A-Z][a-z]+ \d{1,2}, |\d{1,2} [A-Z][a-z]+ )?"
LIFE = re.compile(r"(?:^|[;(,] ?)" + DAY + YEAR + r" ?[–-] ?" + DAY + YEAR + r" ?(?:$|[;),])")
DIED = re.compile(r"\bdied (?:c\. )?" + YEAR)


@dataclasses.dataclass(eq=False)
class Thing:
    """Something that is known: of the base, or made of facts."""

    title: str
    kind: str
    text: str
    popularity: float
    held: bool
    facts: list = dataclasses.field(default_factory=list)
    names: set = dataclasses.field(default_factory=set)
    seen: "Seen" = None

    def see(self):
        self.seen = self.seen or Seen(self.title, self.kind, self.text, self.held)
        return self.seen


class Seen:
    """What a text says that tells things of one name apart."""

    def __init__(self, title, kind, text, held=False):
        base, inside = split_title(title)
        own = set(fold(base).split())
        full = f"{inside}, {text}" if inside else text
        lower = full.lower().replace("ice hockey", "hockey").replace("field hockey", "fieldhockey").replace("water polo", "waterpolo")
        if "american football" in lower:
            lower = lower.replace("american football", "gridiron")
        elif re.search(r"\bfootball\b", lower) and kind == "person" and "nfl" not in lower and "college football" not in lower:
            lower += " footballer"
        words = re.findall(r"[^\W_]+(?:-[^\W\d_]+)*", lower)
        self.words = {word for word in words if word not in own and word not in SMALL and len(word) > 1}
        table = CLASS_OF.get(kind, THING)
        # A film may be called by its novel: what a work or a place is, its parenthesis or the head of its text says.
        first = re.findall(r"[a-z-]+", re.split("[;,]", text.lower())[0]) if kind in ("work", "place") else []
        first += [word[:-1] for word in first if word.endswith("s")]
        heads = [words] if kind == "person" else [re.findall(r"[a-z-]+", inside.lower()), first, words[:14], words]
        self.classes = next((found for head in heads if (found := {table[word] for word in head if word in table})), set())
        self.things = {THING[word] for word in words if word in THING}
        tail = title.split(", ", 1)[1] if ", " in base else ""
        told = re.sub(r"\bUS (charts|Hot 100)", "", f"{full}, {tail}")
        self.countries = {SAID[match.lower()] for match in COUNTRY.findall(told)}
        self.states = set(STATE.findall(told))
        years = [int(year) for year in re.findall(r"\b" + YEAR + r"\b", full)]
        self.years, self.first_year = set(years), years[0] if years else None
        self.positions = {match.lastgroup for match in POSITION.finditer(lower)}
        self.drafted = "draft" in words
        self.plays = re.search(r"\b(goalkeeper|defender|midfield(er)?|forward|striker|winger|back)\b", lower) is not None
        by, until = re.search(r"\b(?:song|album|book|novel) by ([^,;]+)", text), re.search(r"\buntil " + YEAR, text)
        self.makers = {word for word in fold(by[1]).split() if len(word) > 2} - own - SMALL if by else set()
        self.until = int(until[1]) if until else None
        self.wholes = {fold(split_title(whole.strip())[0]) for whole in WHOLE.findall(text)}
        born, life, died = BORN.search(full), LIFE.search(full) if held and kind in ("person", "other") else None, DIED.search(full)
        self.born = int(born[1]) if born else int(life[1]) if life and 12 <= int(life[2]) - int(life[1]) <= 105 else None
        self.died = int(died[1]) if died else int(life[2]) if life and self.born == int(life[1]) else None
        self.empty = not words


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
        if any(set(fact.sources) & set(other.sources) - REPEATING for other in rows):
            return False
        if "nsi-brands" in fact.sources and thing.kind == "place" and b.classes & {"settlement", "county", "water"}:
            return False
        if a.until and b.years and min(b.years) > a.until + 10:
            return False
        # Another name of somebody, not his own, is often a pen name or a part.
        stranger = fact.kind == "person" and thing.held and not set(name.split()) & set(title.split())
        return not stranger or b.empty or a.born and b.born or a.died and a.died == b.died or self.shared(a, b) >= TELLING

    def shared(self, a, b):
        return sum(self.rarity(word) for word in a.words & b.words if not word.isdigit())

    def one_thing(self, fact, thing):
        """True, False, or None when the thing's text says nothing to decide on."""
        kind, (a, b) = fact.kind, (fact.see(), thing.see())
        if not self.may_be(fact, thing):
            return False
        if not kinds_agree(kind, thing.kind):
            return not at_odds(a, b) and self.shared(a, b) >= TELLING * 2.5
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
            return self.shared(a, b) >= TELLING
        if "game" in a.words & b.words and not of_one_year(a, b):
            return False
        words = len(fold(split_title(fact.title)[0]).split())
        if a.things & b.things:
            return words > 1 or self.shared(a, b) >= TELLING / 2
        return self.shared(a, b) >= TELLING

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
            return not (apart and a.classes & b.classes <= SPORTS | {"politics"}) and (not apart or self.shared(a, b) >= TELLING)
        if unlike:
            return same_end
        if at_odds(a, b):
            return False
        return same_end or self.shared(a, b) >= TELLING

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
            return bool(a.states & b.states) or "United States" not in a.countries & b.countries or self.shared(a, b) >= TELLING
        return self.shared(a, b) >= TELLING

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
        return self.shared(a, b) >= (TELLING if a.classes & b.classes or same_year else TELLING * 1.5)

    def one_organization(self, fact, a, b):
        shared = self.shared(a, b)
        if at_odds(a, b) or a.states and b.states and not a.states & b.states:
            return False
        if a.classes and b.classes and not a.classes & b.classes:
            return shared >= TELLING * 1.3
        name = fold(split_title(fact.title)[0])
        long = len(name.split()) >= 3
        brand = "nsi-brands" in fact.sources and not (a.classes and b.classes) and len(name.split()) == 2 and len(b.words) > 3
        if a.classes & b.classes and (a.countries & b.countries or long):
            return True
        return shared >= TELLING or brand or long and not a.classes


@dataclasses.dataclass(eq=False)
class Fact:
    """One row of the table."""

    title: str
    kind: str
    text: str
    aliases: list
    popularity: float
    sources: list
    seen: Seen = None

    @property
    def thin(self):
        return self.sources == [THIN]

    def see(self):
        self.seen = self.seen or Seen(self.title, self.kind, self.text)
        return self.seen


def tidy(text, thin):
    """A description without what says nothing, at most a few words long."""
    pieces, words = [], 0
    text = re.sub(r"\bborn BC (\d+)", r"born \1 BC", text)
    text = re.sub(r"\bdied -(\d+)", r"died \1 BC", text)
    text = re.sub(r" in [^,]*\?[^,]*", "", text).replace("serving, ", "in ").replace("web technology, ", "web technology: ")
    text = text.replace(", works on Project Gutenberg", "").replace("US chart musician or band", "musician or band in US charts")
    for piece in text.split(", "):
        if piece in FIELDS or piece in pieces or not piece.strip():
            continue
        words += len(piece.split())
        if pieces and words > (MOST_THIN_WORDS if thin else MOST_WORDS):
            break
        pieces.append(piece)
    return ", ".join(pieces)


def is_latin(name):
    return all(ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 or 0x2010 <= ord(c) <= 0x2030 for c in name)


def names_of(title, aliases, sources, text):
    """The aliases that are names in English and no codes."""
    kept = []
    for alias in aliases:
        alias = alias.strip()
        code = "airports" in sources and len(alias) <= 4
        if not 2 <= len(alias) <= 60 or not is_latin(alias) or code or "//" in alias or fold(alias) == fold(title):
            continue
        kept.append(alias)
    return [] if sources == [THIN] else kept[:MOST_ALIASES]


ABBREVIATED = [(r"^O\. ", ""), (r"^L\. ", "Lake "), (r" I\.$", " Island"), (r" Is\.$", " Islands"), (r" Pt\.$", " Point")]


GUESSED = set(KINDS)


def read_row(cells):
    """A row as a fact, or the reason why it is none."""
    if len(cells) != 6:
        return f"{len(cells)} columns, expected 6"
    title, kind, text, aliases, popularity, source = (cell.strip() for cell in cells)
    if kind not in KINDS:
        return f"no such kind {kind!r}"
    if not popularity.isdigit():
        return f"popularity {popularity!r} is not a number"
    if not any(c.isalpha() for c in title):
        return "the title has no letter"
    if len(title) > LONGEST_TITLE or "\ufffd" in title or "?" in title and kind in ("person", "place"):
        return "the title is no name"
    if not is_latin(title):
        return "the title is not written in Latin letters"
    if kind == "organization" and re.search(r"\belection, \d{4}$", title):
        return "an election is no organization"
    if title.endswith(" sales)"):
        return "a row of sales is no name"
    sources = source.split("+")
    if "geo-features" in sources:
        for written, meant in ABBREVIATED:
            title = re.sub(written, meant, title)
    if "places-misc" in sources and "volcano" in text and title.count(", ") == 1:
        title = " ".join(reversed(title.split(", ")))
    text = tidy(text, sources == [THIN])
    if sources == [THIN] and split_title(title)[1] in GUESSED:
        return "a parenthesis that only guesses the kind"
    if not text:
        return "nothing is said"
    return Fact(title, kind, text, names_of(title, aliases.split(";"), sources, text), float(popularity), sources)


def open_text(path):
    return lzma.open(path, "rt", encoding="utf-8", errors="replace") if path.suffix == ".xz" else open(path, encoding="utf-8", errors="replace")


def read_facts(path, rejects):
    """The facts of a table; what is broken is written to `rejects`."""
    facts, refused = [], 0
    with open_text(path) as rows:
        for number, line in enumerate(rows, 1):
            read = read_row(line.rstrip("\n").split("\t"))
            if isinstance(read, str):
                refused += 1
                rejects.write(f"{path.name}\t{number}\t{read}\t{line.rstrip()[:2000]}\n")
            else:
                facts.append(read)
    return facts, refused


def read_base(path, entities):
    """The things of a base, with the words of the texts that they were read from."""
    texts = {}
    with open(entities, encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            if row.get("text"):
                texts[title_key(row["title"])] = row["text"][:600]
    things = []
    with open(path, encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            said = "; ".join([row["description"], *row["facts"]]).strip("; ")
            source = texts.get(title_key(row["title"]), "")
            thing = Thing(row["title"], row["kind"], f"{said}; {source}" if source else said, row["popularity"], True)
            thing.names = {fold(alias) for alias in row["aliases"]}
            thing.words = len(said.split())
            things.append(thing)
    return things


def rarity_of(things, facts):
    counts = collections.Counter()
    for text in [thing.text for thing in things[::9]] + [fact.text for fact in facts[::9]]:
        counts.update(set(re.findall(r"[^\W_]+(?:-[^\W\d_]+)*", text.lower())))
    total = len(things[::9]) + len(facts[::9])
    return lambda word: min(math.log(total / (1 + counts[word])), 8.0)


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
    if words == 1:
        return fact.kind in ("place", "organization", "product") and len(stem) >= 6 and thing.popularity < 8 and "parties" not in fact.sources
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
        thing = Thing(self.free_title(fact, bool(known)), fact.kind, "", 0.0, False)
        self.titles[title_key(thing.title)] = thing
        self.by_name[stem].append(thing)
        return thing, "namesake" if known else "new"

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
TRUSTED = set("congress laureates olympics everypolitician openstates billionaires nba nfl nhl baseball worldcup fifa-players f1db judges "
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
    elif solid and (thing.words < ENOUGH_WORDS or any(set(fact.sources) & TRUSTED for fact in solid)):
        row["description"] = tidy(", ".join(texts), True)
    names = [alias for fact in solid for alias in fact.aliases]
    names += [split_title(fact.title)[0] for fact in solid]
    own = {fold(thing.title), fold(split_title(thing.title)[0])}
    names = [name for name in dict.fromkeys(names) if fold(name) not in own]
    if names:
        row["aliases"] = names[: MOST_ALIASES + 2]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("base", "entities", "redirects", "facts", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    args = parser.parse_args()
    with open(args.out / "joined.rejects.tsv", "w", encoding="utf-8") as rejects:
        facts, refused = read_facts(args.facts, rejects)
    things = read_base(args.base, args.entities)
    with open(args.redirects, encoding="utf-8") as rows:
        redirects = [line.rstrip("\n").split("\t") for line in rows]
    join = Join(things, [pair for pair in redirects if len(pair) == 2], facts)
    groups = collections.defaultdict(list)
    for fact in facts:
        groups[fold(split_title(fact.title)[0])].append(fact)
    touched, thing_of = [], {}
    for stem in sorted(groups):
        for thing in join.lay(groups[stem]):
            touched.append(thing)
    touched = list({id(thing): thing for thing in touched}.values())
    for thing in touched:
        for fact in thing.facts:
            thing_of[id(fact)] = thing
    scaled = scale_popularity(facts, thing_of)
    with open(args.out / "joined.jsonl", "w", encoding="utf-8") as out:
        for thing in sorted(touched, key=lambda t: title_key(t.title)):
            out.write(json.dumps(rows_of(thing, scaled), ensure_ascii=False) + "\n")
    counts = ", ".join(f"{count:,} {how}" for how, count in join.counts.most_common())
    print(f"{args.facts.name}: {len(facts):,} facts joined ({counts}), {refused:,} rows set aside in joined.rejects.tsv")


if __name__ == "__main__":
    main()
