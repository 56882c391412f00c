//! Bases built and read back: names, priors, layers, and every way a file can be wrong.

use std::path::{Path, PathBuf};

use findall::knowledge::{EntityId, EntityKind, KnowledgeBase, KnowledgeError};
use findall_kb::{BuildOptions, Builder, Draft, Name, NameOrigin};

/// A folder of its own for a test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("findall-kb-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn build(&self, name: &str, drafts: &[Draft]) -> PathBuf {
        let path = self.0.join(name);
        let mut builder = Builder::new(&self.0, BuildOptions::default());
        for draft in drafts {
            builder.add(draft).unwrap().unwrap();
        }
        builder.finish(&path, &mut |_, _| {}).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn draft(title: &str, kind: EntityKind, description: &str, popularity: f32, names: &[&str]) -> Draft {
    Draft {
        kind: Some(kind),
        description: description.into(),
        popularity,
        names: names.iter().map(|text| Name { text: (*text).into(), origin: NameOrigin::Given }).collect(),
        ..Draft::new(title)
    }
}

fn small() -> Vec<Draft> {
    vec![
        draft("Mercury (planet)", EntityKind::Place, "innermost planet of the Solar System", 90.0, &[]),
        draft("Mercury (element)", EntityKind::Substance, "liquid metal", 40.0, &["quicksilver"]),
        draft("Nick Saban", EntityKind::Person, "American football coach", 30.0, &[]),
        draft("France", EntityKind::Place, "country in western Europe", 900.0, &["French Republic"]),
        draft("McDonald's", EntityKind::Organization, "fast food chain", 50.0, &[]),
        draft("Mobile app", EntityKind::Concept, "program for phones", 5.0, &[]),
        draft("United States", EntityKind::Place, "country in North America", 2000.0, &["US"]),
    ]
}

fn titles(kb: &KnowledgeBase, surface: &str) -> Vec<String> {
    kb.candidates(surface).iter().map(|c| kb.record(c.id).unwrap().title).collect()
}

#[test]
fn names_lead_to_their_entities_in_every_spelling() {
    let folder = Folder::new("names");
    let kb = KnowledgeBase::open(folder.build("a.kb", &small())).unwrap();
    for (surface, wanted) in [
        ("mercury", vec!["Mercury (planet)", "Mercury (element)"]),
        ("Mercury’s", vec!["Mercury (planet)", "Mercury (element)"]),
        ("MERCURY (PLANET)", vec!["Mercury (planet)"]),
        ("Quicksilver", vec!["Mercury (element)"]),
        ("Saban's", vec!["Nick Saban"]),
        ("the French Republic", vec!["France"]),
        ("McDonald's", vec!["McDonald's"]),
        ("mcdonalds", vec!["McDonald's"]),
        ("mobile apps", vec!["Mobile app"]),
        ("U.S.", vec!["United States"]),
        ("us", vec![]),
        ("Nowhere", vec![]),
        ("", vec![]),
        ("…", vec![]),
    ] {
        assert_eq!(titles(&kb, surface), wanted, "{surface}");
    }
    assert_eq!(
        kb.find_title("mercury_(element)").map(|id| kb.record(id).unwrap().title),
        Some("Mercury (element)".into())
    );
    assert_eq!(kb.find_title("Mercury"), None);
    kb.verify().unwrap();
}

#[test]
fn priors_are_shares() {
    let folder = Folder::new("priors");
    let many: Vec<Draft> = (0..200)
        .map(|n| draft(&format!("Smith ({n})"), EntityKind::Person, "person", n as f32, &[]))
        .collect();
    let kb = KnowledgeBase::open(folder.build("a.kb", &many)).unwrap();
    let found = kb.candidates("Smith");
    assert!(found.len() > 10 && found.windows(2).all(|pair| pair[0].prior >= pair[1].prior));
    assert!(found.iter().map(|c| c.prior).sum::<f32>() <= 1.0);
    assert_eq!(kb.record(found[0].id).unwrap().title, "Smith (199)");
}

