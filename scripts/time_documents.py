"""Makes a long word list and a folder of 300 mixed files, and times findall on them; scripts/time_documents.sh calls it."""

import base64, email.message, gzip, io, json, os, pathlib, random, shutil, signal, subprocess, sys, time, zipfile

LIST_BYTES = 134_000
LIST_SECONDS, INDEX_SECONDS = 8, 180

PLAIN = """the of a to in was were had with from for by on at after before while because although other first last small large
old new long short early late open quiet several many few some report meeting letter ship harbour garden winter summer
morning evening engine bridge river mountain school paper window office market railway hospital library kitchen station
wrote carried opened closed counted painted measured repaired delivered described visited answered followed remembered
found lost built bought sold sent kept asked told paid moved changed""".split()
NAMES = """Paris London Berlin Tokyo Vienna Lisbon Madrid Warsaw Prague Helsinki Oslo Dublin Chicago Boston Toronto Sydney
Siemens Toyota Airbus Nokia Philips Bayer Shell Boeing Honda Renault Microsoft Oracle Adobe Spotify Unilever Danone
Marie-Curie Isaac-Newton Ada-Lovelace Charles-Darwin Jane-Austen Mark-Twain Johannes-Kepler Niels-Bohr Virginia-Woolf
Germany France Japan Canada Norway Portugal Austria Kenya Brazil India Danube Rhine Thames Amazon Everest Sahara""".split()
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru sta tre pli kno shu".split()

dice = random.Random(7)


def sentence():
    words = [dice.choice(NAMES).replace("-", " ") if dice.random() < 0.09 else dice.choice(PLAIN) for _ in range(dice.randint(8, 22))]
    return " ".join(words).capitalize() + "."


def prose(size):
    """Paragraphs of about so many characters."""
    paragraphs, length = [], 0
    while length < size:
        paragraphs.append(" ".join(sentence() for _ in range(dice.randint(3, 6))))
        length += len(paragraphs[-1]) + 2
    return paragraphs


def word_list(size):
    lines, length = [], 0
    while length < size:
        word = "".join(dice.choice(SYLLABLES) for _ in range(dice.randint(2, 4)))
        lines.append(word.capitalize() if len(lines) % 20 == 0 else word)
        length += len(word) + 1
    return ("\n".join(lines) + "\n").encode()


def rows(count):
    return [[str(n), dice.choice(NAMES).replace("-", " "), str(dice.randint(1, 90000)), dice.choice(PLAIN)] for n in range(count)]


def picture(size):
    """Bytes that do not compress, as pictures are."""
    return dice.randbytes(size)


