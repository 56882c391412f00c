"""Writes the PDF seeds: small files that reach every part of the PDF reader."""
import pathlib
import zlib


def pdf(objects, trailer=""):
    out = b"%PDF-1.5\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer.encode(), start)
    return out


def stream(body, extra=b"", pack=False):
    if pack:
        body, extra = zlib.compress(body), extra + b"/Filter/FlateDecode"
    return b"<<%s/Length %d>>stream\n" % (extra, len(body)) + body + b"\nendstream"


HEAD = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 99 99]>>"]
simple = pdf(HEAD + [
    b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>",
    stream(b"q 1 0 0 1 9 9 cm BT /F 9 Tf 12 TL 1 Tc 2 Tw 90 Tz 1 Ts (One) Tj T* [(Tw) -300 (o)] TJ (x) ' 1 2 (y) \" ET Q /X Do"),
    b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/Widths[250 300]/Encoding<</Differences[65/f_f/uni0041.alt/eacute]>>>>",
    stream(b"BT /F 9 Tf 5 5 Td (A) Tj ET", b"/Type/XObject/Subtype/Form/Matrix[1 0 0 1 2 2]"),
    b"<</Title(Seed)>>",
], "/Info 7 0 R")
cmap = b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange\n" \
       b"1 beginbfrange <0001> <0003> <0041> endbfrange 1 beginbfchar <0004> <D83DDE00> endbfchar endcmap end"
wide = pdf(HEAD + [
    b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    stream(b"BT /F 9 Tf 0 1 -1 0 5 5 Tm <0001000200030004> Tj 0 -12 TD <0001> Tj ET", pack=True),
    b"<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[7 0 R]>>",
    stream(cmap, pack=True),
    b"<</Type/Font/Subtype/CIDFontType2/DW 900/W[1[500 600]3 4 700]>>",
])
folder = pathlib.Path(__file__).parent / "pdf"
folder.mkdir(exist_ok=True)
(folder / "simple.pdf").write_bytes(simple)
(folder / "wide.pdf").write_bytes(wide)