#[test]
fn the_same_drafts_give_the_same_bytes() {
    let folder = Folder::new("same");
    let mut backwards = small();
    backwards.reverse();
    let (a, b) = (folder.build("a.kb", &small()), folder.build("b.kb", &backwards));
    assert_eq!(std::fs::read(&a).unwrap(), std::fs::read(b).unwrap());
    assert_eq!(KnowledgeBase::open(&a).unwrap().id(), KnowledgeBase::open(&a).unwrap().id());
}

#[test]
fn sources_merge_and_the_higher_authority_describes() {
    let folder = Folder::new("merge");
    let mut high = draft("Lio", EntityKind::Place, "river in Chile", 1.0, &[]);
    high.authority = 9;
    let low = draft("LIO", EntityKind::Concept, "water", 4.0, &["Rio Lio"]);
    let attached =
        Draft { attaches_only: true, ..draft("lio", EntityKind::Other, "", 0.0, &["The Lion River"]) };
    let orphan = Draft { attaches_only: true, ..draft("Nobody", EntityKind::Other, "", 0.0, &["No One"]) };
    let kb = KnowledgeBase::open(folder.build("a.kb", &[low, attached, orphan, high])).unwrap();
    assert_eq!(kb.len(), 1);
    let record = kb.record(EntityId(0)).unwrap();
    assert_eq!(
        (record.title.as_str(), record.kind, record.description.as_str()),
        ("Lio", EntityKind::Place, "river in Chile")
    );
    assert_eq!(record.phrases[0].text, "water");
    assert_eq!(titles(&kb, "lion river"), ["Lio"]);
    assert!(kb.candidates("Nobody").is_empty());
}

#[test]
fn layers_that_disagree_keep_both_sides_and_the_upper_wins() {
    let folder = Folder::new("layers");
    let upper = folder.build(
        "upper.kb",
        &[
            draft("France", EntityKind::Organization, "our Paris office", 1.0, &["FR1"]),
            draft("Atlas", EntityKind::Product, "internal ledger", 1.0, &[]),
        ],
    );
    let lower = folder.build("lower.kb", &small());
    let kb = KnowledgeBase::open_layers([&upper, &lower]).unwrap();
    assert_eq!(titles(&kb, "France"), ["France"]);
    let record = kb.record(kb.find_title("France").unwrap()).unwrap();
    assert_eq!((record.kind, record.description.as_str()), (EntityKind::Organization, "our Paris office"));
    assert!(record.phrases.iter().any(|p| p.text == "country in western Europe"));
    assert!(record.aliases.contains(&"FR1".into()) && record.aliases.contains(&"French Republic".into()));
    // A name that only the lower layer knows leads to the upper layer's entity.
    assert_eq!(kb.candidates("French Republic")[0].id, kb.find_title("France").unwrap());
    assert_eq!(titles(&kb, "Atlas"), ["Atlas"]);
    assert_eq!(titles(&kb, "Saban"), ["Nick Saban"]);
    assert!(kb.candidates("France").iter().map(|c| c.prior).sum::<f32>() <= 1.0);
    assert!(kb.id().contains('+'));
    assert!(matches!(kb.record(EntityId(999)), Err(KnowledgeError::NoSuchEntity(999, 9))));
}

