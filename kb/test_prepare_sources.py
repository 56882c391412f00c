"""Which titles are names of an article: python3 -m unittest discover kb"""
import unittest

from prepare_sources import bare_titles


class BareTitles(unittest.TestCase):
    def setUp(self):
        self.rows = [
            {"title": "Olav VII", "text": "", "pop": 2},
            {"title": "Olav VII of Lyme", "text": "Olav VII was a king.", "pop": 9},
            {"title": "Bob Lind", "text": "", "pop": 1},
            {"title": "Blue Lyme", "text": "Blue Lyme is a band.", "pop": 3},
            {"title": "Lyme AFB", "text": "Lyme Air Force Base is a base.", "pop": 1},
            {"title": "Lyme Air Force Base", "text": "", "pop": 4},
            {"title": "Polestar", "text": "A car brand.", "pop": 4},
            {"title": "Pole star", "text": "", "pop": 4},
        ]

    def of(self, redirects):
        return bare_titles(self.rows, {name: {target} for name, target in redirects.items()}, set())

    def test_a_bare_title_is_the_article_that_it_redirects_to(self):
        other, _ = self.of({"olav vii": "olav vii of lyme", "bob lind": "blue lyme"})
        self.assertEqual(other, {"Olav VII": ("Olav VII of Lyme", 2)})

    def test_a_text_that_begins_with_a_bare_title_is_about_it(self):
        other, missing = self.of({"lyme afb": "lyme air force base", "polestar": "pole star"})
        self.assertEqual((other, missing), ({"Lyme Air Force Base": ("Lyme AFB", 4)}, {}))

    def test_a_title_that_no_source_has_is_a_name_too(self):
        self.assertEqual(self.of({"blue lyme": "blue lyme is"})[1], {"blue lyme is": "Blue Lyme"})


if __name__ == "__main__":
    unittest.main()
