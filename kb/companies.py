"""Names of companies as a stock exchange writes them, and as people do.

The company list gives some companies several times, once for each paper of theirs: "RECRO PHARMA DL-,01", "Ambipar Class A
Ordinary Shares". Its text begins with the company's own name ("Recro Pharma, Inc. is …"), which is what is kept.
"""
import re
import unicodedata

# What only an exchange writes behind a name: the value of a share ("DL-,01", "EO 2,50", "O.N."), its class, what paper it is.
MARK = re.compile(
    r"[ .,]*(?:\(?\bO\. ?N\.|\b(?:N\.|A |B )?(?:DL|EO|LS|SF|SK|DK|NK|YN|HD|RC|ZY|IS|TN|CD|SD|RP|BA|UF|TL)[ ./-]*[-\d,]*\d|\bNAM\. |\bINH\b|"
    r"\b(?:Class|Series|CLASS) [A-C]\b|\b(?:American )?Depositary\b|\bOrdinary Shares?\b|\bCommon (?:Stock|Shares?)\b|\bORD(?: SHS)?$|"
    r"\b(?:PFD|VZ|SPONS\.?|SPON\.?)? ?\bAD[RS]s?\b).*$"
)
LEGAL_FORMS = set(
    "ab ag as asa berhad bhd bv co corp gmbh inc incorporated jsc kg kgaa kk limited llc llp lp ltd nv oao oyj pjsc plc pte pty sa sab "
    "sarl sas se spa srl tbk publ".split()
)
JOINING_WORDS = set("& + - and de del der des di do du e el et for für i la le of og the und van von y".split())
COMPANY = re.compile(r"\b(?:compan(?:y|ies)|corporation|manufacturer|bank|insurer|conglomerate|retailer|airline|group|firm|brewery|utility|"
                     r"provider|marketplace|stock exchange|producer|developer|operator|business|trust|maker|chain)\b")  # fmt: skip


def plain(word):
    letters = unicodedata.normalize("NFKD", word)
    return "".join(c for c in letters if c.isalnum()).lower()


def is_exchange_name(title):
    return MARK.search(title) is not None


def without_legal_form(name):
    words = name.replace(",", " ").split()
    while len(words) > 1 and (plain(words[-1]) in LEGAL_FORMS or words[-1].lower() in JOINING_WORDS):
        words.pop()
    return " ".join(words)


def own_name(text):
    """The name that a text about a company begins with: its words up to the first that is no part of a name."""
    words = []
    for word in text.split()[:10]:
        if word.startswith("(") or not (word[:1].isupper() or word[:1].isdigit() or word.lower() in JOINING_WORDS or plain(word) in LEGAL_FORMS):
            break
        words.append(word.rstrip(","))
        if word.endswith(",") and plain(word) in LEGAL_FORMS or word.endswith(":"):
            break
    while words and words[-1].lower() in JOINING_WORDS:
        words.pop()
    return " ".join(words).rstrip(":,")


def company_title(title, text):
    """The name of a company for its title in the list, or None where its text does not tell."""
    name = own_name(text)
    if is_exchange_name(title):
        name = without_legal_form(MARK.sub("", name.removeprefix("The ")))
        first, own = plain(title.split()[0]), plain(name.split()[0]) if name else ""
        alike = len(first) > 1 and (own.startswith(first[:3]) or first.startswith(own[:3]) and len(own) > 2)
        shortened = "%" in name or name.isupper() and "." in name or MARK.match(title)
        return name if alike and not shortened else None
    if title.isupper() and len(title) > 4 and plain(name).startswith(plain(title)):
        # The text has the same words as people write them.
        words = name.split()[: len(title.split())]
        written = " ".join(words)
        if plain(written) == plain(title) and not written.isupper():
            return written
    return None


def is_company(row):
    """Whether a row of another source is about a company: it says so, or gives its legal form."""
    text = row.get("text", "")[:240]
    formed = any(plain(word) in LEGAL_FORMS for word in text[len(row["title"]) :].split()[:2])
    return "findb" in row["src"] or formed or COMPANY.search(f"{row.get('type', '')} {text}") is not None


class Directory:
    """The titles that other sources have, and which of them are companies, so that the list's rows find their own."""

    def __init__(self, rows, redirects):
        self.rows = {title_key(row["title"]): row for row in rows if row["src"] != ["findb"]}
        self.redirects = redirects

    def title_of(self, row):
        """The title under which a row of the company list is kept; None for a paper whose company it does not name."""
        title, text = company_title(row["title"], row.get("text", "")), row.get("text", "")
        if title is None and is_exchange_name(row["title"]):
            return None
        title = title or row["title"]
        known = self.rows.get(title_key(title))
        if known is None:
            return self.article_of(title) or title
        # A thing of which only the title is known may well be the company; one that is something else is not.
        if is_company(known) or not known.get("text") and not known.get("type"):
            return known["title"]
        return title if title_key(title) == title_key(row["title"]) else f"{title} (company)"

    def article_of(self, title):
        """The title of the company that a name redirects to, where the article itself has that name."""
        targets = self.redirects.get(title_key(title), ())
        known = self.rows.get(next(iter(targets))) if len(targets) == 1 else None
        if known is None or not is_company(known):
            return None
        named = plain(without_legal_form(title)) in plain(known.get("text", "")[:200])
        return known["title"] if named else None


def title_key(title):
    return re.sub(r"[\s_]+", " ", title).strip().lower()
