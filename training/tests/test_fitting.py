"""Fitting the small models and rules, on about twenty made-up rows each; needs numpy and scipy."""
import json
import random
import shutil
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import small_world
from small_world import MODELS, ROOT, SHARED, read_lines, run, write_lines


def linker_features():
    """Chains of which the right sense has the higher prior, in four documents of five; the rest stand for nothing."""
    rng, names = random.Random(1), {"sense": ["prior", "fame", "changed"], "none": ["lower", "rank"]}
    rows = [json.dumps(names)]
    for number in range(40):
        right = number % 2 if number % 5 else -1
        senses = [[1.0 + rng.random() if n == right else rng.random(), rng.random(), float(right < 0)] for n in range(2)]
        rows.append(json.dumps({"at": ["lists", number, False], "mentions": 1 + number % 3, "senses": senses, "none": [float(right < 0), 0.0],
                                "right": right, "expected": None if right < 0 else "x"}))
        rows.append(rows[-1].replace("false]", "true]"))
    return write_lines(ROOT / "linker.jsonl", rows)


def list_features():
    from fit_list import RELATIONS, RELATION_FEATURES
    # In another order than the engine's: they are found by their names.
    names = ["bias", *sorted({name for used in RELATION_FEATURES.values() for name in used.split()})]
    rng, rows = random.Random(2), [{"features": names}]
    for relation in RELATIONS:
        for number in range(24):
            right = number % 3 == 0
            features = [1.0] + [rng.random() * 0.2 + 0.7 * right for _ in names[1:]]
            rows.append({"relation": relation, "subject": f"subject {number % 4}", "gold": 2, "right": right, "features": features})
    return write_lines(ROOT / "list.jsonl", rows)


def ask_features(name, pages):
    rng, rows = random.Random(name), []
    for number in range(20):
        answerable = number % 3 > 0
        candidates = []
        for order in range(4):
            right = answerable and order == number % 4
            candidates.append({"again": rng.random() * 3 + 3 * right - 2, "reader": rng.random() * 3 + 3 * right - 2, "words": rng.random(),
                               "near_words": rng.random(), "kind": rng.choice((-1, 0, 1)), "f1": 0.9 if right else 0.0, "order": order * 5})
        rows.append({"candidates": candidates, "answerable": answerable, "read": 20, "page": f"page {number % pages}", "id": number})
    return write_lines(ROOT / f"{name}.jsonl", rows)


def spelling_features():
    """Two choices a word: what stands in the document was meant where the question has a slip."""
    rng, rows = random.Random(3), [{"features": ["stay", "in_document", "two_edits"]}]
    for number in range(40):
        slip = number % 2 == 1
        choices = [[1.0, 0.0, 0.0], [0.0, float(slip), float(rng.random() < 0.5)]]
        rows.append({"page": f"page {number % 8}", "slip": slip, "lost": False, "words": [{"right": int(slip), "choices": choices}]})
    rows.append({"page": "page 1", "slip": True, "lost": True, "words": [{"right": None, "choices": [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]}]})
    return write_lines(ROOT / "spelling.jsonl", rows)


def base_evidence():
    """Queries over the base: candidates by their own words, then those of another look; what shares more words is right, and the judge says so."""
    rng, rows = random.Random(4), []
    for number in range(20):
        candidates = []
        for order in range(60):
            right = order < 40 and order % 9 == number % 9
            candidates.append({"title": f"entity {order}", "answer": right or (None if order % 2 else False), "words": 3.0 - order / 30 + 0.5 * right,
                               "encoder": rng.random() + right - 2, "judge": rng.random() + 3 * right - 2, "named": False})
        rows.append({"pool": f"kb-{number % 8}", "query": f"query {number}", "answers": 5, "candidates": candidates})
    return write_lines(ROOT / "evidence.jsonl", rows)


