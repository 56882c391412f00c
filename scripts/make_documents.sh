#!/usr/bin/env bash
# Makes documents in many ways, for scripts/try_documents.sh: every way whose program is installed, the others are named.
#
#   scripts/make_documents.sh DIR
#
# Uses pdfLaTeX, XeLaTeX, LibreOffice, Chromium, Ghostscript, groff, matplotlib, reportlab, WeasyPrint, qpdf and pandoc.
set -uo pipefail

folder=${1:?usage: scripts/make_documents.sh DIR}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=${PYTHON:-python3}
cd "$work" || exit 2

has() {
  command -v "$1" > /dev/null || { echo "without $1" >&2; return 1; }
}

words='The officers of the first fleet shuffled off the cliff in different waves of baffling traffic. A coffee, a waffle and a
truffle were affordable; the efficient staff filed five official affidavits. Fjord and flute, finance and flux: the final
reflection of a difficult effort. Caf\303\251 owners in M\303\274nchen, \305\201\303\263d\305\272 and \303\205rhus sell cr\303\250me br\303\273l\303\251e.'
words=$(printf "$words")
more='Lighthouse keepers kept careful journals through the winter storms. Every evening somebody climbed the narrow stairs
with a lamp, counted the passing ships, and wrote their names into the ledger before the oil ran low again.'
cyrillic='Старый смотритель маяка каждый вечер записывал названия проходящих кораблей в толстую тетрадь.'
greek='Ο γέρος φαροφύλακας έγραφε κάθε βράδυ τα ονόματα των πλοίων που περνούσαν.'
japanese='灯台守は毎晩通り過ぎる船の名前を日誌に書き留めた。冬の嵐の間も灯火は消えなかった。'
chinese='灯塔看守人每天晚上都把经过的船只名字记在日志里。冬天的风暴中灯火从未熄灭。'

cat > page.html << HTML
<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Lighthouse</title><h1>The lighthouse ledger</h1>
<p>$words</p><p>$more</p><p>$cyrillic</p><p>$greek</p><p lang="ja">$japanese</p><p lang="zh">$chinese</p>
<table><tr><th>Ship</th><th>Harbour</th></tr><tr><td>Northern Star of Bergen</td><td>Arrived on a Tuesday</td></tr></table></html>
HTML
pandoc -f html -t markdown page.html -o page.md 2> /dev/null

latex() { # name, preamble, text
  printf '\\documentclass{article}\n%s\n\\begin{document}\n\\section{Lighthouse finances}\n%s\n\n%s\n\\end{document}\n' "$2" "$3" "$more" > "$1.tex"
}
if has pdflatex; then
  latex pdflatex-default '\usepackage[utf8]{inputenc}' "${words/Ł*rhus/Aarhus}"
  latex pdflatex-type3 '\usepackage[utf8]{inputenc}\pdfmapfile{}' "${words/Ł*rhus/Aarhus}"
  latex pdflatex-t1 '\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}' "${words/Ł*rhus/Aarhus}"
  latex pdflatex-times '\usepackage[utf8]{inputenc}\usepackage{times}' "${words/Ł*rhus/Aarhus}"
  for name in pdflatex-default pdflatex-type3 pdflatex-t1 pdflatex-times; do
    pdflatex -interaction=batchmode "$name.tex" > /dev/null 2>&1 && cp "$name.pdf" "$folder/"
  done
  cp pdflatex-default.tex "$folder/source.tex"
fi
if has xelatex; then
  latex xelatex '\usepackage{fontspec}\setmainfont{DejaVu Serif}' "$words $cyrillic $greek"
  xelatex -interaction=batchmode xelatex.tex > /dev/null 2>&1 && cp xelatex.pdf "$folder/"
  latex xelatex-cjk '\usepackage{fontspec}\setmainfont{Noto Serif CJK JP}' "$japanese"
  xelatex -interaction=batchmode xelatex-cjk.tex > /dev/null 2>&1 && cp xelatex-cjk.pdf "$folder/"
fi
if has typst; then
  printf '%s\n\n%s\n\n%s' "$words" "$more" "$japanese" > typst.typ
  typst compile typst.typ "$folder/typst.pdf"
fi
if has pandoc; then
  for kind in docx odt epub rtf ipynb fb2 pptx; do
    pandoc page.md -s -o "$folder/pandoc.$kind" 2> /dev/null || echo "pandoc writes no $kind" >&2
  done