#[test]
fn files_that_are_not_ours_are_refused_with_a_reason() {
    let folder = Folder::new("refused");
    let path = folder.build("a.kb", &small());
    let bytes = std::fs::read(&path).unwrap();
    let open = |bytes: &[u8]| {
        let path = folder.0.join("x.kb");
        std::fs::write(&path, bytes).unwrap();
        let in_memory = KnowledgeBase::from_bytes(bytes.to_vec()).map(|kb| kb.len());
        let mapped = KnowledgeBase::open(path).map(|kb| kb.len());
        assert_eq!(in_memory.is_ok(), mapped.is_ok());
        mapped.map(|_| ())
    };
    assert!(matches!(KnowledgeBase::open(folder.0.join("none.kb")), Err(KnowledgeError::Missing(_))));
    assert!(matches!(open(b""), Err(KnowledgeError::Foreign(_))));
    assert!(matches!(open(b"PK\x03\x04 something else entirely"), Err(KnowledgeError::Foreign(_))));
    assert!(matches!(open(&bytes[..bytes.len() / 2]), Err(KnowledgeError::Torn { .. })));
    let mut newer = bytes.clone();
    newer[8] = 9;
    let error = open(&newer).unwrap_err();
    assert!(matches!(error, KnowledgeError::Newer { found: 9, .. }));
    assert!(error.to_string().contains("update findall"));
    let mut table = bytes.clone();
    table[40] ^= 1;
    assert!(matches!(open(&table), Err(KnowledgeError::Damaged(_))));
    open(&bytes).unwrap();
}

#[test]
fn any_flipped_byte_is_survived_and_verify_sees_it() {
    let folder = Folder::new("flipped");
    let path = folder.build("a.kb", &small());
    let bytes = std::fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        if let Ok(kb) = KnowledgeBase::from_bytes(damaged) {
            for surface in ["Mercury", "France", "Saban", "mobile app"] {
                for candidate in kb.candidates(surface) {
                    let _ = kb.record(candidate.id);
                }
            }
            kb.names_from("m", 10);
            assert!(kb.verify().is_err(), "byte {at}");
        }
    }
}

#[test]
fn refused_drafts_do_not_stop_the_others() {
    let folder = Folder::new("refusals");
    let mut builder = Builder::new(&folder.0, BuildOptions::default());
    assert!(
        builder
            .add(&Draft::new("x".repeat(10_000)))
            .unwrap()
            .unwrap_err()
            .to_string()
            .contains("10000 bytes")
    );
    assert!(builder.add(&Draft::new(" – ")).unwrap().is_err());
    builder.add(&Draft::new("Good")).unwrap().unwrap();
    let written = builder.finish(&folder.0.join("a.kb"), &mut |_, _| {}).unwrap();
    assert_eq!((written.entities, written.described), (1, 0));
}

#[test]
fn an_interrupted_build_continues_from_its_checkpoint() {
    let folder = Folder::new("resume");
    let whole = folder.build("whole.kb", &small());
    let mut first = Builder::new(&folder.0, BuildOptions::default());
    for draft in &small()[..3] {
        first.add(draft).unwrap().unwrap();
    }
    let runs = first.checkpoint().unwrap();
    drop(first);
    let mut second = Builder::new(&folder.0, BuildOptions::default());
    second.resume(runs);
    for draft in &small()[3..] {
        second.add(draft).unwrap().unwrap();
    }
    let resumed = folder.0.join("resumed.kb");
    second.finish(&resumed, &mut |_, _| {}).unwrap();
    assert_eq!(std::fs::read(whole).unwrap(), std::fs::read(resumed).unwrap());
}

#[test]
fn names_can_be_browsed() {
    let folder = Folder::new("browse");
    let kb = KnowledgeBase::open(folder.build("a.kb", &small())).unwrap();
    let found: Vec<String> = kb.names_from("Merc", 10).into_iter().map(|(name, _)| name).collect();
    assert_eq!(found, ["mercury", "mercury element", "mercury planet"]);
    assert_eq!(kb.names_from("Merc", 1).len(), 1);
    assert!(kb.names_from("zzz", 10).is_empty());
    let summary = &kb.summaries()[0];
    assert_eq!(summary.0.extension().and_then(|e: &std::ffi::OsStr| e.to_str()), Some("kb"));
    assert_eq!((summary.1.entities, summary.1.described), (7, 7));
    assert!(Path::new(&summary.0).exists());
}