def copied_card(kind):
    """A copy of a shipped model's card, for a script to write into."""
    folder = ROOT / "cards" / kind
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(MODELS / kind / "model.json", folder))


class Fitting(unittest.TestCase):
    def test_linker(self):
        fitted = json.loads(run("train_linker", linker_features()))
        self.assertGreater(fitted["rank"]["prior"], 1.0)
        self.assertGreaterEqual(fitted["known"].get("prior", 0.0), 0.0)
        self.assertLess(fitted["known"]["changed"], 0.0)

    def test_marked_links_of_the_linker(self):
        """What was marked wrong counts where that sense is ranked first; where another one is, nothing is known of it."""
        import train_linker
        rows = [{"at": ["pools", 0, False], "name": name, "titles": ["A", "B"], "senses": [[2.0], [1.0]], "none": [0.0], "mentions": 1,
                 "right": -1, "expected": None} for name in ("first", "second", "unmarked")]
        path = write_lines(ROOT / "marked.jsonl", [json.dumps(row) for row in [{"sense": ["prior"], "none": ["rank"]}, *rows]])
        _, chains = train_linker.read([path], [{"first": "A", "second": "B"}])
        self.assertEqual([chain["wrong"] for chain in chains], [0, 1])
        best, _, _ = train_linker.ranked(chains, np.ones(1))
        self.assertEqual(train_linker.told(chains, best).tolist(), [True, False])

    def test_list(self):
        from fit_list import RELATIONS, RELATION_FEATURES
        printed = run("fit_list", list_features()).splitlines()
        fitted = {line.split(" ", 1)[0]: json.loads(line.split(" ", 1)[1]) for line in printed if "{" in line}
        self.assertEqual(list(fitted), RELATIONS)
        for relation, weights in fitted.items():
            self.assertLessEqual(set(weights) - {"bias"}, set(RELATION_FEATURES[relation].split()))

    def test_ask(self):
        card = copied_card("reader")
        run("fit_ask", card, ask_features("natural", 20), ask_features("squad", 1))
        fitted, shipped = (json.loads(path.read_text(encoding="utf-8")) for path in (card, MODELS / "reader/model.json"))
        self.assertEqual(fitted["document"].keys(), shipped["document"].keys())
        self.assertGreater(fitted["document"]["reader"], 0.0)
        self.assertEqual(fitted["files"], shipped["files"])

    def test_base(self):
        out = ROOT / "base-queries.jsonl"
        with mock.patch("fit_base.MADE_QUERIES", 20):
            run("fit_base", "--shared", SHARED, "--prepare", out)
        rows = read_lines(out)
        self.assertEqual(len([row for row in rows if row["id"].startswith("kb-made-")]), 20)
        pools = [query for row in rows if not row["id"].startswith("kb-made-") for query in row["queries"]]
        self.assertTrue(pools and all(answers and len(query.split()) > 1 for query, answers in pools))
        copied_card("judge")
        place = Path(shutil.copy(MODELS / "tuning.json", ROOT / "cards"))
        before = json.loads(place.read_text(encoding="utf-8"))
        from fit_base import SIZES
        # The smallest: how they are compared is the same.
        with mock.patch("fit_base.SIZES", SIZES[-2:]):
            run("fit_base", "--evidence", base_evidence(), "--write", ROOT / "cards")
        after = json.loads(place.read_text(encoding="utf-8"))
        self.assertEqual(after["base"].keys(), before["base"].keys())
        self.assertGreater(after["base"]["further_candidates"], 0)
        self.assertEqual(after["base"]["read"]["judge"], 1.0)
        self.assertEqual({**after, "base": 0}, {**before, "base": 0})

    def test_spelling(self):
        printed = run("fit_spelling", "--features", spelling_features()).splitlines()
        fitted = json.loads(printed[-1])
        self.assertGreater(fitted["weights"]["stay"], 0.5)
        self.assertGreater(fitted["weights"]["in_document"], fitted["weights"]["stay"])
        self.assertIn(f"lead {fitted['min_lead']:.1f}: 95.2 % put right, 0.0 % of those without changed", "".join(printed), "all but the one that is lost")

    def test_words_that_are_asked_with(self):
        from fit_spelling import count_words
        lines = count_words(["Who won?"] * 4 + ["Who lost the Café's key?"] * 3).splitlines()
        self.assertEqual(lines, ["^:7 who:7", "key:3", "lost:3", "the:3", "who:7 won:4", "won:4 $:4"])

    def test_tuning(self):
        from tuning import named, put
        place = Path(shutil.copy(MODELS / "tuning.json", ROOT))
        before = json.loads(place.read_text(encoding="utf-8"))
        put(["linker", "rank"], named(["prior", "fame"], [0.12345, 0.0]), place)
        after = json.loads(place.read_text(encoding="utf-8"))
        self.assertEqual(after["linker"]["rank"], {"prior": 0.123})
        self.assertEqual({**after, "linker": 0}, {**before, "linker": 0})
        with self.assertRaises(KeyError):
            put(["linker", "no such part"], {}, place)
        # The file is as the scripts write it, so that a new number is one changed line.
        self.assertEqual((MODELS / "tuning.json").read_text(encoding="utf-8"), json.dumps(before, indent=2) + "\n")


