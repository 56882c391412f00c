"""Countries and states as texts say them."""
import pathlib
import re

STATES = """Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois Indiana
    Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada
    New_Hampshire New_Jersey New_Mexico New_York North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island
    South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia Washington West_Virginia Wisconsin Wyoming""".split()


def read_countries():
    """Every way to say a country, {word or words: country}, from the table that the build has of demonyms."""
    source = pathlib.Path(__file__).parent.parent.parent / "crates/findall-kb/src/build/demonyms.rs"
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


# Names that have a country's in them and are no part of it, or not the whole.
NO_COUNTRY = re.compile(
    r"\b(?:(?:North|South|Central|Latin) America(?:ns?)?|British Columbia|New South Wales|New England|New Guinea(?! Islands)|Indian Ocean|"
    r"(?:South|East) China Sea|Sea of Japan|Gulf of Mexico|English Channel|(?:Irish|Norwegian|Philippine) Sea)\b"
)
SAID = read_countries()
COUNTRY = re.compile(r"(?<![\w-])(" + "|".join(sorted(map(re.escape, SAID), key=len, reverse=True)) + r")(?![\w-])", re.IGNORECASE)
STATE = re.compile(r"\b(" + "|".join(state.replace("_", " ") for state in STATES) + r")\b")


def countries_in(text):
    """The countries that a text names."""
    return {SAID[match.lower()] for match in COUNTRY.findall(NO_COUNTRY.sub("", text.replace("Papua New Guinea", "Papua")))}
