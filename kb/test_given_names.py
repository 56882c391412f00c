"""Which given names are counted as whose: python3 -m unittest discover kb"""
import unittest

from given_names import count, given_name, is_woman, listed, mostly, rewritten


class Counting(unittest.TestCase):
    def test_only_people_with_a_given_name_are_counted(self):
        lived = " (born 1950) is a painter."
        self.assertEqual(given_name("Mira Penhallow (painter)", "Mira Penhallow" + lived), "mira")
        for title in ("Penhallow", "Wang Fang", "Sir Robin", "Mira, Oregon", "Bridge of Mira", "the Mira"):
            self.assertIsNone(given_name(title, title + lived), title)
        self.assertIsNone(given_name("Mira Bay", "Mira Bay is a bay."))

    def test_a_text_says_clearly_or_nothing(self):
        self.assertIs(is_woman("She sold her boat."), True)
        self.assertIs(is_woman("He sold his boat to the queen, and himself."), False)
        self.assertIsNone(is_woman("She met him."))
        self.assertIsNone(is_woman("A boat."))

    def test_a_name_is_of_one_kind_where_nearly_all_are(self):
        rows = [{"title": f"Mira Veld{n}", "text": "M (born 1950) is a painter. She paints."} for n in "abc"]
        rows += [{"title": f"Kim Veld{n}", "text": f"K (born 1950) is a painter. {who} paints."} for n, who in zip("abcd", ["She", "He"] * 2)]
        rows += [{"title": f"Robin Veld{n}", "text": f"R (born 1950) is a painter. {who} paints."} for n, who in zip("abcd", ["She", "He"] * 2)]
        women, men = count([*rows, {"title": "Nobody"}])
        self.assertEqual((mostly(women, men), mostly(men, women)), ({"mira"}, set()))


class Lists(unittest.TestCase):
    def test_the_last_two_lists_are_replaced(self):
        text = "# words\n[asked]\nwomen\n[name woman]\nold\n[name man]\nolder\n"
        new = rewritten(text, {"mira", "ada"}, {"tom"})
        self.assertEqual(new, "# words\n[asked]\nwomen\n[name woman]\nada mira\n[name man]\ntom\n")
        self.assertEqual(listed(new, "asked", "name man"), {"women", "tom"})


if __name__ == "__main__":
    unittest.main()
