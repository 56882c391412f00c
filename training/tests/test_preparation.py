"""Gathering data, on about twenty rows of every set: the standard library is enough."""
import unittest
from unittest import mock

import small_world
from small_world import ROOT, SHARED, Pipeline, read_lines, run


def gather_wiki():
    """`data/wiki_spacy.py` with a stand-in for spaCy."""
    out = ROOT / "wiki.jsonl.xz"
    with mock.patch("data.wiki_spacy.load_pipeline", lambda *_: Pipeline()):
        run("data.wiki_spacy", "--kb", SHARED / "kb/entities.jsonl.xz", "--out", out, "--count", 20)
    return out


class Preparation(unittest.TestCase):
    def test_tagger(self):
        out, texts = ROOT / "ner.jsonl.xz", ROOT / "ner-texts.jsonl"
        run("prepare_tagger", "--shared", SHARED, "--wiki", gather_wiki(), "--out", out, "--calibration", texts)
        rows = read_lines(out)
        self.assertEqual({row["src"] for row in rows},
                         {"crossner", "wikigold", "wnut17", "broad_twitter", "gum", "litbank", "list_queries", "pages", "pools", "wiki"})
        self.assertLessEqual({"pages", "crossner"}, {row["src"] for row in rows if row["held"]})
        page = next(row for row in rows if row["src"] == "pages")
        self.assertEqual({page["text"][s:e] for s, e, _ in page["spans"]}, {e["name"] for e in small_world.entities_of(0)})
        self.assertGreater(len(read_lines(texts)), 20)

    def test_reader(self):
        out, pairs = ROOT / "qa.jsonl.xz", ROOT / "qa-pairs.jsonl"
        with mock.patch("prepare_reader.load_pipeline", lambda *_: Pipeline()):
            run("prepare_reader", "--shared", SHARED, "--wiki", gather_wiki(), "--unanswerable", "--out", out, "--calibration", pairs)
        rows = read_lines(out)
        self.assertEqual({row["src"] for row in rows}, {"squad1", "squad1x", "squad2", "quoref", "policy_dev", "policy_test", "multispan", "cloze", "edited", "pages"})
        self.assertEqual({row["article"] for row in rows if row["held"] and row["src"] == "squad2"}, {"Article C", "Article H"})
        self.assertTrue(any(qa.get("near") for row in rows for qa in row["qas"]))
        for row in rows:
            for number in (number for qa in row["qas"] for number in qa.get("far", ())):
                self.assertIn(rows[number]["src"][:5], ("squad", "pages"))
        self.assertGreater(len(read_lines(pairs)), 20)

    def test_linker(self):
        folder = ROOT / "linker"
        run("prepare_linker", "--pages", SHARED / "data/pages/train.jsonl.xz", "--pools", SHARED / "data/pools/pools.jsonl.xz", "--out", folder)
        pages, pools = read_lines(folder / "pages.jsonl"), read_lines(folder / "pools.jsonl")
        self.assertEqual((len(pages), len(pools)), (20, 14))
        # The second item of every pool was marked wrong, so it stands for nothing, on its page as well.
        self.assertIn("nobody‑known‑as", pools[0]["entities"][1]["name"])
        self.assertIn("nobody‑known‑as", pages[0]["entities"][1]["name"])

    def test_numbers_of_the_engine(self):
        from tuning import constant
        self.assertEqual(constant("findall/src/find/score.rs", "NO_EVIDENCE_LOG_ODDS"), -12.0)
        self.assertIsInstance(constant("findall/src/ask/asker.rs", "FIRST_BATCH_PASSAGES"), int)
        self.assertIsInstance(constant("findall/src/ask/asker.rs", "BATCH_PASSAGES"), int)
        self.assertIsInstance(constant("findall/src/ask/confidence.rs", "MAX_SIGNAL_LOG_ODDS"), float)
        self.assertIsInstance(constant("findall/src/ask/confidence.rs", "DEFAULT_MARGIN_LOG_ODDS"), float)
        self.assertIsInstance(constant("findall/src/ask/asker.rs", "MAX_SECOND_LOOKS"), int)
        self.assertIsInstance(constant("findall/src/find/candidate.rs", "MAX_KNOWLEDGE_CHARS"), int)
        self.assertIsInstance(constant("findall-eval/src/kb_find_fit.rs", "CANDIDATES"), int)
        with self.assertRaises(LookupError):
            constant("findall/src/ask/asker.rs", "PASSAGES")

    def test_question_pairs(self):
        from data.question_pairs import pairs
        self.assertEqual(len(pairs()), 20)


if __name__ == "__main__":
    unittest.main()
