"""What sets say wrongly about what their rows are: teams among players, restaurants among cooks, catalogue numbers as names."""
import re

from facts.names import split_title

PLAYERS = {"nfl", "nba", "nhl", "baseball", "worldcup", "transfers", "fifa-players"}
# Prizes for cooks that a house gets, and those that whoever furnished it gets.
PRIZES_OF_HOUSES = re.compile(
    r"America's Classics|Best New Restaurant|Outstanding (?:Restaurant\b(?! Design| Graphics)|Service|Wine Service|Bar\b|Bakery|Hospitality|[\w& ]*Program)"
)
PRIZES_OF_DESIGNERS = re.compile(r"Outstanding (?:Restaurant Design|Restaurant Graphics|Design of)")
FIRM = re.compile(r"\b(?:Architect\w*|Design\w*|Studios?|Inc|Ltd|LLC|PLLC|Graphics?|Office|Associates|Advertising|Productions?|Partners|Group|Works)\b|[/&+]")
CATALOGUE = re.compile(r"(NGC|IC|UGC|PGC|ESO|Mel|Cr|Barnard|Caldwell) ?0*(\d[\w-]*)")


def is_team_as_player(title, kind, text, sources):
    """Whether a row of a player bears the name of the team that it says he plays for."""
    name = split_title(title)[0]
    return kind == "person" and bool(set(sources) & PLAYERS) and " " in name and name in text.split(", ")[1:]


def put_right(title, kind, text, sources):
    """Title, kind and text as they should be."""
    if "chefs" in sources and kind == "person" and text.startswith("chef or restaurateur, "):
        rest = text.removeprefix("chef or restaurateur, ")
        title = title.replace(" (chef)", "") if PRIZES_OF_HOUSES.search(text) or PRIZES_OF_DESIGNERS.search(text) else title
        if PRIZES_OF_DESIGNERS.search(text):
            return title, "organization" if FIRM.search(title) else "person", f"designer of restaurants, {rest}"
        if PRIZES_OF_HOUSES.search(text) and rest.count(", ") == 3:
            return title, "organization", f"restaurant or bar in {rest}"
    if "sky" in sources and (number := CATALOGUE.fullmatch(title)):
        title = f"{number[1]} {number[2]}"
    return title, kind, text
