"""Countries and states as texts say them."""
import pathlib
import re

STATES = """Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois Indiana
    Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada
    New_Hampshire New_Jersey New_Mexico New_York North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island
    South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia Washington West_Virginia Wisconsin Wyoming""".split()


# The table of demonyms has regions and cities, too. What lies in one country stands for it; what does not says nothing.
WITHIN = {
    "Argentina": "Buenos Aires", "Australia": "Sydney;Melbourne", "Austria": "Vienna", "Brazil": "Rio de Janeiro",
    "Canada": "Toronto;Montreal;Vancouver;Quebec", "China": "Beijing;Shanghai;Tibet", "France": "Paris", "Germany": "Berlin;Bavaria",
    "India": "Mumbai;Delhi", "Ireland": "Dublin;Republic of Ireland", "Italy": "Rome;Venice;Florence;Naples;Milan;Sicily", "Japan": "Tokyo",
    "Russia": "Moscow;Saint Petersburg;Chechnya", "Spain": "Catalonia", "United Kingdom": "London;Liverpool;Manchester;Glasgow",
    "United States": "New York City;Washington, D.C.;Chicago;Los Angeles;San Francisco;Boston;Philadelphia;Houston;Seattle;Dallas;Detroit;"
    "Minneapolis;New Orleans;Las Vegas;Georgia (U.S. state);Puerto Rico",
}  # fmt: skip
COUNTRY_OF = {place: country for country, places in WITHIN.items() for place in places.split(";")}
COUNTRY_OF.update({state.replace("_", " "): "United States" for state in STATES})
NO_COUNTRIES = set(
    "Africa;Asia;Europe;Latin America;Scandinavia;Caribbean;Middle East;North America;South America;Ancient Rome;"
    "Byzantine Empire;Ottoman Empire;Kurdistan;Yugoslavia".split(";")
)


def read_countries():
    """Every way to say a country, {word or words: country}, from the table that the build has of demonyms."""
    source = pathlib.Path(__file__).parent.parent.parent / "crates/findall-kb/src/build/demonyms.txt"
    said = {}
    rows = re.findall(r"^([^#[=\n][^=\n]*)=(.+)$", source.read_text(encoding="utf-8"), re.M)
    # A name of two places is the country's before it is that of a part of another country: "Georgian".
    for place, names in sorted(rows, key=lambda row: row[0] in COUNTRY_OF):
        if place in NO_COUNTRIES:
            continue
        for name in [place.removeprefix("The "), *names.split(",")]:
            said.setdefault(name.lower(), COUNTRY_OF.get(place, place))
    said.update({"u.s.": "United States", "us": "United States", "usa": "United States", "uk": "United Kingdom"})
    said.update({"soviet": "Russia", "west german": "Germany", "east german": "Germany", "korea republic": "South Korea"})
    said.update({"england": "United Kingdom", "english": "United Kingdom", "scotland": "United Kingdom", "wales": "United Kingdom"})
    said.update({"scottish": "United Kingdom", "welsh": "United Kingdom", "northern ireland": "United Kingdom"})
    said.update({"british": "United Kingdom", "russian federation": "Russia", "hong kong": "China", "deutschland": "Germany"})
    said.update({"türkiye": "Turkey", "burma": "Myanmar", "burmese": "Myanmar", "czechia": "Czech Republic"})
    # A Roman fort lies where the empire was.
    for name in ("georgia", "roman", "romans"):
        said.pop(name, None)
    for state in STATES:
        said[state.replace("_", " ").lower()] = "United States"
    return said


# Names that have a country's in them and are no part of it, or not the whole.
NO_COUNTRY = re.compile(
    r"\b(?:(?:North|South|Central|Latin) America(?:ns?)?|British Columbia|British Indian Ocean Territory|New South Wales|New England|New Guinea(?! Islands)|Indian Ocean|"
    r"(?:South|East) China Sea|Sea of Japan|Gulf of Mexico|English Channel|(?:Irish|Norwegian|Philippine) Sea)\b"
)
COUNTRY_SPELLINGS = read_countries()
COUNTRY = re.compile(r"(?<![\w-])(" + "|".join(sorted(map(re.escape, COUNTRY_SPELLINGS), key=len, reverse=True)) + r")(?![\w-])", re.IGNORECASE)
STATE = re.compile(r"\b(" + "|".join(state.replace("_", " ") for state in STATES) + r")\b")


def countries_in(text):
    """The countries that a text names."""
    return {COUNTRY_SPELLINGS[match.lower()] for match in COUNTRY.findall(NO_COUNTRY.sub("", text.replace("Papua New Guinea", "Papua")))}
