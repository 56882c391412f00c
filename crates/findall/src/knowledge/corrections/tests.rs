//! Corrections over a small base, and the file that keeps them: what they change, and every way they can be wrong.

use super::*;
use crate::testing::build_knowledge;

fn added(title: &str, text: &str, aliases: &[&str]) -> Correction {
    Correction::Add(Addition {
        title: title.into(),
        kind: Some(EntityKind::Product),
        text: text.into(),
        aliases: aliases.iter().map(|alias| (*alias).into()).collect(),
    })
}

fn wrong_text(title: &str) -> Correction {
    Correction::WrongText { title: title.into(), words: "not true any more".into() }
}

fn wrong_link(title: &str, name: Option<&str>) -> Correction {
    Correction::WrongLink { title: title.into(), name: name.map(str::to_owned), words: "no".into() }
}

fn base() -> (tempfile::TempDir, KnowledgeBase) {
    let folder = tempfile::tempdir().unwrap();
    let base = build_knowledge(folder.path());
    (folder, base)
}

fn titles(kb: &KnowledgeBase, name: &str) -> Vec<String> {
    kb.candidates(name).iter().map(|it| kb.record(it.id).unwrap().title).collect()
}

#[test]
fn a_wrong_text_is_not_used_and_a_wrong_link_not_made() {
    let (_folder, kb) = base();
    let id = kb.id();
    kb.correct(&[wrong_text("baidu"), wrong_link("WeChat", Some("Weixin’s")), wrong_link("Lyon", None)]);
    let baidu = kb.record(kb.find_title("Baidu").unwrap()).unwrap();
    assert_eq!((baidu.description.as_str(), baidu.knowledge_text().as_str()), ("", "Baidu"));
    assert_eq!(titles(&kb, "Weixin"), [""; 0]);
    assert_eq!(titles(&kb, "WeChat"), ["WeChat"], "only that name was wrong");
    assert_eq!(titles(&kb, "Lyon"), [""; 0]);
    assert!(kb.find_title("Lyon").is_some(), "it is still known by its title");
    assert_ne!(kb.id(), id, "what was prepared before is prepared again");
    assert_eq!(kb.base_id(), id);
    kb.correct(&[]);
    assert_eq!((kb.id(), titles(&kb, "Weixin")), (id, vec!["WeChat".into()]));
}

#[test]
fn an_addition_is_found_by_all_its_names_and_wins() {
    let (_folder, kb) = base();
    kb.correct(&[
        added("Lyon (font)", "typeface by Kai Bernau", &["LT"]),
        added("Google", "my neighbour's dog", &["Goggles"]),
        added("Baidu", "", &["Bai"]),
    ]);
    assert_eq!(titles(&kb, "LT"), ["Lyon (font)"]);
    assert_eq!(titles(&kb, "Lyon")[0], "Lyon (font)");
    assert!(kb.candidates("Lyon").iter().map(|it| it.prior).sum::<f32>() <= 1.001);
    let font = kb.find_title("lyon (Font)").unwrap();
    assert_eq!(kb.record(font).unwrap().knowledge_text(), "Lyon (font). typeface by Kai Bernau");
    assert!(kb.record(EntityId(font.0 + 1)).is_err());
    let google = kb.record(kb.find_title("Google").unwrap()).unwrap();
    assert_eq!((google.description.as_str(), google.kind), ("my neighbour's dog", EntityKind::Product));
    assert_eq!(titles(&kb, "goggles"), ["Google"]);
    let baidu = kb.record(kb.find_title("Baidu").unwrap()).unwrap();
    assert!(baidu.description.contains("search engine"), "a name more, the text stays");
    assert_eq!(kb.corrected_entities().len(), 3);
    assert_eq!(kb.names_from("gogg", 5)[0].0, "goggles");
}

#[test]
fn the_last_word_counts_and_all_can_be_taken_back() {
    let (_folder, kb) = base();
    let said = |kb: &KnowledgeBase, title| kb.record(kb.find_title(title).unwrap()).unwrap().description;
    let mut all = vec![wrong_text("Baidu"), added("Baidu", "Chinese search engine", &[])];
    kb.correct(&all);
    assert_eq!(said(&kb, "Baidu"), "Chinese search engine", "mended after it was reported");
    all.push(wrong_text("Baidu"));
    kb.correct(&all);
    assert_eq!(said(&kb, "Baidu"), "");
    all.push(Correction::Withdraw { title: "BAIDU".into() });
    kb.correct(&all);
    assert!(said(&kb, "Baidu").contains("technology company"));
    kb.correct(&[
        added("Zed", "an editor", &["Zeditor"]),
        wrong_text("Zed"),
        wrong_link("Zed", Some("Zeditor")),
    ]);
    assert_eq!((said(&kb, "Zed"), titles(&kb, "Zeditor").len()), (String::new(), 0));
}