class FittingRules(unittest.TestCase):
    """On what the engine would say of the reserved pages and documents."""

    @classmethod
    def setUpClass(cls):
        from data.judge_groups import engine_inputs
        found, _ = engine_inputs(SHARED, reserved=True)
        cls.texts = write_lines(ROOT / "reserved.texts.jsonl", small_world.engine_texts(found))

    def test_judge(self):
        card = copied_card("judge")
        printed = run("fit_judge", "--shared", SHARED, "--texts", self.texts, card)
        self.assertIn("10 documents", printed)
        fitted, shipped = (json.loads(path.read_text(encoding="utf-8")) for path in (card, MODELS / "judge/model.json"))
        self.assertEqual(fitted["verdict"].keys(), shipped["verdict"].keys())
        self.assertEqual(fitted["files"], shipped["files"])

    def test_judge_beside_others(self):
        """The weights are the judge's own; many others who agree on another rule change it."""
        def verdict(texts, *beside):
            card = copied_card("judge")
            run("fit_judge", card, "--shared", SHARED, "--texts", texts, *(["--beside", *beside] if beside else []))
            return json.loads(card.read_text(encoding="utf-8"))["verdict"]
        rows = read_lines(self.texts)
        for row in rows:
            for query in row["queries"]:
                query["judge"] = query["judge"][1:] + query["judge"][:1]
        other = write_lines(ROOT / "other.texts.jsonl", rows)
        weights = ("judge", "encoder", "bias", "hopeless")
        own, both = verdict(self.texts), verdict(self.texts, *[other] * 9)
        self.assertEqual([both[name] for name in weights], [own[name] for name in weights])
        self.assertNotEqual(both, own)

    def test_encoder(self):
        copied_card("encoder")
        shutil.copy(MODELS / "tuning.json", ROOT / "cards")
        from fit_encoder import RULES
        # Every fortieth rule: how they are searched is the same.
        with mock.patch("fit_encoder.RULES", RULES[::40]):
            run("fit_encoder", "--shared", SHARED, "--texts", self.texts, ROOT / "cards")
        card = json.loads((ROOT / "cards/encoder/model.json").read_text(encoding="utf-8"))
        self.assertEqual(set(card["decision"]), {"sure", "far", "margin", "possible", "per_word"})
        find = json.loads((ROOT / "cards/tuning.json").read_text(encoding="utf-8"))["find"]
        self.assertLessEqual(set(find), {"knowledge", "context", "bias", "context_alone", "bias_alone", "named", "is_the_query"})


if __name__ == "__main__":
    unittest.main()
