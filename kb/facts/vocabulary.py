"""Words that say what a thing is: professions, works, places, organizations, products, positions on a field."""
import re

KINDS = "person organization place team work product event group species substance concept character other".split()
# The tier that was read off tables of an encyclopedia: its titles are exact, its kinds are guesses, its texts are thin.
THIN = "wiki-tables"

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


def table(classes):
    return {word: name for name, words in classes.items() for word in words.split()}


# Words of the class "software" that need no other beside them: a hammer is a tool, too.
SURELY_SOFTWARE = set("software programming database web app browser website cloud-native computer web-based internet".split())
CLASS_OF = {"person": table(CLASSES), "work": table(WORKS), "place": table(PLACES)}
CLASS_OF["organization"] = CLASS_OF["team"] = table(ORGANIZATIONS)
THING = table(PRODUCTS)
SMALL_WORDS = set(
    "a an the of in on at by for from to and or with as is was are were be been his her its their he she it they who which that this "
    "also one first two new born died active until since former member members known part kind based located best".split()
)
# Fields that a set names after the occupation: "writer, …, language".
FIELDS = set(
    "government;film and theatre;music;natural sciences;language;religion;philosophy;military;individual sports;team sports;"
    "social sciences;medicine;math;fine arts;design;activism;companions;media personality;explorers;business;outlaws;invention;"
    "history;engineering;computer science;law;dance;unspecified".split(";")
)
