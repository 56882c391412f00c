"""Questions that a passage almost answers, made from questions that it does answer.

Enters: passages with their questions and spaCy's tags and names of both. Leaves: for each question a few texts that the
same passage does not answer (`near`), where it would be looked for in vain (`far`), and edited copies of passages: some
in which the question's answer is no longer said, some in which a name is another in question and passage alike, so that
all stays as true as it was (else a strange name would give the made-up questions away).

The kinds follow what people did when they wrote SQuAD 2.0's unanswerable questions (Rajpurkar et al. 2018, table 2):
another name or number, an opposite word, a negation, a thing of the same sort, another thing of the passage.
Everything is drawn with one seed.
"""
import math
import random
import re
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path

from . import wordnet
from .questions import Passage, Question

GROUPS = {"PERSON": "person", "NORP": "group", "LANGUAGE": "group", "GPE": "place", "LOC": "place", "FAC": "place", "ORG": "body", "PRODUCT": "thing",
          "WORK_OF_ART": "thing", "LAW": "thing", "EVENT": "event", "DATE": "date", "TIME": "time", "CARDINAL": "number", "QUANTITY": "quantity",
          "PERCENT": "percent", "MONEY": "money", "ORDINAL": "ordinal"}
YEAR = re.compile(r"\b(1[0-9]{3}|20[0-2][0-9])\b")
AUXILIARY = re.compile(r"\b(is|was|are|were|did|does|do|can|could|has|have|had|will|would|should|may|might)\b")
QUESTION_WORD = re.compile(r"\b(what|which|who|how|whose)\b", re.I)
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])")
WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")
# Words that hardly tell what a question is about.
VAGUE = set("name type kind number amount word term thing way part people person year time what which who many much".split())


class ParsedText:
    """A text as spaCy reads it: `names` are (surface, group), `words` are (start, end, tag)."""

    def __init__(self, doc):
        self.names = [(e.start_char, e.end_char, GROUPS[e.label_]) for e in doc.ents if e.label_ in GROUPS]
        self.words = [(t.idx, t.idx + len(t), t.tag_) for t in doc]


def read_all(nlp, texts):
    return [ParsedText(doc) for doc in nlp.pipe(texts, batch_size=128)]


def clean(name):
    """Without a leading article or a possessive."""
    return re.sub(r"^(the|The|a|an) |['’]s$", "", name).strip()


def like(name, model):
    """`name` in the letter case of `model` where that says anything."""
    return name[0].upper() + name[1:] if model[:1].isupper() else name


@lru_cache(maxsize=1)
def opposites():
    """Word → its opposites: an own list of common pairs, then WordNet's antonyms in the same regular form."""
    table = defaultdict(set)
    for line in (Path(__file__).parent / "opposites.txt").read_text().splitlines():
        a, b = line.split()
        table[a].add(b)
        table[b].add(a)
    own = set(table)
    for a, b, kind in wordnet.antonyms():
        forms = [lambda w: w] if kind != "verb" else [lambda w: w, third_person, past, gerund]
        for form in forms:
            if form(a) not in own:
                table[form(a)].add(form(b))
    return table


def third_person(verb):
    return verb + "es" if verb.endswith(("s", "x", "ch", "sh")) else verb + "s"


def past(verb):
    return verb + "d" if verb.endswith("e") else verb[:-1] + "ied" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else verb + "ed"


def gerund(verb):
    return verb[:-1] + "ing" if verb.endswith("e") else verb + "ing"


