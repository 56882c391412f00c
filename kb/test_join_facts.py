"""Which facts are laid to which thing: python3 -m unittest discover kb"""
import io
import pathlib
import tempfile
import unittest

from facts.countries import countries_in
from facts.judge import Judge
from facts.laying import Join
from facts.names import spelling
from facts.reading import read_facts, read_row, tidy
from facts.seen import Fact, Thing
from facts.vocabulary import THIN
from facts.writing import rows_of


def thing(title, kind, text, popularity=3.0):
    return Thing(title, kind, text, popularity, True)


def fact(title, kind, text, source="nfl", popularity=20.0):
    return Fact(title, kind, text, [], popularity, [source])


class Judging(unittest.TestCase):
    def one(self, a, b):
        return Judge(lambda word: 4.0).one_thing(a, b)

    def test_years_of_birth_decide(self):
        player = fact("John Reed", "person", "American baseball pitcher, born 1950")
        self.assertTrue(self.one(player, thing("John Reed", "person", "American pitcher; born 1950")))
        self.assertFalse(self.one(player, thing("John Reed", "person", "American journalist; 1887–1920")))

    def test_years_on_stage_are_no_life(self):
        singer = fact("Lou Rawls", "person", "musician or band in US charts, 18 Hot 100 songs 1965–1983", "hot100")
        self.assertTrue(self.one(singer, thing("Lou Rawls", "person", "American singer; 1933–2006")))

    def test_occupations_decide_where_years_do_not(self):
        mayor = fact("Ann Lee", "person", "Mayor of Dover, Delaware", "openstates")
        self.assertTrue(self.one(mayor, thing("Ann Lee", "person", "American politician, governor of Delaware")))
        self.assertFalse(self.one(mayor, thing("Ann Lee", "person", "American swimmer")))

    def test_towns_of_two_countries_are_two(self):
        town = fact("Pomona", "place", "town in Namibia, population 900", "geonames-cities")
        self.assertFalse(self.one(town, thing("Pomona", "place", "city or town in Australia")))
        self.assertTrue(self.one(town, thing("Pomona", "place", "ghost town in Namibia")))

    def test_a_film_is_not_its_novel(self):
        book = fact("Without Remorse", "work", "book by Tom Clancy, 1993", "books")
        film = thing("Without Remorse (film)", "work", "2021 American film; based on 1993 novel by Tom Clancy")
        self.assertFalse(self.one(book, film))

    def test_two_players_born_in_one_year_are_two(self):
        player = fact("Tyler Wilson", "person", "American baseball player, MLB 2015–2017, born 1989", "baseball")
        self.assertFalse(self.one(player, thing("Tyler Wilson (American football)", "person", "former American football quarterback; born 1989")))
        back = fact("Rafael", "person", "Brazilian footballer, right-back, born c. 1991", "fifa-players")
        self.assertFalse(self.one(back, thing("Rafael Cabral", "person", "Brazilian footballer; born 1990; plays as goalkeeper")))

    def test_a_life_bounds_what_is_done_in_it(self):
        lawyer = fact("Chris Carr", "person", "attorney general of Georgia, Republican, since 2016", "openstates")
        self.assertFalse(self.one(lawyer, thing("Chris Carr (soldier)", "person", "United States Army officer; 1914–1970; governor")))
        drafted = fact("Tony Baker", "person", "American football running back, Atlanta Falcons, 1986 draft round 10", "nfl")
        self.assertFalse(self.one(drafted, thing("Tony Baker", "person", "American football running back; 1945–1998; played from 1968")))

    def test_seats_and_positions_tell_people_of_one_profession_apart(self):
        senator = fact("Ben Brooks", "person", "American politician, former Alabama state senator", "openstates")
        self.assertFalse(self.one(senator, thing("Ben Brooks", "person", "American politician, Maryland state senator")))
        tackle = fact("Andre Johnson", "person", "American football offensive tackle, 1996 draft", "nfl")
        self.assertFalse(self.one(tackle, thing("Andre Johnson", "person", "American football wide receiver, Houston Texans")))

    def test_a_pen_name_is_not_its_bearer_s_namesake(self):
        publisher = fact("Richard Phillips", "person", "writer, born 1767, died 1840", "authors-gutenberg")
        self.assertFalse(self.one(publisher, thing("Philip K. Dick", "person", "American science fiction author")))

    def test_a_part_is_not_the_whole(self):
        branch = fact("Airbus (Italy)", "organization", "company in Modena, Italy, part of Airbus (Netherlands)", "ror")
        self.assertFalse(self.one(branch, thing("Airbus", "organization", "European aircraft company in Toulouse; Netherlands")))

    def test_makers_and_years_tell_songs_and_games_apart(self):
        song = fact("Runaway", "work", "2010 song by Kanye West, US Hot 100 peak 12", "hot100")
        old = "number-one Billboard Hot 100 song made famous by Del Shannon in 1961; listed among greatest songs in 2010"
        self.assertFalse(self.one(song, thing("Runaway (Del Shannon song)", "work", old)))
        game = fact("Mission: Impossible", "product", "1997 action video game, Ocean for N64/PS", "videogames")
        self.assertFalse(self.one(game, thing("Mission: Impossible (NES)", "product", "1990 overhead action adventure video game; Konami")))

    def test_charts_of_a_country_are_not_its_musicians(self):
        band = fact("Eiffel 65", "group", "musician or band in US charts, 1 Hot 100 song 1999", "hot100")
        self.assertEqual(band.see().countries, set())

    def test_the_head_of_a_text_says_what_a_place_is(self):
        town = fact("Vienne", "place", "commune in Isère, France, population 31,778", "fr-it-communes")
        self.assertFalse(self.one(town, thing("Vienne", "place", "important rivers in south-western France; flows by towns")))

    def test_kinds_that_disagree_are_two_things(self):
        self.assertFalse(self.one(fact("Europeans", "organization", "political party in India", "parties"), thing("Europeans", "group", "peoples of Europe")))
        self.assertFalse(self.one(fact("July", "product", "1998 adventure video game", "videogames"), thing("July", "event", "seventh month")))


    def test_a_continent_is_no_country(self):
        self.assertEqual(countries_in("river of North America, in British Columbia"), set())
        self.assertEqual(countries_in("American river, flows into Canada"), {"United States", "Canada"})

    def test_a_city_stands_for_its_country(self):
        self.assertEqual(countries_in("college in Boston"), {"United States"})
        self.assertEqual(countries_in("city in Türkiye"), {"Turkey"})
        self.assertEqual(countries_in("Roman fort of Asia"), set())
        college = fact("Lyme Hill College", "organization", "university or college in United States", "universities")
        self.assertTrue(self.one(college, thing("Lyme Hill College", "organization", "two-year college in Boston")))
        self.assertFalse(self.one(college, thing("Lyme Hill College", "organization", "two-year college in Paris")))

    def test_what_is_of_no_kind_is_read_as_what_the_row_is(self):
        politician = fact("Ada Lind", "person", "American politician, former Michigan state senator", "openstates")
        self.assertTrue(self.one(politician, thing("Ada Lind", "other", "member of Michigan Senate")))
        self.assertFalse(self.one(politician, thing("Ada Lind", "other", "rowing boat of the Michigan navy")))

    def test_a_tool_is_software_only_beside_a_word_of_computers(self):
        product = fact("Screwdriver", "product", "cloud-native software, continuous integration", "cncf")
        self.assertFalse(self.one(product, thing("Screwdriver", "product", "hand tool for driving screws; manual framework")))
        self.assertTrue(self.one(product, thing("Screwdriver Continuous", "product", "continuous integration software, a build tool")))

    def test_a_reign_is_no_life(self):
        king = fact("Olav", "person", "ruler, born 1870, died 1957", "pantheon")
        self.assertTrue(self.one(king, thing("Olav", "person", "king of Lyme (1905–1957), ruler, died 1957")))
        self.assertFalse(self.one(king, thing("Olav", "person", "ruler; 1750–1790")))


