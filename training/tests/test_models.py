"""Every model from base weights to the exported folder, two narrow layers and a few steps each; needs requirements.txt."""
import hashlib
import json
import lzma
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

import small_world
from small_world import MODELS, ROOT, SHARED, read_lines, run, write_lines

try:
    import numpy as np
    import onnx
    import onnxruntime
    import torch
    from base_weights import packed
    from safetensors.numpy import save_file as save_arrays
    from safetensors.torch import load_file, save_file
    from judge import Judge
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import BertConfig, BertModel, LlamaConfig, LlamaModel, MPNetConfig, MPNetModel, Qwen2Config, Qwen2Model
except ImportError as missing:
    raise unittest.SkipTest(f"{missing}; scripts/test-training.sh installs it")

WIDTH = 64
CARRY = ROOT / "carry"


def save_base(name, model, config):
    """Untrained weights as a published model would lie on disk, packed by `base_weights.py`."""
    source = ROOT / name
    source.mkdir(parents=True)
    save_file({key: value.contiguous() for key, value in model.state_dict().items() if value.is_floating_point()}, source / "model.safetensors")
    (source / "config.json").write_text(json.dumps(config.to_dict()), encoding="utf-8")
    shutil.copy(MODELS / "tokenizer.json", source)
    run("base_weights", "--source", source, "--out", CARRY / name, "--int8")


def setUpModule():
    torch.manual_seed(1)
    torch.set_num_threads(2)
    shape = {"hidden_size": WIDTH, "num_hidden_layers": 2, "intermediate_size": 2 * WIDTH, "max_position_embeddings": 514}
    small = BertConfig(vocab_size=30522, num_attention_heads=WIDTH // 32, **{**shape, "max_position_embeddings": 512})
    save_base("small", BertModel(small, add_pooling_layer=False), small)
    large = MPNetConfig(vocab_size=30527, num_attention_heads=WIDTH // 64, **shape)
    save_base("large", MPNetModel(large, add_pooling_layer=False), large)


def bytes_tokenizer():
    letters = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=letters, merges=[]))
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return tokenizer


def save_language_model(folder):
    """An untrained language model over bytes, as `train_question_maker.py --pack` leaves one."""
    config = LlamaConfig(vocab_size=256, hidden_size=WIDTH, intermediate_size=WIDTH, num_hidden_layers=1, num_attention_heads=2,
                         num_key_value_heads=1, tie_word_embeddings=True)
    folder.mkdir(parents=True)
    save_file(packed(LlamaModel(config).state_dict(), True), folder / "model.safetensors")
    config.save_pretrained(folder)
    bytes_tokenizer().save(str(folder / "tokenizer.json"))


