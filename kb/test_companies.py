"""Under which title a row of the company list is kept: python3 -m unittest discover kb"""
import unittest

from companies import Directory, company_title, own_name


class Naming(unittest.TestCase):
    def test_the_text_gives_the_name_that_an_exchange_cuts(self):
        for title, text, name in (
            ("RECRO PHARMA DL-,01", "Recro Pharma, Inc. is a contract manufacturer.", "Recro Pharma"),
            ("MASCH.BERT.HER. O.N. VZO", "Maschinenfabrik Berthold Hermle AG is a German maker.", "Maschinenfabrik Berthold Hermle"),
            ("Ambipar Class A Ordinary Shares", "Ambipar is a company in Brazil.", "Ambipar"),
            ("EDEL SE+CO.KGAA INH O.N.", "Edel SE & Co. KGaA operates in media.", "Edel"),
            ("BEIGENE", "BeiGene, Ltd. is a biotechnology company.", "BeiGene"),
        ):
            self.assertEqual(company_title(title, text), name)

    def test_what_the_text_does_not_name_has_no_title(self):
        self.assertIsNone(company_title("LS -2X TESLA", "LS -2X TESLA is an exchange-traded product."))
        self.assertIsNone(company_title("GENL EL. CO. DL -,06", "Avio Aerospace is an American aviation enterprise."))
        self.assertIsNone(company_title("One Stop Systems", "One Stop Systems, Inc. designs computers."))

    def test_a_name_ends_where_the_sentence_goes_on(self):
        self.assertEqual(own_name("Interpublic Group of Companies, Inc. (IPG) is a group."), "Interpublic Group of Companies Inc.")
        self.assertEqual(own_name("Orkla ASA is a company"), "Orkla ASA")


class Directing(unittest.TestCase):
    def setUp(self):
        rows = [
            {"title": "MetLife", "text": "MetLife, Inc. is an insurer.", "src": ["hybridqa"]},
            {"title": "Tern", "text": "Terns are seabirds.", "src": ["hybridqa"]},
            {"title": "Henkel", "text": "", "src": ["wtq"]},
            {"title": "Volkswagen Group", "text": "Volkswagen AG is a German multinational company.", "src": ["hybridqa"]},
            {"title": "Glaxo", "text": "Glaxo plc is a British company.", "src": ["hybridqa"]},
            {"title": "Helix", "text": "A helix is a curve.", "src": ["hybridqa"]},
        ]
        redirects = {"volkswagen ag": {"volkswagen group"}, "glaxo pharmaceuticals": {"glaxo"}, "helical": {"helix"}}
        self.directory = Directory(rows, redirects)

    def title(self, title, text):
        return self.directory.title_of({"title": title, "text": text, "src": ["findb"]})

    def test_a_paper_is_its_company(self):
        self.assertEqual(self.title("METLIFE INC. DL-,01", "MetLife, Inc. is a provider."), "MetLife")
        self.assertEqual(self.title("HENKEL AG+CO.KGAA ST O.N.", "Henkel AG & Co. KGaA is a German company."), "Henkel")

    def test_a_bird_is_no_company(self):
        self.assertEqual(self.title("TERN PLC LS-,0002", "Tern PLC is an investment company."), "Tern (company)")

    def test_a_redirect_is_taken_where_the_article_has_the_name(self):
        self.assertEqual(self.title("Volkswagen AG", "Volkswagen AG makes cars."), "Volkswagen Group")
        self.assertEqual(self.title("Glaxo Pharmaceuticals", "Glaxo Pharmaceuticals Limited, in India."), "Glaxo Pharmaceuticals")
        self.assertEqual(self.title("Helical", "Helical PLC is a company."), "Helical")


if __name__ == "__main__":
    unittest.main()
