"""Questions made from text: a name, number or noun phrase is taken out of a sentence, and the rest asks for it.

Enters the output of `wiki_spacy.py` (Wikipedia openings). After Lewis et al. 2019 (unsupervised QA by cloze) and Ram et
al. 2021 (recurring spans): where the answer stands in another sentence too, the asking sentence is sometimes taken out
of the passage, so that words in common do not give the answer away; where it does not, the passage no longer answers.
"""
import json
import lzma
import random

from .questions import Passage, Question, occurrences

ASK = {"PERSON": ["who", "who", "which person"], "GPE": ["where", "what place", "which country", "which city"], "LOC": ["where", "what place"],
       "FAC": ["where", "what building"], "DATE": ["when", "when", "what year", "in what year"], "TIME": ["when", "at what time"],
       "CARDINAL": ["how many", "what number of"], "QUANTITY": ["how much", "how large"], "MONEY": ["how much", "how much money"],
       "PERCENT": ["what percentage", "how much"], "NORP": ["what nationality", "which group", "what"], "ORG": ["what", "which organization", "what company"],
       "ORDINAL": ["which"], "EVENT": ["what event", "what"], "WORK_OF_ART": ["what", "what work"], "LANGUAGE": ["what language"]}
PRONOUNS = set("it he she they i we you this that which who its his her their these those there what one".split())


def examples(path, limit, each=3, seed=11):
    rng = random.Random(seed)
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for index, line in enumerate(lines):
            if index == limit:
                return
            row = json.loads(line)
            yield from passages(row, index, each, rng)


def passages(row, index, each, rng):
    text = row["text"]
    whole = Passage("cloze", row["title"], text)
    answers = [(s, e, label) for s, e, label in row["ents"]] * 2
    answers += [(s, e, "") for s, e in row["chunks"] if text[s:e].lower() not in PRONOUNS and e - s < 60]
    rng.shuffle(answers)
    used = set()
    for start, end, label in answers:
        sentence = next((s for s in row["sents"] if s[0] <= start and end <= s[1]), None)
        surface = text[start:end]
        if sentence is None or surface in used or tuple(sentence) in used or not 40 <= sentence[1] - sentence[0] <= 320:
            continue
        if surface.lower().startswith(("the ", "a ", "an ")):
            start += surface.index(" ") + 1
            surface = text[start:end]
        used |= {surface, tuple(sentence)}
        asked = question(text[sentence[0]:start], text[end:sentence[1]], label, rng)
        identity = f"cloze-{index}-{len(used)}"
        rest = text[:sentence[0]] + text[sentence[1]:].lstrip()
        if rng.random() < 0.35 and len(rest) > 150:
            places = occurrences(rest, surface)
            yield Passage("cloze", row["title"], rest, [Question(identity, asked, [places] if places else [])])
        else:
            whole.questions.append(Question(identity, asked, [[[start, end]]]))
        if len(used) >= 2 * each:
            break
    if whole.questions:
        yield whole


def question(left, right, label, rng):
    """The sentence around the answer as a question: a subject's sentence reads on, others put the asked part first."""
    ask = rng.choice(ASK.get(label, ["what", "what", "which", "what is"]))
    left, right = left.split()[-12:], right.rstrip(" .").split()[:14]
    if len(left) <= 1 or (rng.random() < 0.25):
        words = [*left, ask, *right] if len(left) > 1 else [ask, *right]
    else:
        words = [ask, *right[:6], *left] if rng.random() < 0.3 else [ask, *left, *right[:5]]
    words = [w for w in words if rng.random() > 0.12 or w in ask]
    return " ".join(words).replace(" ,", ",").strip(" ,;:") + "?"
