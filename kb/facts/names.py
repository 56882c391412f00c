"""How names and titles are compared: folded, without their parenthesis."""
import re
import unicodedata


def fold(name):
    """The form in which names meet, as `knowledge/fold.rs` makes it: no case, accents, punctuation, article."""
    text = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).lower()
    text = re.sub(r"['’‘ʻʼ`.\"“”\u00ad]", "", text).replace("&", " and ").replace("+", " plus ")
    text = text.replace("ß", "ss").replace("æ", "ae").replace("œ", "oe").replace("ø", "o").replace("ł", "l").replace("đ", "d")
    text = " ".join(re.sub(r"[\W_]+", " ", text).split())
    return re.sub(r"^(the|a|an) (?=..)", "", text)


def title_key(title):
    """The form in which the build takes two titles for one, as in `knowledge/fold.rs`."""
    text = "".join(c for c in unicodedata.normalize("NFKD", title) if not unicodedata.combining(c))
    return " ".join(re.sub(r"[’‘`]", "'", re.sub(r"[–—‐‑−]", "-", text.replace("_", " "))).lower().split())


def split_title(title):
    """A title without its parenthesis, and what stands in it."""
    match = re.fullmatch(r"(.+?) \(([^()]*)\)", title)
    return (match[1], match[2]) if match else (title, "")


def spelling(name):
    """A folded name in the form that its other spellings share: no "Sir", "Saint" for "St", initials together, "Lake X" for "X Lake"."""
    words = name.split()
    if len(words) > 2 and words[0] in ("sir", "dame"):
        words = words[1:]
    words = [{"st": "saint", "mt": "mount"}.get(word, word) if at == 0 else word for at, word in enumerate(words)]
    if len(words) > 1 and words[-1] in ("lake", "mount", "river"):
        words = [words[-1], *words[:-1]]
    joined = []
    for word in words:
        if len(word) == 1 and joined and joined[-1][1]:
            joined[-1] = (joined[-1][0] + word, True)
        else:
            joined.append((word, len(word) == 1))
    return " ".join(word for word, _ in joined)


def is_latin(name):
    return all(ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 or 0x2010 <= ord(c) <= 0x2030 for c in name)