def large_base():
    """An untrained language model over bytes, as `language_model.py` leaves one."""
    folder = CARRY / "large-base"
    if folder.exists():
        return folder
    config = {"hidden_size": WIDTH, "intermediate_size": WIDTH, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1,
              "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "vocab_size": 256}
    state = {name: weight.numpy() for name, weight in Qwen2Model(Qwen2Config(**config)).state_dict().items()}
    folder.mkdir(parents=True)
    save_arrays({**state, "vocabulary": np.arange(256)}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({"model": config, "kinds": dict.fromkeys(state, 0)}))
    bytes_tokenizer().save(str(folder / "tokenizer.json"))
    return folder


def joined(folder):
    """A checkpoint that was written in parts, as one file."""
    whole = folder / "checkpoint.safetensors"
    if parts := sorted(folder.glob("checkpoint.safetensors.part*"), key=lambda part: int(part.suffix.removeprefix(".part"))):
        whole.write_bytes(b"".join(part.read_bytes() for part in parts))
    return whole


class Models(unittest.TestCase):
    def export(self, kind, texts):
        """Exports, chooses ranges again, unpacks, and checks that all three have the weights that were trained."""
        trained, folder, unpacked = ROOT / "out" / kind, ROOT / "exported" / kind, ROOT / "unpacked" / kind
        run("export", joined(trained), trained / "meta.json", MODELS / "tokenizer.json", folder, "--calibrate", texts)
        card = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        shipped = json.loads((MODELS / kind / "model.json").read_text(encoding="utf-8"))
        fitted_later = {"decision", "mixed_decision", "verdict", "document"}
        self.assertEqual(set(card), set(shipped) - fitted_later)
        run("fix_ranges", folder, texts)
        onnx.checker.check_model(str(folder / "model.onnx"))
        run("unpack", folder, unpacked)
        before, after = load_file(joined(trained)), load_file(unpacked / "checkpoint.safetensors")
        self.assertLessEqual({name for name in before if not name.startswith("pooler")}, set(after))
        for name in ("encoder.layer.1.output.dense.weight", "encoder.layer.0.attention.self.query.weight"):
            alike = torch.nn.functional.cosine_similarity(before[name].float().flatten(), after[name].flatten(), dim=0)
            self.assertGreater(float(alike), 0.99, name)
        run("base_weights", "--source", unpacked, "--out", CARRY / f"{kind}-again", "--int8")
        run("export", unpacked / "checkpoint.safetensors", unpacked / "meta.json", MODELS / "tokenizer.json", ROOT / "float" / kind, "--float")
        return folder

    def test_tagger(self):
        data, texts = ROOT / "ner.jsonl.xz", ROOT / "ner-texts.jsonl"
        run("prepare_tagger", "--shared", SHARED, "--open", "--out", data, "--calibration", texts)
        shared = ["--data", data, "--base", CARRY / "small", "--tokens", 512, "--max-steps", 3, "--limit", 60, "--out", ROOT / "out/tagger"]
        run("train_tagger", *shared, "--teachers", CARRY / "small", CARRY / "large", "--teacher-epochs", 1, "--epochs", 0, "--taught", ROOT / "taught")
        run("train_tagger", *shared, "--epochs", 1, "--taught", ROOT / "taught")
        self.assertTrue(json.loads((ROOT / "out/tagger/metrics.json").read_text())["f32"]["held_out"])
        folder, figures = self.export("tagger", texts), ROOT / "tagger.json"
        run("eval_tagger", "--model", folder, "--data", data, "--json", figures)
        self.assertIn("pages", json.loads(figures.read_text())["held_out"])

    def test_reader(self):
        data, pairs = ROOT / "qa.jsonl.xz", ROOT / "qa-pairs.jsonl"
        run("prepare_reader", "--shared", SHARED, "--out", data, "--calibration", pairs)
        shared = ["--data", data, "--tokens", 2048, "--max-steps", 3, "--epochs", 1, "--made", 0, "--eval-limit", 20]
        run("train_reader", *shared, "--base", CARRY / "large", "--tokenizer", CARRY / "small", "--quick", "--out", ROOT / "out/large-reader")
        run("train_reader", *shared, "--base", CARRY / "small", "--teachers", ROOT / "out/large-reader", "--leave-out", "Article A",
            "--documents", ROOT / "documents.jsonl", "--out", ROOT / "out/reader")
        meta = json.loads((ROOT / "out/reader/meta.json").read_text())
        self.assertEqual(meta["no_answer"]["scale"], meta["no_answer"]["answerable"])
        self.assertEqual(len(read_lines(ROOT / "documents.jsonl")), 6)
        folder, figures = self.export("reader", pairs), ROOT / "reader.json"
        run("eval_reader", "--model", folder, "--data", data, "--quick", "--limit", 20, "--json", figures)
        self.assertIn("auroc_both", json.loads(figures.read_text())["held_out"])

    def test_questions_without_answers(self):
        """A language model asks, and a reader learns from what its teacher says of that."""
        data, passages, asked = ROOT / "qa-again.jsonl.xz", ROOT / "open.jsonl.xz", ROOT / "asked.jsonl.xz"
        run("prepare_reader", "--shared", SHARED, "--out", data)
        with mock.patch("data.open_passages.MIN_CHARACTERS", 60):
            run("prepare_questions", "--shared", SHARED, "--data", data, "--leave-out", "Article A", "--out", passages)
        rows = read_lines(passages)
        self.assertLessEqual({"pages", "lists", "openings", "sets"}, {row["article"].split(" ")[0] for row in rows})
        held = {row["article"] for row in read_lines(data) if row["held"]} | {"Article A"}
        self.assertFalse(held & {row["article"].split(" ", 1)[1] for row in rows}, "what is measured on is not asked about")
        save_language_model(CARRY / "language-model")
        maker = ["--base", CARRY / "language-model", "--data", data, "--passages", passages, "--max-steps", 2, "--tokens", 4096, "--count", 12]
        with mock.patch("train_question_maker.MAX_TOKENS", 4096), mock.patch("train_question_maker.WORDS", range(1, 99)):
            run("train_question_maker", *maker, "--out", asked)
        # What an untrained model says is no question; the questions that it would have asked are put in its place.
        rows = [{"src": "asked", "article": row["article"], "text": row["text"], "held": False, "qas": [{"id": "1", "q": "who?", "a": [], "all": False}]}
                for row in rows]
        with lzma.open(asked, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)
        reader = ["--data", data, "--base", CARRY / "small", "--tokens", 2048, "--epochs", 1, "--made", 0, "--eval-limit", 20, "--quick"]
        run("train_reader", *reader, "--max-steps", 2, "--out", ROOT / "out/teacher")
        said = run("train_reader", *reader, "--max-steps", 3, "--teachers", ROOT / "out/teacher", "--asked-file", asked, "--out", ROOT / "out/taught")
        self.assertIn(f"{len(rows)} asked", said)
        taught = ROOT / "taught.jsonl.xz"
        run("train_large_reader", "--base", large_base(), "--tokenizer", CARRY / "small", "--data", data, "--asked-file", asked,
            "--leave-out", "Article A", "--max-steps", 2, "--seconds", 60, "--tokens", 2048, "--out", taught)
        said = read_lines(taught)
        self.assertLessEqual({"text", "q", "p", "starts", "ends"}, set(said[0]))
        texts = {hashlib.sha1(row["text"].encode()).hexdigest()[:16]: row["text"] for row in read_lines(data) + read_lines(asked)}
        for line in said:
            places = [at for at, _ in line["starts"] + line["ends"]]
            self.assertTrue(all(0 <= at <= len(texts[line["text"]]) for at in places), line)
            self.assertTrue(0 <= line["p"] <= 1 and all(sum(p for _, p in line[key]) <= 1.01 for key in ("starts", "ends")), line)
        self.assertTrue(any(line["starts"] and line["ends"] for line in said))
        for teachers in ([], ["--teachers", ROOT / "out/teacher"]):
            run("train_reader", *reader, "--max-steps", 3, *teachers, "--asked-file", asked, "--taught", taught, "--out", ROOT / "out/taught-before")

    def test_judge_and_encoder(self):
        with mock.patch("prepare_judge.KNOWN_TITLES", 30), mock.patch("prepare_judge.OTHER_TITLES", 20):
            texts, knowledge = small_world.judge_inputs(), self.knowledge()
            self.judge(texts, knowledge)
            self.encoder(texts, knowledge)

    def knowledge(self):
        """What `knowledge_texts` would write of the titles that the script asks for, and queries made from the base."""
        titles = ROOT / "titles.txt"
        run("prepare_judge", "--shared", SHARED, "--base-titles", titles)
        rows = [f"{title}\t{title}. painter of harbours, born in {small_world.town(n)}" for n, title in enumerate(titles.read_text().splitlines())]
        write_lines(ROOT / "knowledge.tsv", rows)
        run("prepare_judge", "--shared", SHARED, "--base-texts", ROOT / "knowledge.tsv", "--out", CARRY / "base-texts.tsv.xz")
        run("prepare_judge", "--shared", SHARED, "--base-queries", 20, "--out", CARRY / "base-queries.json.xz")
        return ROOT / "knowledge.tsv"

    def judge(self, texts, _):
        data, pairs = ROOT / "judge.json.xz", ROOT / "judge-pairs.jsonl"
        run("prepare_judge", "--shared", SHARED, "--texts", *texts, "--out", data, "--calibration", pairs)
        groups = read_lines(data)[0]
        self.assertEqual({group["source"] for group in groups}, {"page-found", "page-given", "list-found", "list-given", "pool-squad1", "pool-kb"})
        shared = ["--data", data, "--queries", 2, "--passes", 0.05, "--workers", 0]
        run("train_judge", *shared, "--base", CARRY / "large", "--tokenizer", CARRY / "small", "--out", ROOT / "out/large-judge")
        self.large_judge(pairs)
        neighbours = ["--base-texts", CARRY / "base-texts.tsv.xz", "--base-queries", CARRY / "base-queries.json.xz", "--retriever", CARRY / "large"]
        run("train_judge", *shared, "--base", CARRY / "small", "--large-base", large_base(), "--large-compiled", "--large-queries", 2, "--again", 2, "--with-before", "--within", 120, *neighbours,
            "--out", ROOT / "out/judge-of-language-model")
        run("train_judge", *shared, "--base", CARRY / "small", "--teacher", ROOT / "out/large-judge", *neighbours, "--out", ROOT / "out/judge")
        self.assertTrue(read_lines(ROOT / "out/judge/scores.json.xz")[0])
        self.mix_weights(joined(ROOT / "out/judge"), joined(ROOT / "out/judge-of-language-model"))
        self.export("judge", pairs)

    def mix_weights(self, one, other):
        """Each mixed weight is the mean of the two."""
        run("mix_weights", one, other, ROOT / "out/mixed.safetensors")
        mixed, name = load_file(ROOT / "out/mixed.safetensors"), "judge.weight"
        np.testing.assert_allclose(mixed[name], (load_file(one)[name].float() + load_file(other)[name].float()) / 2, atol=1e-6)

    def large_judge(self, pairs):
        """The large judge as a graph, in float and in int8, says what its weights say."""
        trained = ROOT / "out/large-judge"
        for name, chosen in (("float", ["--float"]), ("int8", ["--calibrate", pairs])):
            folder = ROOT / "exported" / f"large-judge-{name}"
            run("export", joined(trained), trained / "meta.json", MODELS / "tokenizer.json", folder, *chosen)
            session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
            ids = np.array([[101, 2000, 102, 2001, 2002, 2003, 102, 0], [101, 2000, 2001, 102, 2004, 102, 0, 0]])
            lengths = np.array([7, 6])
            mask = (np.arange(ids.shape[1])[None] < lengths[:, None]).astype(np.int64)
            said = session.run(["verdict"], {"input_ids": ids, "attention_mask": mask, "token_type_ids": 0 * mask})[0].ravel()
            judge = Judge(trained / "trunk").eval()
            judge.head.load_state_dict(torch.load(trained / "head.pt"))
            with torch.no_grad():
                expected = judge(torch.tensor(ids), torch.tensor([3, 4]), torch.tensor(lengths)).numpy()
            np.testing.assert_allclose(said, expected, atol=0.02 if name == "float" else 0.2)

    def encoder(self, texts, knowledge):
        data, calibration, titles = ROOT / "encoder.json.xz", ROOT / "encoder-texts.jsonl", ROOT / "encoder-titles.txt"
        run("prepare_encoder", "--shared", SHARED, "--texts", *texts, "--titles", titles)
        self.assertIn(small_world.person(0), titles.read_text().splitlines())
        run("prepare_encoder", "--shared", SHARED, "--texts", *texts, "--knowledge", knowledge, "--out", data, "--calibration", calibration)
        with mock.patch("encoder_groups.QUESTIONS", 4), mock.patch("encoder_groups.REWORDINGS", 4):
            run("train_encoder", "--data", data, "--base", CARRY / "small", "--teacher", CARRY / "judge-again", "--base-queries",
                CARRY / "base-queries.json.xz", "--queries", 2, "--steps", 2, "--workers", 0, "--out", ROOT / "out/encoder")
        folder = self.export("encoder", calibration)
        session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
        ids = np.array([[101, 2000, 2001, 102]])
        self.assertEqual(session.run(["vectors"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0].shape, (1, WIDTH))


class Shipped(unittest.TestCase):
    def test_bench_answers_on_request(self):
        command = [sys.executable, small_world.TRAINING / "bench_onnxruntime.py", MODELS / "encoder/model.onnx", "1"]
        answered = subprocess.run(command, input="1 8 1\n", capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual([len(line.split()) for line in answered], [2, 2])

    def test_what_ships_still_says_what_the_fixtures_have(self):
        """The shipped models, so this also notices a model that was changed without its fixtures."""
        out = ROOT / "parity.json"
        run("fixtures", MODELS, out)
        kept = json.loads(Path(MODELS.parent / "crates/findall-models/tests/fixtures/parity.json").read_text(encoding="utf-8"))
        made = json.loads(out.read_text(encoding="utf-8"))
        self.assertEqual(made["tokens"], kept["tokens"])
        for ours, theirs in zip(made["vectors"], kept["vectors"], strict=True):
            self.assertGreater(float(np.dot(ours["vector"], theirs["vector"])), 0.99)
        self.assertEqual([[m["span"] for m in row["mentions"]] for row in made["mentions"]], [[m["span"] for m in row["mentions"]] for row in kept["mentions"]])


if __name__ == "__main__":
    unittest.main()