#[test]
fn a_name_must_say_which_entity_is_meant() {
    let (_folder, kb) = base();
    assert_eq!(kb.entity_meant("Weixin"), Ok(kb.find_title("WeChat").unwrap()));
    assert_eq!(kb.entity_meant("Atlantis"), Err(UnclearName::Unknown));
    kb.correct(&[added("One", "first", &["Twin"]), added("Two", "second", &["Twin"])]);
    let unclear = kb.entity_meant("Twin").unwrap_err();
    assert_eq!(unclear.to_string(), "this name may mean One · Two; say which by its title");
}

#[test]
fn corrections_are_kept_in_a_private_file_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = CorrectionsFile::new(folder.path().join("deep/corrections.tsv"));
    assert_eq!(file.read().unwrap(), ParsedCorrections::default());
    let before = file.stamp();
    let all = [
        added("Zed", "an editor\tfor\nprograms", &["Zeditor", "Z"]),
        wrong_text("Baidu"),
        wrong_link("Lyon", None),
        wrong_link("Lyon", Some("LY")),
        Correction::Withdraw { title: "Zed".into() },
    ];
    all.iter().for_each(|one| file.append(one).unwrap());
    let read = file.read().unwrap();
    assert_eq!(read.broken, [0; 0]);
    assert_eq!(read.corrections[0], added("Zed", "an editor for programs", &["Zeditor", "Z"]));
    assert_eq!(read.corrections[1..], all[1..]);
    assert_ne!(file.stamp(), before);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(file.path()), mode(file.path().parent().unwrap())), (0o600, 0o700));
    }
}

#[test]
fn broken_lines_are_told_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = CorrectionsFile::new(folder.path().join("corrections.tsv"));
    let broken =
        b"text\tBaidu\tgone\nnonsense\nadd\tZed\tspaceship\ttext\n\nlink\tLyon\ntext\tLyon\tno\xff\ntor";
    std::fs::write(file.path(), broken).unwrap();
    let read = file.read().unwrap();
    assert_eq!((read.corrections.len(), read.broken), (2, vec![2, 3, 5, 7]));
    file.append(&wrong_text("WeChat")).unwrap();
    let after = std::fs::read(file.path()).unwrap();
    assert!(after.starts_with(broken), "nothing is lost");
    assert!(after.ends_with(b"\ntor\ntext\tWeChat\tnot true any more\n"));
    assert_eq!(file.read().unwrap().corrections.len(), 3);
}

#[test]
fn what_cannot_be_kept_is_refused_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = CorrectionsFile::new(folder.path().join("corrections.tsv"));
    for (wrong, why) in [
        (wrong_text(" … "), "a name needs a letter or a digit"),
        (
            Correction::WrongText { title: "Lyon".into(), words: " ".into() },
            "say in a few words what is wrong",
        ),
        (
            added("Lyon", &"x".repeat(601), &[]),
            "the text has 601 bytes, at most 600 are kept; say it shorter",
        ),
        (added("Lyon", "", &["A"; 33]), "33 other names are too many; an entity has at most 32"),
    ] {
        assert_eq!(file.append(&wrong).unwrap_err().to_string(), why);
    }
    assert!(!file.path().exists());

    file.append(&wrong_text("Lyon")).unwrap();
    let kept = std::fs::read(file.path()).unwrap();
    let mut locked = file.path().metadata().unwrap().permissions();
    locked.set_readonly(true);
    std::fs::set_permissions(file.path(), locked).unwrap();
    let error = file.append(&wrong_text("Baidu")).unwrap_err().to_string();
    assert!(error.contains("is read-only; nothing was changed") && error.lines().count() == 1, "{error}");
    assert_eq!(std::fs::read(file.path()).unwrap(), kept);

    let beneath_a_file = CorrectionsFile::new(file.path().join("corrections.tsv"));
    assert!(matches!(beneath_a_file.append(&wrong_text("Lyon")), Err(CorrectionError::File { .. })));
    let giant = CorrectionsFile::new(folder.path().join("giant.tsv"));
    std::fs::File::create(giant.path()).unwrap().set_len(MAX_CORRECTIONS_BYTES + 1).unwrap();
    assert!(matches!(giant.read(), Err(CorrectionError::TooLarge { .. })));
}
