//! Small files in every real format, built and looked into; and every way they can be wrong.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use findall::knowledge::{EntityKind, KnowledgeBase, Record};
use findall_kb::run::SilentObserver;
use findall_kb::{BuildReport, SourceError, build_base, rejects_path};
use tempfile::TempDir;

use super::build::BuildArgs;
use crate::failure::{Failure, Outcome};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    build: BuildArgs,
}

/// A folder with sources and the base built from them.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        std::fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    fn try_build(&self, flags: &[&str]) -> Result<BuildReport, SourceError> {
        let out = self.path("out.kb");
        let words = ["build", "--out", out.to_str().unwrap()].into_iter().chain(flags.iter().copied());
        let args = Command::parse_from(words).build;
        build_base(&args.plan().unwrap(), &mut SilentObserver).map(|(report, _)| report)
    }

    fn build(&self, flags: &[&str]) -> (KnowledgeBase, BuildReport) {
        let report = self.try_build(flags).unwrap();
        (self.open(), report)
    }

    fn open(&self) -> KnowledgeBase {
        let kb = KnowledgeBase::open(self.path("out.kb")).unwrap();
        kb.verify().unwrap();
        kb
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn record_titled(kb: &KnowledgeBase, title: &str) -> Record {
    kb.record(kb.find_title(title).unwrap_or_else(|| panic!("no {title}"))).unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut out = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

const WIKIDATA: &str = r#"[
{"type":"item","id":"Q1001","labels":{"en":{"language":"en","value":"Orlan"},"de":{"language":"de","value":"Orlahn"}},"descriptions":{"en":{"language":"en","value":"river in Northland"}},"aliases":{"en":[{"language":"en","value":"Orlan Water"}]},"claims":{"P31":[{"mainsnak":{"snaktype":"value","property":"P31","datavalue":{"value":{"entity-type":"item","numeric-id":4022,"id":"Q4022"},"type":"wikibase-entityid"}},"type":"statement"}]},"sitelinks":{"enwiki":{"site":"enwiki","title":"River Orlan","badges":[]},"dewiki":{"site":"dewiki","title":"Orlahn","badges":[]}}},
{"type":"item","id":"Q1002","labels":{"en":{"language":"en","value":"Mara Quill"}},"descriptions":{"en":{"language":"en","value":"Northland botanist"}},"aliases":{},"claims":{"P31":[{"mainsnak":{"snaktype":"value","property":"P31","datavalue":{"value":{"entity-type":"item","numeric-id":5,"id":"Q5"},"type":"wikibase-entityid"}}}],"P569":[{"mainsnak":{"snaktype":"value","property":"P569","datavalue":{"value":{"time":"+1952-03-11T00:00:00Z","precision":11},"type":"time"}}}],"P18":[{"mainsnak":{"snaktype":"value","property":"P18","datavalue":{"value":"Mara.jpg","type":"string"}}}],"P625":[{"mainsnak":{"snaktype":"somevalue","property":"P625"}}]},"sitelinks":{}},
{"type":"item","id":"Q1003","labels":{"en":{"language":"en","value":"Mara Quill"}},"descriptions":{"en":{"language":"en","value":"painting by Otto Renn"}},"aliases":{},"claims":{},"sitelinks":{}},
{"type":"item","id":"Q1004","labels":{"en":{"language":"en","value":"Orlan"}},"descriptions":{},"aliases":{},"claims":{"P31":[{"mainsnak":{"snaktype":"value","property":"P31","datavalue":{"value":{"entity-type":"item","numeric-id":4167410,"id":"Q4167410"},"type":"wikibase-entityid"}}}]},"sitelinks":{}},
{"type":"property","id":"P1","labels":{},"descriptions":{},"aliases":{},"claims":{}},
{"type":"item","id":"Q1005","labels":{"de":{"language":"de","value":"Nur deutsch"}},"descriptions":{},"aliases":{},"claims":{},"sitelinks":{}}
]
"#;

#[test]
fn wikidata_dumps_are_read_in_every_wrapping() {
    let bench = Bench::new();
    for (name, bytes) in [
        ("d.json", WIKIDATA.as_bytes().to_vec()),
        ("d.json.gz", gzip(WIKIDATA.as_bytes())),
        ("d.json.bz2", bzip2(WIKIDATA.as_bytes())),
    ] {
        let dump = bench.write(name, &bytes);
        let (kb, report) = bench.build(&["--wikidata", text(&dump)]);
        assert_eq!((kb.len(), report.rows, report.refused), (3, 6, 0), "{name}");
        let river = record_titled(&kb, "River Orlan");
        assert_eq!(
            (river.key.as_str(), river.kind, river.description.as_str()),
            ("Q1001", EntityKind::Place, "river in Northland")
        );
        assert_eq!(kb.candidates("Orlan Water")[0].id, river.id);
        assert_eq!(kb.candidates("Orlan")[0].id, river.id);
        // Two items of one label stay two.
        let both: Vec<String> =
            kb.candidates("Mara Quill").iter().map(|c| kb.record(c.id).unwrap().key).collect();
        assert_eq!(both.len(), 2);
        let botanist = kb
            .candidates("Mara Quill")
            .iter()
            .map(|c| kb.record(c.id).unwrap())
            .find(|r| r.key == "Q1002")
            .unwrap();
        assert_eq!(botanist.kind, EntityKind::Person);
        assert_eq!(botanist.phrases[0].text, "born 1952");
    }
    let (german, _) = bench.build(&["--wikidata", text(&bench.path("d.json")), "--language", "de"]);
    assert_eq!(german.candidates("Nur deutsch").len(), 1);
}

#[test]
fn a_dump_that_was_cut_stops_the_build_and_the_whole_one_continues_it() {
    let bench = Bench::new();
    let cut = WIKIDATA.len() * 2 / 3;
    for (name, whole) in [("d.json", WIKIDATA.as_bytes().to_vec()), ("d.json.gz", gzip(WIKIDATA.as_bytes()))]
    {
        let length = if name.ends_with("gz") { whole.len() * 2 / 3 } else { cut };
        let dump = bench.write(name, &whole[..length]);
        let error = bench.try_build(&["--wikidata", text(&dump)]).unwrap_err();
        assert!(matches!(error, SourceError::Cut { .. }), "{name}: {error}");
        assert!(error.to_string().contains("--allow-partial"));
        assert!(!bench.path("out.kb").exists());
        let report = bench.try_build(&["--wikidata", text(&dump), "--allow-partial", "--restart"]).unwrap();
        assert_eq!(report.partial, std::slice::from_ref(&dump));
        std::fs::remove_file(bench.path("out.kb")).unwrap();

        bench.try_build(&["--wikidata", text(&dump)]).unwrap_err();
        bench.write(name, &whole);
        let (kb, _) = bench.build(&["--wikidata", text(&dump)]);
        let continued = std::fs::read(bench.path("out.kb")).unwrap();
        assert_eq!(kb.len(), 3);
        bench.build(&["--wikidata", text(&dump), "--restart"]);
        assert_eq!(continued, std::fs::read(bench.path("out.kb")).unwrap(), "{name}");
        std::fs::remove_file(bench.path("out.kb")).unwrap();
    }
}

const ABSTRACTS: &str = r#"<feed>
<doc>
<title>Wikipedia: Wendmoor</title>
<url>https://en.wikipedia.org/wiki/Wendmoor</url>
<abstract>Wendmoor is a village in Orr County, Northland, known for its tin &amp; copper mines.</abstract>
<links><sublink linktype="nav"><anchor>History</anchor><link>https://en.wikipedia.org/wiki/Wendmoor#History</link></sublink></links>
</doc>
<doc>
<title>Wikipedia: Otto Renn</title>
<abstract>Otto Renn (1880–1951) was a Northland painter.</abstract>
</doc>
</feed>
"#;

const PAGES: &str = r#"<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo><sitename>Wikipedia</sitename></siteinfo>
  <page><title>Wendmoor</title><ns>0</ns><id>1</id><revision><id>9</id><text bytes="200" xml:space="preserve">{{Short description|Village in Northland}}
{{Infobox settlement|name=Wendmoor}}
'''Wendmoor''' is a [[village]] in [[Orr County]], founded in 1204.&lt;ref&gt;A book&lt;/ref&gt;

== History ==
Nothing here is read.</text></revision></page>
  <page><title>Wend Moor</title><ns>0</ns><id>2</id><redirect title="Wendmoor" /><revision><text>#REDIRECT [[Wendmoor]]</text></revision></page>
  <page><title>Talk:Wendmoor</title><ns>1</ns><id>3</id><revision><text>hello there, this is a page of talk</text></revision></page>
  <page><title>Wend</title><ns>0</ns><id>4</id><revision><text>'''Wend''' may mean many different things, for example:
{{disambiguation}}</text></revision></page>
</mediawiki>
"#;

#[test]
fn wikipedia_dumps_are_read() {
    let bench = Bench::new();
    let abstracts = bench.write("a.xml.gz", &gzip(ABSTRACTS.as_bytes()));
    let (kb, _) = bench.build(&["--wikipedia-abstracts", text(&abstracts)]);
    assert_eq!(kb.len(), 2);
    let village = record_titled(&kb, "Wendmoor");
    assert_eq!(
        (village.kind, village.description.as_str()),
        (EntityKind::Place, "village in Orr County, Northland")
    );
    assert!(
        village.phrases.iter().any(|p| p.text == "known for tin & copper mines"),
        "{:?}",
        village.phrases
    );
    assert_eq!(record_titled(&kb, "Otto Renn").kind, EntityKind::Person);

    let pages = bench.write("p.xml.bz2", &bzip2(PAGES.as_bytes()));
    let (kb, report) = bench.build(&["--wikipedia-pages", text(&pages)]);
    assert_eq!((kb.len(), report.rows), (1, 4));
    let village = record_titled(&kb, "Wendmoor");
    assert_eq!(village.description, "Village in Northland");
    assert!(village.phrases.iter().any(|p| p.text == "founded in 1204"), "{:?}", village.phrases);
    assert_eq!(kb.candidates("wend moor")[0].id, village.id);

    let cut = bench.write("cut.xml", &PAGES.as_bytes()[..PAGES.len() - 120]);
    assert!(matches!(bench.try_build(&["--wikipedia-pages", text(&cut)]), Err(SourceError::Cut { .. })));
}

const DBPEDIA: &str = r#"# started 2025-01-01
<http://dbpedia.org/resource/Wendmoor> <http://www.w3.org/2000/01/rdf-schema#label> "Wendmoor"@en .
<http://dbpedia.org/resource/Wendmoor> <http://www.w3.org/2000/01/rdf-schema#comment> "Wendmoor is a village in \u004Eorthland, famous for its \"tin\" mines."@en .
<http://dbpedia.org/resource/Wendmoor> <http://www.w3.org/2000/01/rdf-schema#comment> "Wendmoor ist ein Dorf."@de .
<http://dbpedia.org/resource/Wendmoor> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://dbpedia.org/ontology/Place> .
<http://dbpedia.org/resource/Wend_Moor> <http://dbpedia.org/ontology/wikiPageRedirects> <http://dbpedia.org/resource/Wendmoor> .
<http://dbpedia.org/resource/Z%C3%BCrn_(band)> <http://www.w3.org/2000/01/rdf-schema#label> "Zürn (band)"@en .
"#;

#[test]
fn dbpedia_files_are_read() {
    let bench = Bench::new();
    let file = bench.write("d.ttl.bz2", &bzip2(DBPEDIA.as_bytes()));
    let (kb, report) = bench.build(&["--dbpedia", text(&file)]);
    assert_eq!((kb.len(), report.refused), (2, 0));
    let village = record_titled(&kb, "Wendmoor");
    assert_eq!((village.kind, village.description.as_str()), (EntityKind::Place, "village in Northland"));
    assert_eq!(kb.candidates("Wend Moor")[0].id, village.id);
    assert_eq!(record_titled(&kb, "Zürn (band)").kind, EntityKind::Organization);
    let cut = bench.write("cut.ttl", &DBPEDIA.as_bytes()[..DBPEDIA.len() - 20]);
    assert!(matches!(bench.try_build(&["--dbpedia", text(&cut)]), Err(SourceError::Cut { .. })));
}

#[test]
fn rows_that_people_write_may_have_a_header_or_none() {
    let bench = Bench::new();
    let plain = bench.write("a.tsv", b"Atlas\tproduct\tinternal ledger of the bank\tATL;Big Book\n");
    let (kb, _) = bench.build(&["--tsv", text(&plain)]);
    assert_eq!(record_titled(&kb, "Atlas").description, "internal ledger of the bank");
    assert_eq!(kb.candidates("big book").len(), 1);
    let named = bench.write(
        "b.tsv",
        "\u{feff}id\ttitle\ttext\n# a remark\n7\tBoreas\tBoreas is a data centre in Oslo operated by the bank.\n".as_bytes(),
    );
    let (kb, _) = bench.build(&["--tsv", text(&named)]);
    let record = record_titled(&kb, "Boreas");
    assert_eq!((record.key.as_str(), record.description.as_str()), ("7", "data centre in Oslo"));
    let rows = bench.write("c.jsonl", br#"{"title":"Castor","kind":"team","description":"payments team","aliases":["CST"],"popularity":3,"extra":1}"#);
    let (kb, _) = bench.build(&["--jsonl", text(&rows), "--tsv", text(&plain)]);
    assert_eq!((kb.len(), record_titled(&kb, "Castor").kind), (2, EntityKind::Team));
    let redirects = bench.write("r.tsv", b"castor crew\tCastor\nnobody\tNobody\n");
    let (kb, _) = bench.build(&["--jsonl", text(&rows), "--redirects", text(&redirects)]);
    assert_eq!((kb.len(), kb.candidates("Castor crew").len()), (1, 1));
}

#[test]
fn bad_rows_are_set_aside_with_their_reason_and_the_rest_is_built() {
    let bench = Bench::new();
    let long = "x".repeat(10_000);
    let rows = format!(
        "title\tkind\tdescription\nGood\tplace\ta place\nBad\tplace\ta\tb\tc\n{long}\tplace\ttoo long\nOdd\tplanetoid\tno such kind\n\t\t\nFine\tevent\tan event\n"
    );
    let file = bench.write("a.tsv", rows.as_bytes());
    let (kb, report) = bench.build(&["--tsv", text(&file)]);
    assert_eq!((kb.len(), report.refused), (2, 3));
    let rejects = std::fs::read_to_string(rejects_path(&bench.path("out.kb"))).unwrap();
    assert_eq!(rejects.lines().count(), 3);
    for reason in ["5 columns, expected 3", "10000 bytes", "no such kind"] {
        assert!(rejects.contains(reason), "{reason} is not in {rejects}");
    }
    assert!(rejects.contains("Bad\tplace\ta\tb\tc"), "nothing is lost");
    let error = bench.try_build(&["--tsv", text(&file), "--strict"]).unwrap_err();
    assert!(error.to_string().contains("--strict"), "{error}");

    let torn = bench.write("t.jsonl", b"{\"title\":\"A\"}\nnot json\n{\"title\":\"B\"}\n{\"title\":\"C");
    assert!(matches!(bench.try_build(&["--jsonl", text(&torn)]), Err(SourceError::Cut { rows: 4, .. })));
}

#[test]
fn rows_with_one_id_become_one_entity() {
    let bench = Bench::new();
    let file = bench.write(
        "a.jsonl",
        b"{\"id\":\"7\",\"title\":\"Atlas\",\"description\":\"ledger\"}\n{\"id\":\"7\",\"title\":\"Big Book\",\"kind\":\"product\"}\n",
    );
    let (kb, _) = bench.build(&["--jsonl", text(&file)]);
    assert_eq!(kb.len(), 1);
    let record = record_titled(&kb, "Atlas");
    assert_eq!((record.kind, record.description.as_str()), (EntityKind::Product, "ledger"));
    assert_eq!(kb.candidates("Big Book")[0].id, record.id);
}

#[test]
fn a_file_of_another_format_is_named_as_such() {
    let bench = Bench::new();
    let file = bench.write("a.json", b"hello\nworld\n");
    let error = bench.try_build(&["--wikidata", text(&file)]).unwrap_err();
    assert!(matches!(error, SourceError::Format { .. }), "{error}");
    let missing = bench.path("none.gz");
    assert!(matches!(bench.try_build(&["--wikidata", text(&missing)]), Err(SourceError::Io { .. })));
}

#[derive(Parser)]
struct KbCommand {
    #[command(flatten)]
    kb: super::KbArgs,
}

/// Runs `findall kb …`.
fn kb(words: &[&str]) -> Result<Outcome, Failure> {
    super::run(KbCommand::parse_from(["kb"].iter().chain(words)).kb)
}

#[test]
fn entities_can_be_added_to_a_base_of_ones_own() {
    let bench = Bench::new();
    let own = bench.path("own.kb");
    kb(&[
        "add",
        "--to",
        text(&own),
        "Atlas",
        "--kind",
        "product",
        "--description",
        "ledger",
        "--alias",
        "ATL",
    ])
    .unwrap();
    kb(&["add", "--to", text(&own), "Boreas", "--description", "data centre"]).unwrap();
    let base = KnowledgeBase::open(&own).unwrap();
    assert_eq!(base.len(), 2);
    assert_eq!(record_titled(&base, "Atlas").kind, EntityKind::Product);
    assert_eq!(base.candidates("ATL").len(), 1);
    // The later word wins.
    kb(&["add", "--to", text(&own), "Atlas", "--description", "retired ledger"]).unwrap();
    let record = record_titled(&KnowledgeBase::open(&own).unwrap(), "Atlas");
    assert_eq!((record.kind, record.description.as_str()), (EntityKind::Product, "retired ledger"));
    assert!(matches!(kb(&["add", "--to", text(&own), "…"]), Err(Failure::Usage(_))));
    assert!(matches!(kb(&["show", "Atlas", "--kb", text(&own)]), Ok(Outcome::Found)));
    assert!(matches!(kb(&["show", "Nothing", "--kb", text(&own), "--json"]), Ok(Outcome::Nothing)));
    assert!(matches!(kb(&["search", "at", "--kb", text(&own)]), Ok(Outcome::Found)));
    assert!(matches!(kb(&["stats", "--kb", text(&own), "--json"]), Ok(Outcome::Found)));
    assert!(matches!(kb(&["verify", "--kb", text(&own)]), Ok(Outcome::Found)));
}

#[test]
fn bases_are_united_without_losing_names_or_facts() {
    let bench = Bench::new();
    let (a, b, both) = (bench.path("a.kb"), bench.path("b.kb"), bench.path("both.kb"));
    kb(&["add", "--to", text(&a), "Atlas", "--description", "ledger", "--alias", "Big Book"]).unwrap();
    kb(&["add", "--to", text(&b), "Atlas", "--description", "map of the world", "--alias", "Mappa"]).unwrap();
    kb(&["add", "--to", text(&b), "Boreas", "--kind", "character"]).unwrap();
    kb(&["merge", text(&a), text(&b), "--out", text(&both)]).unwrap();
    let base = KnowledgeBase::open(&both).unwrap();
    base.verify().unwrap();
    assert_eq!(base.len(), 2);
    let atlas = record_titled(&base, "Atlas");
    assert_eq!(atlas.description, "ledger");
    assert!(atlas.phrases.iter().any(|p| p.text == "map of the world"));
    assert_eq!(base.candidates("big book")[0].id, atlas.id);
    assert_eq!(base.candidates("mappa")[0].id, atlas.id);
    assert!(matches!(kb(&["layer", text(&a), text(&b)]), Ok(Outcome::Found)));
    assert!(matches!(kb(&["layer", text(&a), text(&bench.path("none.kb"))]), Err(Failure::Verb(_))));
}

#[test]
fn what_is_dumped_builds_the_same_base_again() {
    let bench = Bench::new();
    let rows = r#"{"title":"Orlan","kind":"place","description":"river in Northland","facts":["two dams","  "],"aliases":["Orlan Water"],"popularity":3}
{"title":"Mara Quill","id":"Q2","facts":["Northland botany prize winners"]}"#;
    let file = bench.write("a.jsonl", rows.as_bytes());
    let (kb, _) = bench.build(&["--jsonl", text(&file)]);
    let facts = |record: &Record| record.phrases.iter().map(|p| p.text.clone()).collect::<Vec<_>>();
    assert_eq!(facts(&record_titled(&kb, "Orlan")), ["two dams"]);
    assert_eq!(facts(&record_titled(&kb, "Mara Quill")), ["Northland botany prize winners"]);
    assert_eq!(record_titled(&kb, "Mara Quill").description, "", "a fact is no description");
    let mut lines = Vec::new();
    let before = ["Orlan", "Mara Quill"].map(|title| record_titled(&kb, title));
    for record in &before {
        super::dump::write_line(record, &mut lines);
    }
    drop(kb);
    let again = bench.write("b.jsonl", &lines);
    let (kb, report) = bench.build(&["--jsonl", text(&again)]);
    assert_eq!(report.refused, 0);
    for record in &before {
        let built = record_titled(&kb, &record.title);
        assert_eq!(Record { id: record.id, ..built }, *record);
    }
}
