"""Which facts are laid to which thing: python3 -m unittest discover kb"""
import io
import pathlib
import tempfile
import unittest

import join_facts as jf


def thing(title, kind, text, popularity=3.0):
    return jf.Thing(title, kind, text, popularity, True)


def fact(title, kind, text, source="nfl", popularity=20.0):
    return jf.Fact(title, kind, text, [], popularity, [source])


class Judging(unittest.TestCase):
    def one(self, a, b):
        return jf.Judge(lambda word: 4.0).one_thing(a, b)

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

    def test_kinds_that_disagree_are_two_things(self):
        self.assertFalse(self.one(fact("Europeans", "organization", "political party in India", "parties"), thing("Europeans", "group", "peoples of Europe")))
        self.assertFalse(self.one(fact("July", "product", "1998 adventure video game", "videogames"), thing("July", "event", "seventh month")))


class Laying(unittest.TestCase):
    def lay(self, things, facts):
        join = jf.Join(things, [], facts)
        join.judge = jf.Judge(lambda word: 4.0)
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

    def test_the_thin_tier_adds_a_fact_and_no_kind(self):
        bare = thing("Rape of Arundel", "other", "")
        bare.words = 0
        row = fact("Rape of Arundel", "organization", "Sussex: Historic divisions", jf.THIN)
        laid, _ = self.lay([bare], [row])
        told = jf.rows_of(laid[0], lambda one: 0.0)
        self.assertEqual((told["facts"], "kind" in told, "description" in told), (["Sussex: Historic divisions"], False, False))


class Reading(unittest.TestCase):
    def test_broken_rows_are_set_aside_with_the_reason(self):
        rows = ["Ada\tperson\twriter, born 1815\tAda L.\t40\tpantheon", "half a row", "Bob\tplanetoid\ta\t\t1\tx", "Cy\tperson\ta\t\tmany\tx"]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "facts.tsv"
            path.write_text("\n".join(rows) + "\n", encoding="utf-8")
            rejects = io.StringIO()
            facts, refused = jf.read_facts(path, rejects)
        self.assertEqual(([one.title for one in facts], refused), (["Ada"], 3))
        self.assertEqual(len(rejects.getvalue().splitlines()), 3)
        self.assertIn("1 columns, expected 6", rejects.getvalue())

    def test_what_says_nothing_is_left_out(self):
        self.assertEqual(jf.tidy("writer, born BC 446 in Athens, Greece, language, died -388", False), "writer, born 446 BC in Athens, Greece, died 388 BC")


if __name__ == "__main__":
    unittest.main()
