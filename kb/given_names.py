"""Which given names are women's and which are men's: counted in the texts about people that the base's sources have.

    python3 kb/given_names.py ../shared/kb/entities.jsonl.xz

Rewrites the lists [name woman] and [name man] of crates/findall/src/find/gender.txt, by which a query for women or men is told who is one.
"""
import collections
import json
import lzma
import re
import sys
import textwrap
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "crates/findall/src"
# People of one name that a text must tell of, and how many of them in a hundred must be of one gender.
MIN_PEOPLE, MIN_PERCENT = 3, 95
MIN_LETTERS = 3
# A text says she or he if it says so at least three times as often as the other.
CLEARLY = 3
LIFE_DATES = re.compile(r"\((?:[^)]{0,80}?)(?:born|b\.|\d{3,4}\s*[–-]|[–-]\s*\d{3,4})")
IS_SOMEBODY = re.compile(r"\b(is|was) (a|an|the|one)\b")
SHE = re.compile(r"\b(she|her|hers|herself|actress|businesswoman|sportswoman|spokeswoman|heroine|princess|queen|duchess)\b", re.IGNORECASE)
HE = re.compile(r"\b(he|his|him|himself|businessman|sportsman|spokesman|prince|king|duke)\b", re.IGNORECASE)
PARTICLES = set("al bin da de del der di dos el ibn la of van von".split())
# Family names that stand first, and what else stands before a name.
FAMILY_NAMES = set(
    "ahn an bae baek bai bui cai cao chan chang cheng cheung chiang chen cho choi chou chow chu chung cui dai dang deng ding do dong du duong fang "
    "feng fung fu gao gu guo ha han hao he heo ho hoang hong hou hsu hu huang hung hwang jang jeon jeong jia jiang jin jung kang kim ko kong kuo "
    "kwak kwon lam lau le lee lei leung li liang liao lim lin liu lo long lu luo ly lü ma mao meng min mo moon nam ng ngo nguyen noh oh pan park "
    "peng pham phan qian qin ren seo shen shi shih shin siu son song su sun tam tan tang tao tian tran tsai tsang tse tseng vu wan wang wei wen "
    "wong wu xiao xie xu yan yang yao ye yeh yip yoo yoon yu yuan zeng zhang zhao zheng zhong zhou zhu".split()
)
NO_NAMES = set(
    "admiral aunt ayatollah baby baron big bishop black brother captain cardinal colonel count doc doctor dr duke emperor empress father general "
    "hms hot imam iron judge king lady lil little lord mad major master miss mother mr mrs ms old pope president prince princess prof professor "
    "queen rev reverend rms saint sheikh sir sister sri super swami the tiny uncle uss wild young".split()
)


def given_name(title, text):
    """The given name of the person that a row is about, in small letters; None where it is about nobody, or none is told."""
    words = title.split(" (")[0].split()
    if not 2 <= len(words) <= 4 or "," in title or " of " in title or not LIFE_DATES.search(text[:250]) or not IS_SOMEBODY.search(text[:400]):
        return None
    if not all(word[0].isupper() or word in PARTICLES for word in words):
        return None
    name = words[0].strip(".").lower()
    return name if len(name) >= MIN_LETTERS and name.isalpha() and name not in FAMILY_NAMES and name not in NO_NAMES else None


def is_woman(text):
    """True for a she, False for a he, None where the text does not say clearly."""
    she, he = len(SHE.findall(text)), len(HE.findall(text))
    if she == he or min(she, he) * CLEARLY > max(she, he):
        return None
    return she > he


def count(rows):
    women, men = collections.Counter(), collections.Counter()
    for row in rows:
        text = row.get("text") or ""
        name = given_name(row["title"], text)
        if name and (woman := is_woman(text)) is not None:
            (women if woman else men)[name] += 1
    return women, men


def mostly(own, other):
    """The names that are nearly always of the first kind."""
    return {name for name, n in own.items() if n + other[name] >= MIN_PEOPLE and 100 * n >= MIN_PERCENT * (n + other[name])}


def listed(text, *names):
    """The words of these lists of a file of word lists."""
    lists = dict(re.findall(r"^\[([^\]]+)\].*\n((?:[^\[\n].*\n|\n)*)", text, re.MULTILINE))
    return {word for name in names for word in lists[name].split()}


def rewritten(text, women, men):
    """A file of word lists with these two lists in place of its own, which come last."""
    def block(names):
        return textwrap.fill(" ".join(sorted(names)), 118, break_long_words=False, break_on_hyphens=False)
    return f"{text[:text.index('[name woman]')]}[name woman]\n{block(women)}\n[name man]\n{block(men)}\n"


def main():
    with lzma.open(sys.argv[1], "rt", encoding="utf-8") as lines:
        women, men = count(map(json.loads, lines))
    known = listed((SOURCES / "names/words.txt").read_text(encoding="utf-8"), "female", "male")
    path = SOURCES / "find/gender.txt"
    path.write_text(rewritten(path.read_text(encoding="utf-8"), mostly(women, men) - known, mostly(men, women) - known), encoding="utf-8")


if __name__ == "__main__":
    main()
