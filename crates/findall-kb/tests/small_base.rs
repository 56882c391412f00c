//! The small base that the engine's stand-ins for tests carry is what the builder makes of these entities.

use std::path::Path;

use findall::knowledge::{EntityId, EntityKind, KnowledgeBase};
use findall_kb::{BuildOptions, Builder, Draft, Name, NameOrigin};

type Entity = (&'static str, EntityKind, &'static str, &'static [&'static str]);

const ENTITIES: &[Entity] = &[
    ("WeChat", EntityKind::Product, "Chinese messaging and payment app by Tencent", &["Weixin"]),
    ("Sina Weibo", EntityKind::Product, "Chinese microblogging platform and social network", &["Weibo"]),
    ("Baidu", EntityKind::Organization, "Chinese technology company and search engine", &[]),
    ("Google", EntityKind::Organization, "American technology company and search engine", &[]),
    ("Lyon", EntityKind::Place, "city in France on the Rhône", &[]),
    ("China", EntityKind::Place, "country in East Asia", &["PRC"]),
];

/// After a change of the format: `FINDALL_UPDATE=1 cargo test -p findall-kb --test small_base`, then once more without.
#[test]
fn the_small_base_is_what_the_builder_makes() {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::new(folder.path(), BuildOptions::default());
    for (title, kind, description, names) in ENTITIES {
        let names = names.iter().map(|text| Name { text: (*text).into(), origin: NameOrigin::Given });
        let draft = Draft {
            kind: Some(*kind),
            description: (*description).into(),
            popularity: 10.0,
            names: names.collect(),
            ..Draft::new(*title)
        };
        builder.add(&draft).unwrap().unwrap();
    }
    let made = folder.path().join("small.kb");
    builder.finish(&made, &mut |_, _| {}).unwrap();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../findall/src/testing/small.kb");
    if std::env::var_os("FINDALL_UPDATE").is_some() {
        std::fs::copy(&made, &kept).unwrap();
    }
    // The packing may change with its library; what is in it may not.
    let (made, kept) = (KnowledgeBase::open(made).unwrap(), KnowledgeBase::open(kept).unwrap());
    kept.verify().unwrap();
    assert_eq!(made.len(), kept.len());
    for number in 0..made.len() as u32 {
        assert_eq!(made.record(EntityId(number)).unwrap(), kept.record(EntityId(number)).unwrap());
    }
    assert_eq!(made.names_from("", 1000), kept.names_from("", 1000));
    for (name, _) in made.names_from("", 1000) {
        assert_eq!(made.candidates(&name), kept.candidates(&name), "{name}");
    }
}