fi
if has soffice; then
  convert() { soffice -env:UserInstallation="file://$work/profile" --headless --convert-to "$1" --outdir "$2" "$3" > /dev/null 2>&1; }
  printf 'Ship,Harbour,Arrived\n"Northern Star of Bergen",Aberdeen in Scotland,2024-05-01\nSouthern Cross of Genoa,Lisbon in Portugal,2023-11-30\n' > ships.csv
  mkdir -p office
  convert docx office page.html; convert odt office page.html; convert xlsx office ships.csv; convert ods office ships.csv
  [ -f "$folder/pandoc.pptx" ] && convert odp office "$folder/pandoc.pptx"
  for made in office/*; do cp "$made" "$folder/libreoffice.${made##*.}"; done
  convert pdf office "$folder/pandoc.docx" && cp office/pandoc.pdf "$folder/libreoffice-word.pdf"
  convert pdf office ships.csv && cp office/ships.pdf "$folder/libreoffice-sheet.pdf"
  [ -f office/pandoc.odp ] && convert pdf office office/pandoc.odp && cp office/pandoc.pdf "$folder/libreoffice-slides.pdf"
  cp ships.csv "$folder/"
fi
if has chromium; then
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/chromium" \
    --print-to-pdf="$folder/chromium.pdf" "file://$work/page.html" > /dev/null 2>&1
fi
if has weasyprint; then weasyprint page.html "$folder/weasyprint.pdf" > /dev/null 2>&1; fi
if has groff; then
  printf '.SH\nLighthouse\n.PP\n%s\n' "$more" | groff -ms -Tps > groff.ps 2> /dev/null
  printf '.SH\nLighthouse\n.PP\n%s\n' "$more" | groff -ms -Tpdf > "$folder/groff.pdf" 2> /dev/null
fi
if has gs; then
  [ -f groff.ps ] && gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -o "$folder/ghostscript-from-ps.pdf" groff.ps
  for made in pdflatex-default xelatex chromium libreoffice-word; do
    [ -f "$folder/$made.pdf" ] && gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -o "$folder/ghostscript-$made.pdf" "$folder/$made.pdf" 2> /dev/null
  done
  # A picture of a page: nothing to read, and that must be said.
  if [ -f "$folder/pdflatex-default.pdf" ]; then
    gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfimage24 -r100 -o "$folder/scanned.pdf" "$folder/pdflatex-default.pdf"
  fi
fi
if has qpdf && [ -f "$folder/pdflatex-default.pdf" ]; then
  from="$folder/pdflatex-default.pdf"
  qpdf --encrypt "" owner 256 -- "$from" "$folder/encrypted-aes256.pdf"
  qpdf --encrypt "" owner 128 --use-aes=y -- "$from" "$folder/encrypted-aes128.pdf"
  qpdf --allow-weak-crypto --encrypt "" owner 40 -- "$from" "$folder/encrypted-rc4.pdf"
  qpdf --encrypt "" owner 256 -- --object-streams=generate "$from" "$folder/encrypted-object-streams.pdf" 2> /dev/null
  qpdf --object-streams=generate "$from" "$folder/object-streams.pdf"
  qpdf --qdf "$from" "$folder/uncompressed.pdf"
  qpdf --linearize "$from" "$folder/linearized.pdf"
fi
"$python" - "$folder" "$words" "$more" "$japanese" "$chinese" << 'PYTHON'
import sys
folder, words, more, japanese, chinese = sys.argv[1:]
try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot
    for kind in (3, 42):
        matplotlib.rcParams["pdf.fonttype"] = kind
        figure = plot.figure()
        for at, line in enumerate(more.splitlines()):
            figure.text(0.02, 0.8 - 0.1 * at, line, fontsize=7)
        figure.savefig(f"{folder}/matplotlib-type{kind}.pdf")
except ImportError:
    print("without matplotlib", file=sys.stderr)
try:
    from reportlab.pdfgen import canvas
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import CIDFont, UnicodeCIDFont
    page = canvas.Canvas(f"{folder}/reportlab.pdf")
    for at, line in enumerate(more.splitlines()):
        page.setFont(["Helvetica", "Times-Roman", "Courier"][at % 3], 9)
        page.drawString(50, 700 - 20 * at, line)
    page.save()
    page = canvas.Canvas(f"{folder}/reportlab-cjk.pdf")
    for at, (name, text) in enumerate([("HeiseiMin-W3", japanese), ("STSong-Light", chinese)]):
        pdfmetrics.registerFont(UnicodeCIDFont(name))
        page.setFont(name, 10)
        page.drawString(50, 700 - 30 * at, text)
    page.save()
    page = canvas.Canvas(f"{folder}/reportlab-shift-jis.pdf")
    for at, (face, encoding, codec, text) in enumerate([
            ("HeiseiMin-W3", "90ms-RKSJ-H", "cp932", japanese), ("STSong-Light", "GBK-EUC-H", "gbk", chinese)]):
        pdfmetrics.registerFont(CIDFont(face, encoding))
        page.setFont(f"{face}-{encoding}", 10)
        # reportlab wants Unicode; the bytes of the encoding go in as they are.
        codes = text.encode(codec).hex()
        page._code.append(f"BT 1 0 0 1 50 {700 - 30 * at} Tm {page._doc.getInternalFontName(page._fontname)} 10 Tf <{codes}> Tj ET")
    page.save()
    page = canvas.Canvas(f"{folder}/reportlab-form.pdf")
    page.drawString(50, 740, "Please fill in this form")
    page.acroForm.textfield(name="harbour", value="Harbour of the Northern Star", x=50, y=680, width=300, height=30)
    page.save()
except ImportError:
    print("without reportlab", file=sys.stderr)
PYTHON
ls "$folder" | wc -l