def packed(parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def page():
    style = "".join(f".c{n}{{margin:{n}px;padding:{n % 7}em;color:#{n * 4099 % 0xffffff:06x}}}\n" for n in range(600))
    script = "".join(f"window.s{n}=function(a,b){{return a*{n}+b-{n * 7}}};\n" for n in range(480))
    text = "".join(f'<div class="c{n % 90} c{n % 31}" data-id="{n:08x}"><p class="body">{p}</p></div>\n' for n, p in enumerate(prose(6000)))
    return f"<!DOCTYPE html><html><head><title>{sentence()}</title><style>{style}</style></head><body>{text}<script>{script}</script></body></html>".encode()


def pdf():
    """One page a kilobyte of text, Helvetica, and a picture."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    image = picture(25_000)
    objects.append(b"<</Type/XObject/Subtype/Image/Width 100/Height 83/ColorSpace/DeviceRGB/BitsPerComponent 8/Length %d>>stream\n" % len(image) + image + b"\nendstream")
    kids = []
    for paragraph in prose(5000):
        words, lines = paragraph.split(), []
        while words:
            lines.append(" ".join(words[:12]))
            words = words[12:]
        content = ("BT /F1 11 Tf 14 TL 60 760 Td " + "".join(f"({line}) Tj T* " for line in lines) + "ET").encode()
        objects.append(b"<</Length %d>>stream\n" % len(content) + content + b"\nendstream")
        objects.append(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>/XObject<</I 4 0 R>>>>/Contents %d 0 R>>" % len(objects))
        kids.append(len(objects))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(out + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))


def docx():
    body = "".join(f"<w:p><w:r><w:t>{p}</w:t></w:r></w:p>" for p in prose(6000))
    return packed({"word/document.xml": f'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{body}</w:body></w:document>',
                   "[Content_Types].xml": "<Types/>", "word/media/image1.png": picture(40_000)})


def odt():
    body = "".join(f"<text:p>{p}</text:p>" for p in prose(5000))
    return packed({"mimetype": "application/vnd.oasis.opendocument.text", "Pictures/1.png": picture(40_000),
                   "content.xml": f'<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>{body}</office:text></office:body></office:document-content>'})


def epub():
    chapters = {f"c{n}.xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><body>" + "".join(f"<p>{p}</p>" for p in prose(5000)) + "</body></html>" for n in range(5)}
    items = "".join(f"<item id='i{n}' href='{name}' media-type='application/xhtml+xml'/>" for n, name in enumerate(chapters))
    spine = "".join(f"<itemref idref='i{n}'/>" for n in range(len(chapters)))
    opf = f"<package xmlns='http://www.idpf.org/2007/opf' version='3.0'><metadata/><manifest>{items}</manifest><spine>{spine}</spine></package>"
    container = "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles><rootfile full-path='book.opf' media-type='application/oebps-package+xml'/></rootfiles></container>"
    return packed({"mimetype": "application/epub+zip", "META-INF/container.xml": container, "book.opf": opf, "cover.jpg": picture(60_000)} | chapters)


def xlsx():
    cells = "".join("<row>" + "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in row) + "</row>" for row in rows(300))
    spread = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    return packed({"[Content_Types].xml": "<Types/>", "xl/media/image1.png": picture(20_000),
                   "xl/workbook.xml": f'<workbook xmlns="{spread}" xmlns:r="{office}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>',
                   "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}"><Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
                   "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{spread}"><sheetData>{cells}</sheetData></worksheet>'})


def mail():
    message = email.message.EmailMessage()
    message["From"], message["To"], message["Subject"] = "Ada <ada@example.org>", "Bob <bob@example.org>", sentence()
    message.set_content("\n\n".join(prose(2500)))
    message.add_attachment(picture(30_000), maintype="image", subtype="png", filename="harbour.png")
    return message.as_bytes()


def subtitles():
    return "".join(f"{n}\n00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\n{sentence()}\n\n" for n in range(1, 60)).encode()


def notebook():
    cells = [{"cell_type": "markdown", "metadata": {}, "source": [p]} for p in prose(3000)]
    shown = [{"data": {"image/png": base64.b64encode(picture(40_000)).decode()}, "metadata": {}, "output_type": "display_data"}]
    cells.append({"cell_type": "code", "metadata": {}, "outputs": shown, "source": ["plot(ships)"], "execution_count": 1})
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def plain(size):
    return lambda: "\n\n".join(prose(size)).encode()


def table(count):
    return lambda: ("number,name,amount,what\n" + "\n".join(",".join(row) for row in rows(count)) + "\n").encode()


# Name, how many, and how one is made: 300 in all.
MIX = [("html", 90, page), ("pdf", 45, pdf), ("docx", 35, docx), ("txt", 30, plain(3000)), ("md", 20, plain(4000)), ("eml", 20, mail),
       ("xlsx", 15, xlsx), ("csv", 15, table(400)), ("odt", 10, odt), ("epub", 5, epub), ("srt", 5, subtitles), ("ipynb", 5, notebook),
       ("list.txt", 3, lambda: word_list(LIST_BYTES)), ("txt.gz", 2, lambda: gzip.compress(plain(20_000)(), mtime=0))]


def make(folder):
    folder.mkdir(parents=True)
    for kind, count, one in MIX:
        for number in range(count):
            (folder / f"{kind.replace('.', '-')}-{number:03}.{kind}").write_bytes(one())


def environment(cache):
    shutil.rmtree(cache, ignore_errors=True)
    cache.mkdir(parents=True)
    return os.environ | {"XDG_CACHE_HOME": str(cache)}


def finished(child, started):
    """Seconds on the clock, seconds of processor time, megabytes, status."""
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, child.returncode


def time_list(program, work):
    path = work / "list.txt"
    path.write_bytes(word_list(LIST_BYTES))
    started = time.monotonic()
    child = subprocess.Popen([program, "find", "--explain", "European car makers", str(path)], env=environment(work / "cache-list"),
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    told = child.stderr.read().strip()
    clock, processor, megabytes, status = finished(child, started)
    print(f"word list of {path.stat().st_size // 1000} kB by meaning, cold: {clock:.1f} s ({processor:.1f} s of processor time), {megabytes:.0f} MB, status {status}")
    print(f"  {told}")
    return status in (0, 1) and clock <= LIST_SECONDS


def index(program, folder, work, env, stop_at):
    """Runs findall index; kills it once so many documents are analysed. The last event of each kind, and times."""
    started = time.monotonic()
    child = subprocess.Popen([program, "index", "--json", "--library", str(work / "library"), str(folder)], env=env, stdout=subprocess.PIPE, text=True)
    last = {}
    for line in child.stdout:
        event = json.loads(line)
        last[event["type"]] = event["data"]
        if event["type"] == "analysed" and stop_at is not None and event["data"]["files"] >= stop_at:
            child.send_signal(signal.SIGKILL)
            break
    child.stdout.close()
    return last, finished(child, started)


def time_index(program, work):
    folder = work / "mixed"
    if not folder.exists():
        make(folder)
    files = [path for path in folder.iterdir()]
    size = sum(path.stat().st_size for path in files)
    print(f"{len(files)} files of {size / 1e6:.1f} MB")
    shutil.rmtree(work / "library", ignore_errors=True)
    env = environment(work / "cache-index")
    first, (clock, processor, _, status) = index(program, folder, work, env, len(files) // 2)
    done = first.get("analysed", {}).get("files", 0)
    print(f"killed after {clock:.1f} s ({processor:.1f} s of processor time), status {status}: {first['committed']['files']} files by words, {done} by meaning")
    second, (clock2, processor2, megabytes, status) = index(program, folder, work, env, None)
    end = second["end"]
    print(f"again: {clock2:.1f} s ({processor2:.1f} s of processor time), {megabytes:.0f} MB, status {status}: {end['read']} read again, {end['analysed']} by meaning, {end['tokens']} tokens")
    told = subprocess.run([program, "index", "--status", "--json", "--library", str(work / "library")], capture_output=True, text=True, env=env)
    whole = json.loads(told.stdout)
    print(f"in the library: {whole['documents']} documents, {whole['analysed']} by meaning, {whole['text_bytes'] / 1e6:.2f} MB of text")
    repeated = end["read"] + max(0, done + end["analysed"] - whole["analysed"])
    print(f"in all: {clock + clock2:.1f} s ({processor + processor2:.1f} s of processor time); files repeated: {repeated}")
    return status == 0 and repeated == 0 and whole["analysed"] == len(files) and clock + clock2 <= INDEX_SECONDS


def main():
    program, what, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    held = [one(program, work) for name, one in (("list", time_list), ("index", time_index)) if what in (name, "all")]
    print("holds" if held and all(held) else "does not hold")
    sys.exit(0 if held and all(held) else 1)


main()