class Laying(unittest.TestCase):
    def lay(self, things, facts):
        join = Join(things, [], facts)
        join.judge = Judge(lambda word: 4.0)
        return join.lay(facts), join.counts

    def test_a_namesake_gets_a_parenthesis(self):
        laid, counts = self.lay([thing("Pomona", "place", "city or town in Australia")], [fact("Pomona", "place", "town in Namibia", "geonames-cities")])
        self.assertEqual([one.title for one in laid], ["Pomona (Namibia)"])
        self.assertEqual(counts["namesake"], 1)

    def test_a_thing_of_which_nothing_is_said_takes_facts_that_only_one_can_be_meant_by(self):
        bare = thing("Craig Fleming", "other", "")
        laid, _ = self.lay([bare], [fact("Craig Fleming", "person", "footballer, born 1971", "transfers")])
        self.assertIs(laid[0], bare)
        bare = thing("Craig Fleming", "other", "")
        two = [fact("Craig Fleming", "person", "footballer, born 1971", "transfers"), fact("Craig Fleming (mayor)", "person", "Mayor of Dover, born 1921", "openstates")]
        laid, _ = self.lay([bare], two)
        self.assertNotIn(bare, laid)

    def test_one_name_is_enough_for_the_very_famous(self):
        bare = thing("Utamaro", "other", "")
        self.assertIs(self.lay([bare], [fact("Utamaro", "person", "painter, born 1753", "pantheon")])[0][0], bare)
        bare = thing("Utamaro", "other", "")
        self.assertIsNot(self.lay([bare], [fact("Utamaro", "person", "footballer, born 1983", "transfers")])[0][0], bare)

    def test_the_only_lake_of_a_name_is_that_lake(self):
        lake = fact("Lake Huron", "place", "lake, one of the large lakes of the world", "geo-features")
        laid, counts = self.lay([thing("Lake Huron", "place", "one of the Great Lakes; lake of Canada")], [lake])
        self.assertEqual((laid[0].title, counts["only"]), ("Lake Huron", 1))
        two = [thing("Lake Huron", "place", "lake of Canada"), thing("Lake Huron (Peru)", "place", "lake of Peru")]
        self.assertEqual(self.lay(two, [lake])[1]["only"], 0)
        self.assertEqual(self.lay([thing("Lake Huron", "place", "town in Canada")], [lake])[1]["only"], 0)

    def test_the_only_band_of_a_name_is_that_band(self):
        band = fact("Foghat", "group", "musician or band in US charts, 9 Hot 100 songs 1972–1981", "hot100")
        laid, counts = self.lay([thing("Foghat", "group", "English rock band formed in 1971")], [band])
        self.assertEqual(counts["only"] + counts["told"], 1)
        self.assertEqual(self.lay([thing("Foghat", "group", "English rock band formed in 2004")], [band])[1]["namesake"], 1)

    def test_another_spelling_leads_to_the_thing_where_years_agree(self):
        knight = fact("Sir Ada Lind", "person", "writer, born 1815, died 1852", "authors-gutenberg")
        held = thing("Ada Lind", "person", "English writer; born 1815; died 1852")
        self.assertIs(self.lay([held], [knight])[0][0], held)
        other = thing("Ada Lind", "person", "English writer; born 1915")
        self.assertIsNot(self.lay([other], [knight])[0][0], other)
        self.assertEqual(spelling("j r r lind"), spelling("jrr lind"))
        self.assertNotEqual(spelling("sir lind"), spelling("lind"))

    def test_a_set_names_a_thing_once(self):
        rows = [fact("Lucid", "product", f"programming language by {who}, appeared {year}", "pldb") for who, year in (("Ashcroft", 1976), ("Done", 2014))]
        laid, counts = self.lay([], rows)
        self.assertEqual((len(laid), counts["united"]), (2, 0))

    def test_a_parenthesis_knows_of_another_thing_of_the_name(self):
        bare = thing("Wang Xiao", "other", "")
        laid, _ = self.lay([bare], [fact("Wang Xiao (politician)", "person", "Chinese politician", "everypolitician")])
        self.assertNotIn(bare, laid)

    def test_the_thin_tier_adds_a_fact_and_no_kind(self):
        bare = thing("Rape of Arundel", "other", "")
        bare.words = 0
        row = fact("Rape of Arundel", "organization", "Sussex: Historic divisions", THIN)
        laid, _ = self.lay([bare], [row])
        told = rows_of(laid[0], lambda one: 0.0)
        self.assertEqual((told["facts"], "kind" in told, "description" in told), (["Sussex: Historic divisions"], False, False))