class Maker:
    """Makes near misses; knows every passage's names by article and the words that texts really use."""

    def __init__(self, passages, reads, question_reads, seed=13):
        self.rng = random.Random(seed)
        self.passages, self.reads, self.question_reads = passages, reads, question_reads
        self.by_article, self.article_names, self.all_names = defaultdict(list), defaultdict(lambda: defaultdict(list)), defaultdict(list)
        self.vocabulary = Counter()
        for index, (passage, read) in enumerate(zip(passages, reads)):
            self.by_article[passage.source, passage.article].append(index)
            self.vocabulary.update(w.lower() for w in WORD.findall(passage.text))
            for start, end, group in read.names:
                name = clean(passage.text[start:end])
                if len(name) > 1:
                    self.article_names[passage.source, passage.article][group].append(name)
                    self.all_names[group].append(name)

    def other_name(self, index, name, group, taken, distant=False):
        """Another name of the same sort: mostly from the passage, else from its article (or, `distant`, from anywhere)."""
        passage = self.passages[index]
        here = [clean(passage.text[s:e]) for s, e, g in self.reads[index].names if g == group]
        article = self.article_names[passage.source, passage.article][group]
        pools = [self.all_names[group]] if distant else [here, article] if self.rng.random() < 0.75 else [article]
        low, taken = name.lower(), taken.lower()
        for pool in pools:
            fit = [c for c in dict.fromkeys(pool) if len(c) > 1 and c.lower() not in taken and low not in c.lower() and c.lower() not in low]
            if distant:
                fit = [c for c in fit if c.lower() not in passage.text.lower()]
            if fit:
                return self.rng.choice(fit)
        return None

    def other_word(self, word, tag):
        """An opposite, or a thing of the same sort, that texts use; None where there is none."""
        low = word.lower()
        fit = [w for w in sorted(opposites().get(low, ())) if self.vocabulary[w] >= 3 and not tag.startswith("NNP")]
        if fit:
            return "opposite", like(self.rng.choice(fit), word)
        if tag in ("NN", "NNS") and low not in VAGUE and len(low) > 2:
            plural = tag == "NNS" and low.endswith("s") and not low.endswith("ss")
            fit = [w + "s" if plural else w for w in wordnet.siblings(low[:-1] if plural else low)]
            fit = [w for w in fit if self.vocabulary[w] >= 12 and w != low]
            if fit:
                return "sibling", like(self.rng.choice(fit), word)
        return None

    def near(self, index, question, number):
        """Up to six `[kind, text]` that the passage does not answer, of as many kinds as there are."""
        text, read, passage = question.text, self.question_reads[number], self.passages[index]
        answers = " ".join(passage.text[s:e] for a in question.answers for s, e in a)
        made = defaultdict(list)
        for start, end, group in read.names:
            name = clean(text[start:end])
            if len(name) < 2 or name.lower() in answers.lower() or QUESTION_WORD.search(name):
                continue
            at = text.find(name, start)
            other = self.other_name(index, name, group, text + " " + answers)
            if other and at >= 0:
                made["name"].append(text[:at] + other + text[at + len(name):])
        for match in YEAR.finditer(text):
            years = [y for y in YEAR.findall(passage.text) if y not in text and y not in answers]
            other = self.rng.choice(years) if years and self.rng.random() < 0.7 else str(int(match[0]) + self.rng.choice((-30, -10, -4, -2, -1, 1, 2, 3, 7, 20)))
            made["name"].append(text[:match.start()] + other + text[match.end():])
        for start, end, tag in read.words:
            word = text[start:end]
            if start == 0 or not word.isalpha():
                continue
            found = self.other_word(word, tag)
            if found:
                made[found[0]].append(text[:start] + found[1] + text[end:])
        nouns = [(s, e, t) for s, e, t in read.words if t in ("NN", "NNS", "JJ", "VBD", "VBN") and text[s:e].lower() not in VAGUE and s > 0 and e - s > 3]
        if nouns:
            start, end, tag = self.rng.choice(nouns)
            pool = sorted({passage.text[s:e] for s, e, t in self.reads[index].words if t == tag and e - s > 3})
            pool = [w for w in pool if w.lower() not in text.lower() and w.lower() not in answers.lower() and w.isalpha()]
            if pool:
                made["word"].append(text[:start] + self.rng.choice(pool) + text[end:])
        found = AUXILIARY.search(text, 3)
        if found and "n't" not in text and " not " not in text:
            verb = found[0]
            short = {"can": "can't", "will": "won't"}.get(verb, verb + "n't")
            made["not"].append(text[:found.start()] + (short if verb not in ("may", "might") and self.rng.random() < 0.7 else verb + " not") + text[found.end():])
        weights = {"name": 4.0, "opposite": 3.0, "sibling": 2.0, "word": 1.2, "not": 0.5}
        chosen, left = [], {kind: sorted(set(texts)) for kind, texts in made.items()}
        while len(chosen) < 6 and (kinds := [kind for kind in weights if left.get(kind)]):
            kind = self.rng.choices(kinds, [weights[k] / (1 + sum(c[0] == k for c in chosen)) for k in kinds])[0]
            chosen.append([kind, left[kind].pop(self.rng.randrange(len(left[kind])))])
        return chosen

    def far(self, index, question, terms, frequency):
        """The two other passages of the article that share most with the question (BM25) without holding an answer."""
        passage = self.passages[index]
        answers = {passage.text[s:e].lower() for a in question.answers for s, e in a}
        others = self.by_article[passage.source, passage.article]
        asked = {w.lower() for w in WORD.findall(question.text)}
        length = sum(terms[i].total() for i in others) / len(others)

        def score(i):
            weight = terms[i].total() / length
            return sum(math.log(1 + len(self.passages) / frequency[w]) * terms[i][w] * 2.2 / (terms[i][w] + 1.2 * (0.25 + 0.75 * weight)) for w in asked if terms[i][w])
        best = sorted((i for i in others if i != index), key=lambda i: -score(i))[:6]
        return [i for i in best if not any(a in self.passages[i].text.lower() for a in answers)][:2]

    def unsaid(self, index, question, number):
        """A copy of the passage that no longer says the answer: its sentences gone, or about another name or word."""
        passage = self.passages[index]
        spans = [span for a in question.answers for span in a]
        bounds = sentences(passage.text)
        holding = [b for b in bounds if any(b[0] <= s < b[1] for s, _ in spans)]
        if not holding:
            return None
        draw, asked = self.rng.random(), question.text
        start, end = holding[0]
        if draw >= 0.3:
            sentence, answer_text = passage.text[start:end], " ".join(passage.text[s:e] for s, e in spans)
            names = [(s, e, g) for s, e, g in self.reads[index].names if start <= s < end and clean(passage.text[s:e]).lower() in asked.lower()
                     and clean(passage.text[s:e]).lower() not in answer_text.lower() and len(clean(passage.text[s:e])) > 2]
            self.rng.shuffle(names)
            for s, e, group in names:
                name = clean(passage.text[s:e])
                other = self.other_name(index, name, group, asked + " " + answer_text)
                if other:
                    return Passage("edited", passage.article, passage.text[:start] + sentence.replace(name, other) + passage.text[end:],
                                   [Question(question.id + "-unsaid-name", asked, [])])
            words = [(s, e, t) for s, e, t in self.reads[index].words if start <= s < end and not any(a <= s < b for a, b in spans)
                     and e - s > 3 and re.search(rf"\b{re.escape(passage.text[s:e])}\b", asked, re.I)]
            self.rng.shuffle(words)
            for s, e, tag in words:
                found = self.other_word(passage.text[s:e], tag)
                if found:
                    return Passage("edited", passage.article, passage.text[:s] + found[1] + passage.text[e:], [Question(question.id + "-unsaid-word", asked, [])])
        rest = "".join(passage.text[a:b] for a, b in bounds if (a, b) not in holding).strip()
        if len(rest) < 150 or any(passage.text[s:e].lower() in rest.lower() for s, e in spans):
            return None
        return Passage("edited", passage.article, rest, [Question(question.id + "-unsaid", asked, [])])

    def renamed(self, index, question, number):
        """Question and passage with one name changed in both; what was answered still is, what was not still is not."""
        passage, text = self.passages[index], question.text
        names = [(clean(text[s:e]), g) for s, e, g in self.question_reads[number].names]
        names = [(n, g) for n, g in names if len(n) > 2 and re.search(rf"\b{re.escape(n)}\b", passage.text)]
        self.rng.shuffle(names)
        for name, group in names:
            whole = re.compile(rf"\b{re.escape(name)}\b")
            places = [m.span() for m in whole.finditer(passage.text)]
            spans = [span for a in question.answers for span in a]
            if any(s < b and a < e for s, e in spans for a, b in places):
                continue
            other = self.other_name(index, name, group, text, distant=True)
            if not other:
                continue

            def moved(at):
                return at + (len(other) - len(name)) * sum(b <= at for _, b in places)
            answers = [[[moved(s), moved(e)] for s, e in a] for a in question.answers]
            copy = Passage("edited", passage.article, whole.sub(lambda _: other, passage.text))
            copy.questions = [Question(question.id + "-renamed", whole.sub(lambda _: other, text), answers, question.all)]
            return copy
        return None


def sentences(text):
    """Bounds of the sentences, each with the space after it."""
    cuts = [0] + [m.end() for m in SENTENCE_END.finditer(text)] + [len(text)]
    return [(a, b) for a, b in zip(cuts, cuts[1:]) if b > a]


def make(passages, nlp, seed=13):
    """Adds `near` and `far` (positions in `passages`) to the questions of `passages`; returns the edited copies."""
    reads = read_all(nlp, [p.text for p in passages])
    asked = [(index, question) for index, passage in enumerate(passages) for question in passage.questions]
    maker = Maker(passages, reads, read_all(nlp, [q.text for _, q in asked]), seed)
    terms = [Counter(w.lower() for w in WORD.findall(p.text)) for p in passages]
    frequency = Counter(w for t in terms for w in t)
    edited = []
    for number, (index, question) in enumerate(asked):
        if question.answers:
            question.near = maker.near(index, question, number)
            question.far = maker.far(index, question, terms, frequency)
            if maker.rng.random() < 0.5 and (copy := maker.unsaid(index, question, number)):
                edited.append(copy)
        if maker.rng.random() < (0.3 if question.answers else 0.8) and (copy := maker.renamed(index, question, number)):
            edited.append(copy)
    return edited
