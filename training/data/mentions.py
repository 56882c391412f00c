"""What a tagging example is, and the rules all tagging datasets share.

An example is a text with mention spans (character offsets, type index or -1 when the set does not say the type) and
ignored spans: stretches where the labels are silent and the loss must be too. Conventions are those of the engine: a
mention leaves out a leading "the" (unless it belongs to a title) and a trailing possessive.
"""
import hashlib
import io
import tarfile
from dataclasses import dataclass, field

TYPES = ["person", "organization", "place", "group", "work", "product", "event", "other"]
TYPE_ID = {name: index for index, name in enumerate(TYPES)}
UNKNOWN = -1


@dataclass
class Example:
    """One text with its labels. `doc` groups consecutive sentences of one document; only evaluation may see what is `held`."""
    source: str
    doc: str
    text: str
    spans: list = field(default_factory=list)
    ignore: list = field(default_factory=list)
    held: bool = False

    def row(self):
        """The compact form that is written to disk."""
        return {"src": self.source, "doc": self.doc, "text": self.text, "spans": self.spans, "ignore": self.ignore}


def trimmed(text, start, end, kind):
    """The span by the engine's conventions, or None when nothing is left of it."""
    while end > start and text[end - 1] in " ,;:'\"’“”":
        end -= 1
    while start < end and text[start] in " ,;:'\"‘“”@#":
        start += 1
    lowered = text[start:end].lower()
    for tail in (" 's", " ’s", "'s", "’s"):
        # "Levi's Stadium" keeps its apostrophe, "Stephan's" loses it; brand names in 's are rare enough to lose it too.
        if lowered.endswith(tail):
            end -= len(tail)
            break
    if kind != TYPE_ID["work"]:
        # Sets without a type for works call them "misc": there a capital article may open a title and stays.
        for article in ("the ", "a ", "an "):
            opening = text[start:end] if kind == UNKNOWN else text[start:end].lower()
            if opening.startswith(article):
                start += len(article)
                break
    return (start, end) if end > start else None


def held_out(text):
    """True for the tenth of the sentences that evaluation keeps; decided by the words alone, so copies stay together."""
    return hashlib.sha1(text.encode()).digest()[0] % 10 == 0


def from_tokens(source, doc, tokens, spans):
    """An example from tokens and token spans `(first, last + 1, type)`, joined by single blanks."""
    offsets, position = [], 0
    for token in tokens:
        offsets.append((position, position + len(token)))
        position += len(token) + 1
    text = " ".join(tokens)
    kept = []
    for first, last, kind in spans:
        span = trimmed(text, offsets[first][0], offsets[last - 1][1], kind)
        if span:
            kept.append([*span, kind])
    return Example(source, doc, text, kept)


def bio_spans(tags, kind_of):
    """Token spans of B-/I- tags (I without B opens a span, as in IOB1); `kind_of` maps the tag's name to a type."""
    spans, start, name = [], None, None
    for index, tag in enumerate([*tags, "O"]):
        prefix, _, tag_name = tag.partition("-")
        if start is not None and (prefix != "I" or tag_name != name):
            spans.append((start, index, kind_of(name)))
            start = None
        if prefix in "BI" and start is None:
            start, name = index, tag_name
    return spans


def conll_sentences(lines, separator=None):
    """Sentences as lists of columns from blank-line separated files."""
    sentence = []
    for line in lines:
        if line.strip():
            sentence.append(line.rstrip("\n").split(separator))
        elif sentence:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def archive_texts(path, wanted):
    """Names and texts of the files of a .tar.xz that `wanted(name)` accepts, in name order."""
    with tarfile.open(path, "r:xz") as archive:
        for member in sorted(archive.getmembers(), key=lambda m: m.name):
            if member.isfile() and wanted(member.name):
                yield member.name, io.TextIOWrapper(archive.extractfile(member), encoding="utf-8", errors="replace").read()