class Reading(unittest.TestCase):
    def test_broken_rows_are_set_aside_with_the_reason(self):
        rows = ["Ada\tperson\twriter, born 1815\tAda L.\t40\tpantheon", "half a row", "Bob\tplanetoid\ta\t\t1\tx", "Cy\tperson\ta\t\tmany\tx"]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "facts.tsv"
            path.write_text("\n".join(rows) + "\n", encoding="utf-8")
            rejects = io.StringIO()
            facts, refused = read_facts(path, rejects)
        self.assertEqual(([one.title for one in facts], refused), (["Ada"], 3))
        self.assertEqual(len(rejects.getvalue().splitlines()), 3)
        self.assertIn("1 columns, expected 6", rejects.getvalue())

    def test_what_is_no_name_of_a_thing_is_left_out(self):
        for title, kind in (("Lyon general election, 1986", "organization"), ("The Lamp (JP sales)", "work")):
            self.assertIsInstance(read_row([title, kind, "a text", "", "1", "parties"]), str)
        self.assertIsInstance(read_row(["Lyon Party", "organization", "a text", "", "1", "parties"]), Fact)

    def test_teams_are_no_players(self):
        row = ["Lyme Raiders", "person", "American football tackle, Lyme Raiders, college Lyme", "", "9", "nfl"]
        self.assertIsInstance(read_row(row), str)
        self.assertIsInstance(read_row(["Ada Lind", *row[1:]]), Fact)

    def test_restaurants_are_no_cooks(self):
        text = "chef or restaurateur, Lyme, Maine, James Beard Award winner, America's Classics 2008"
        house = read_row(["Ada's Inn", "person", text, "", "9", "chefs"])
        self.assertEqual((house.kind, house.text.split(", ")[0]), ("organization", "restaurant or bar in Lyme"))
        text = "chef or restaurateur, Ada's Inn, Lyme, Maine, James Beard Award winner, Best Chefs 2008"
        self.assertEqual(read_row(["Ada Lind", "person", text, "", "9", "chefs"]).kind, "person")
        text = "chef or restaurateur, Ada's Inn, Lyme, Maine, James Beard Award winner, Outstanding Restaurant Design 2008"
        self.assertEqual(read_row(["Lind Studio", "person", text, "", "9", "chefs"]).kind, "organization")

    def test_catalogue_numbers_are_written_as_people_do(self):
        self.assertEqual(read_row(["UGC05373", "other", "galaxy in the constellation Sex", "", "9", "sky"]).title, "UGC 5373")
        self.assertEqual(read_row(["UGC05373", "other", "galaxy", "", "9", "videogames"]).title, "UGC05373")

    def test_what_says_nothing_is_left_out(self):
        self.assertEqual(tidy("writer, born BC 446 in Athens, Greece, language, died -388", False), "writer, born 446 BC in Athens, Greece, died 388 BC")


if __name__ == "__main__":
    unittest.main()
