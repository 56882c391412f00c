//! Indexes of a small base: what they find, how a stopped build goes on, and every way a file can be wrong.

use std::ops::ControlFlow;

use super::*;
use crate::testing::build_knowledge;

fn go_on(_: BuildStep) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn titles(base: &KnowledgeBase, found: &[RankedEntity]) -> Vec<String> {
    found.iter().map(|it| base.record(it.id).unwrap().title).collect()
}

#[test]
fn entities_are_found_by_the_words_of_their_names_and_texts() {
    let folder = tempfile::tempdir().unwrap();
    let base = build_knowledge(folder.path());
    let index = WordIndex::build_in_memory(&base, &mut go_on).unwrap();
    assert_eq!((index.len(), index.is_whole()), (base.len(), true));
    let rank = |query| titles(&base, &index.rank(query, 10));
    assert_eq!(rank("cities in France"), ["Lyon"], "whatever their form");
    assert_eq!(rank("Weixin"), ["WeChat"], "by another name");
    let mut engines = rank("all search engines");
    engines.sort_unstable();
    assert_eq!(engines, ["Baidu", "Google"]);
    assert_eq!(rank("Chinese search engines")[0], "Baidu");
    assert_eq!(rank("zebras"), [""; 0]);
    assert_eq!(rank("what is it"), [""; 0]);
    assert_eq!(index.rank("Chinese", 2).len(), 2);
    assert!(index.rarity("lyon") > index.rarity("chines") && index.rarity("zebra").is_none());
}

#[test]
fn a_stopped_build_goes_on_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let base = build_knowledge(folder.path());
    let path = folder.path().join("cache/base.words");
    let stopped = WordIndex::build(&base, &path, &mut |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(WordIndexError::Stopped)));
    let part = folder.path().join("cache/base.words.building/00000");
    assert!(part.exists() && !path.exists());
    let made = part.metadata().unwrap().modified().unwrap();
    let mut seen = None;
    let index = WordIndex::build(&base, &path, &mut |step| {
        // The part of the stopped build is taken up as it lies.
        seen = Some((step, part.metadata().unwrap().modified().unwrap()));
        ControlFlow::Continue(())
    });
    assert_eq!(seen, Some((BuildStep { done: base.len(), total: base.len() }, made)));
    assert_eq!(titles(&base, &index.unwrap().rank("city", 1)), ["Lyon"]);
    assert!(!part.exists());
    let reopened = WordIndex::open(&path, &base).unwrap();
    assert!(reopened.is_whole());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_torn_part_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let base = build_knowledge(folder.path());
    let path = folder.path().join("base.words");
    let parts = folder.path().join("base.words.building");
    std::fs::create_dir(&parts).unwrap();
    std::fs::write(parts.join("00000"), b"torn").unwrap();
    let index = WordIndex::build(&base, &path, &mut go_on).unwrap();
    assert_eq!(titles(&base, &index.rank("city", 1)), ["Lyon"]);
}

#[test]
fn torn_foreign_and_other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let base = build_knowledge(folder.path());
    let path = folder.path().join("base.words");
    WordIndex::build(&base, &path, &mut go_on).unwrap();
    let good = std::fs::read(&path).unwrap();
    for length in [0, 7, 8, 31, 40, 72, good.len() / 2, good.len() - 1] {
        assert!(WordIndex::from_bytes(good[..length].to_vec(), &base).is_none(), "{length} bytes");
    }
    for at in 0..72 {
        let mut wrong = good.clone();
        wrong[at] ^= 0x41;
        assert!(WordIndex::from_bytes(wrong, &base).is_none(), "byte {at} of the header");
    }
    std::fs::write(&path, b"").unwrap();
    let error = WordIndex::open(&path, &base).unwrap_err().to_string();
    assert!(
        error.ends_with("does not fit this knowledge base; make it again with findall kb index"),
        "{error}"
    );
    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let other = {
        use findall_kb::{BuildOptions, Builder, Draft};
        let mut builder = Builder::new(&other, BuildOptions::default());
        builder.add(&Draft::new("Somewhere")).unwrap().unwrap();
        builder.finish(&other.join("other.kb"), &mut |_, _| {}).unwrap();
        KnowledgeBase::open(other.join("other.kb")).unwrap()
    };
    assert!(WordIndex::from_bytes(good, &other).is_none(), "an index of another base");
}

#[test]
fn damaged_segments_give_fewer_entities_but_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let base = build_knowledge(folder.path());
    let path = folder.path().join("base.words");
    WordIndex::build(&base, &path, &mut go_on).unwrap();
    let good = std::fs::read(&path).unwrap();
    for at in 72..good.len() {
        let mut wrong = good.clone();
        wrong[at] ^= 0xff;
        if let Some(index) = WordIndex::from_bytes(wrong, &base) {
            assert!(!index.is_whole(), "byte {at}");
            let found = index.rank("Chinese search engine app city", 10);
            assert!(found.iter().all(|it| (it.id.0 as usize) < base.len() && it.score.is_finite()));
        }
    }
}
