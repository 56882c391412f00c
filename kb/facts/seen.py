"""Rows of facts and things of a base, and what their texts say that tells things of one name apart."""
import dataclasses
import re

from facts.countries import STATE, countries_in
from facts.names import fold, split_title
from facts.vocabulary import CLASS_OF, POSITION, SMALL_WORDS, SURELY_SOFTWARE, THIN, THING

SETS_OF_SOFTWARE = {"pldb", "cncf", "web-tech"}
WHOLE_OF_PART = re.compile(r"\b(?:part|kind) of ([^,;]+)")
YEAR = r"(1[0-9]{3}|20[0-3][0-9])"
BORN = re.compile(r"\bborn (?:c\. |in [^,;()]*? )?(?:[A-Z][a-z]+ \d{1,2}, |\d{1,2} [A-Z][a-z]+ )?" + YEAR)
DAY = r"(?:c\. ?|[A-Z][a-z]+ \d{1,2}, |\d{1,2} [A-Z][a-z]+ )?"
LIFE = re.compile(r"(?:^|[;(,] ?)" + DAY + YEAR + r" ?[–-] ?" + DAY + YEAR + r" ?(?:$|[;),])")
DIED = re.compile(r"\bdied (?:c\. )?" + YEAR)


OFFICE = re.compile(r"\b(?:reign\w*|ruled?|ruler|king|queen|emperor|empress|sultan|pope|pharaoh|president|minister|governor|served|in office)\b")


def find_life(text):
    """The years from birth to death, where a text gives them: years behind an office are those of a reign."""
    for match in LIFE.finditer(text):
        piece = re.split(r"[;()]", text[: match.start()])[-1]
        if match[0][:1] == ";" or not OFFICE.search(piece.lower()):
            return match
    return None


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

    def see_as(self, kind):
        """What its text says, read as that of a person or an organization where its own kind is not known."""
        return Seen(self.title, kind, self.text, self.held) if self.kind == "other" and kind in ("person", "organization") else self.see()


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
        self.words = {word for word in words if word not in own and word not in SMALL_WORDS and len(word) > 1}
        table = CLASS_OF.get(kind, THING)
        # A film may be called by its novel: what a work or a place is, its parenthesis or the head of its text says.
        first = re.findall(r"[a-z-]+", re.split("[;,]", text.lower())[0]) if kind in ("work", "place") else []
        first += [word[:-1] for word in first if word.endswith("s")]
        heads = [words] if kind == "person" else [re.findall(r"[a-z-]+", inside.lower()), first, words[:14], words]
        self.classes = next((found for head in heads if (found := {table[word] for word in head if word in table})), set())
        self.things = {THING[word] for word in words if word in THING}
        if not SURELY_SOFTWARE & set(words):
            self.things, self.classes = self.things - {"software"}, self.classes - {"software"}
        tail = title.split(", ", 1)[1] if ", " in base else ""
        # Its own name says nothing of where it is: Boston in Lincolnshire.
        told = re.sub(r"\bUS (charts|Hot 100)", "", f"{full.replace(base, '')}, {tail}")
        self.countries = countries_in(told)
        self.states = set(STATE.findall(told))
        years = [int(year) for year in re.findall(r"\b" + YEAR + r"\b", full)]
        self.years, self.first_year = set(years), years[0] if years else None
        self.positions = {match.lastgroup for match in POSITION.finditer(lower)}
        self.drafted = "draft" in words
        self.plays = re.search(r"\b(goalkeeper|defender|midfield(er)?|forward|striker|winger|back)\b", lower) is not None
        by, until = re.search(r"\b(?:song|album|book|novel) by ([^,;]+)", text), re.search(r"\buntil " + YEAR, text)
        self.makers = {word for word in fold(by[1]).split() if len(word) > 2} - own - SMALL_WORDS if by else set()
        self.until = int(until[1]) if until else None
        self.wholes = {fold(split_title(whole.strip())[0]) for whole in WHOLE_OF_PART.findall(text)}
        born, life, died = BORN.search(full), find_life(full) if held and kind in ("person", "other") else None, DIED.search(full)
        self.born = int(born[1]) if born else int(life[1]) if life and 12 <= int(life[2]) - int(life[1]) <= 105 else None
        self.died = int(died[1]) if died else int(life[2]) if life and self.born == int(life[1]) else None
        self.empty = not words


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
        if self.seen is None:
            self.seen = Seen(self.title, self.kind, self.text)
            self.seen.things |= {"software"} if set(self.sources) & SETS_OF_SOFTWARE else set()
        return self.seen
