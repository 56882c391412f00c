//! `findall list` and `findall names` on a short story, with the shipped models: every flag, what is kept, bad input, and
//! a larger model that behaves well or badly.

use std::path::Path;
use std::process::{Command, Output};

use findall_llm::testing::{ScriptedAct, ScriptedEndpoint};

/// A folder with the story in it, and a cache of its own.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mill.txt"), include_str!("../../../examples/the-mill.txt"))
            .unwrap();
        Desk { folder }
    }

    fn run(&self, args: &[&str]) -> Output {
        run(self.folder.path(), args)
    }

    /// Standard output of a list about Edith; it must have worked.
    fn list(&self, args: &[&str]) -> String {
        let output = self.run(&[&["list", "mill.txt", "--subject", "Edith"], args].concat());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// A list about Edith's friends by a scripted model: status, standard output, standard error.
    fn ask(&self, script: &ScriptedEndpoint, args: &[&str]) -> (Option<i32>, String, String) {
        let fixed =
            ["list", "mill.txt", "--subject", "Edith", "--relation", "friend", "--all", "--llm", &script.url];
        let model = ["--llm-model", "tiny"];
        let output = self.run(&[&fixed[..], &model, args].concat());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }
}

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_findall"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_DATA_HOME", "/nonexistent")
        .env_remove("FINDALL_CACHE")
        .env_remove("FINDALL_LLM_KEY")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn lines(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Names in a JSON list that were accepted, or all.
fn names(list: &serde_json::Value, accepted: bool) -> Vec<&str> {
    let objects = list["objects"].as_array().unwrap().iter();
    objects.filter(|o| !accepted || o["accepted"] == true).filter_map(|o| o["name"].as_str()).collect()
}

#[test]
fn the_cast_is_shown_with_names_counts_and_places() {
    let desk = Desk::new();
    let shown = text(&desk.run(&["names", "mill.txt"]).stdout);
    assert!(shown.contains("Edith Tarrant  (person, she)"), "{shown}");
    let people = text(&desk.run(&["names", "mill.txt", "--kind", "person", "--top", "3", "--json"]).stdout);
    let people = lines(&people);
    assert_eq!(people.len(), 3);
    let edith = people.iter().find(|member| member["name"] == "Edith Tarrant").unwrap();
    assert!(edith["count"].as_u64() > Some(10), "{edith}");
    assert_eq!(edith["first"]["line"], 5);
    let places = text(&desk.run(&["names", "mill.txt", "--kind", "place"]).stdout);
    assert!(places.contains("Lisbon") && !places.contains("Edith"), "{places}");
    let groups = text(&desk.run(&["names", "mill.txt", "--kind", "group"]).stdout);
    assert!(groups.contains("Tarrant family"), "{groups}");
}

#[test]
fn lists_are_right_on_a_story_that_nothing_was_fitted_on() {
    let desk = Desk::new();
    let all = lines(&desk.list(&["--json"]));
    assert_eq!(all.len(), 7, "every relation that a person can have");
    let of = |relation: &str| all.iter().find(|list| list["relation"] == relation).unwrap();
    assert!(names(of("sibling"), true).contains(&"Rupert Tarrant"), "{}", of("sibling"));
    assert!(names(of("parent"), true).iter().all(|name| ["Mr. Tarrant", "Mrs. Tarrant"].contains(name)));
    assert!(names(of("friend"), true).contains(&"Hugh Calloway"), "{}", of("friend"));
    let best = names(of("hasPlace"), false);
    assert!(best[..3].contains(&"Lisbon"), "{best:?}");
    let object = &of("friend")["objects"][0];
    let support = &object["support"][0];
    let (from, until) = (support["bytes"][0].as_u64().unwrap(), support["bytes"][1].as_u64().unwrap());
    let story = include_str!("../../../examples/the-mill.txt");
    assert_eq!(support["text"].as_str(), story.get(from as usize..until as usize));
    let marked = support["highlights"].as_array().unwrap();
    assert!(marked.iter().any(|mark| {
        let span = mark[0].as_u64().unwrap() as usize..mark[1].as_u64().unwrap() as usize;
        story.get(span).is_some_and(|marked| marked.contains("Edith") || marked.contains("Hugh"))
    }));
}

#[test]
fn lists_are_kept_and_thresholds_obeyed() {
    let desk = Desk::new();
    let friend = ["--relation", "friend"];
    let first = desk.list(&friend);
    assert!(first.starts_with("Edith Tarrant · friend: "), "{first}");
    let kept = desk.folder.path().join("cache/findall/lists");
    assert!(kept.is_dir());
    assert_eq!(desk.list(&friend), first);
    assert!(!first.contains("\n? ") && desk.list(&["--relation", "friend", "--all"]).contains("\n? "));
    assert!(desk.list(&["--relation", "friend", "--threshold", "1"]).contains(": 0 accepted"));
    let own = desk.list(&["--relation", "cities visited by", "--all"]);
    assert!(own.contains("Lisbon") && own.contains("Porto"), "{own}");
}

/// Every name of a list with the paper's score, which depends on the passages that were read and how.
fn generated(list: &serde_json::Value) -> Vec<(String, String)> {
    let objects = list["objects"].as_array().unwrap().iter();
    objects.map(|object| (object["name"].to_string(), object["generated"].to_string())).collect()
}

#[test]
fn every_way_of_reading_passages_reads_others() {
    let desk = Desk::new();
    let list = |args: &[&str]| generated(&lines(&desk.list(&[args, &["--json"]].concat()))[0]);
    let few = ["--relation", "family", "--passages", "10", "--batch", "5"];
    let all = ["--relation", "friend"];
    let (usual_few, usual_all) = (list(&few), list(&all));
    for (flag, value) in [
        ("--retriever", "words"),
        ("--retriever", "dense"),
        ("--rerank", "num"),
        ("--rerank", "amp"),
        ("--batching", "neo"),
        ("--batching", "sim"),
        ("--pool", "5"),
        ("--read", "2"),
    ] {
        assert_ne!(list(&[&few[..], &[flag, value]].concat()), usual_few, "{flag} {value} changes nothing");
    }
    for (flag, value) in [("--rerank", "div"), ("--passages", "5"), ("--batch", "3")] {
        assert_ne!(list(&[&all[..], &[flag, value]].concat()), usual_all, "{flag} {value} changes nothing");
    }
}

#[test]
fn every_test_decides_in_its_own_way() {
    let desk = Desk::new();
    let decided = |args: &[&str]| {
        let fixed = ["--relation", "friend", "--passages", "8", "--json", "--test"];
        let list = lines(&desk.list(&[&fixed[..], args].concat())).remove(0);
        let objects = list["objects"].as_array().unwrap().clone();
        objects
            .iter()
            .map(|it| (it["by"].as_str().unwrap().to_owned(), it["accepted"] == true))
            .collect::<Vec<_>>()
    };
    let by = |args: &[&str]| -> std::collections::BTreeSet<String> {
        decided(args).into_iter().map(|(by, _)| by).collect()
    };
    for test in ["calibrated", "thr", "pred", "dis", "conf"] {
        assert_eq!(by(&[test]).into_iter().collect::<Vec<_>>(), [test]);
    }
    for (test, second) in [("thr50+pred", "pred"), ("thr50+dis", "dis")] {
        assert_eq!(by(&[test]).into_iter().collect::<Vec<_>>(), [second, "thr50"]);
    }
    assert_ne!(decided(&["dis", "--masked"]), decided(&["dis"]), "without other names it decides otherwise");
}

#[test]
fn the_page_links_into_the_text() {
    let desk = Desk::new();
    let page = desk.list(&["--relation", "friend", "--output-format", "html"]);
    let link = page.split("href=\"#").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(page.contains(&format!("<span id=\"{link}\">")), "{link}");
    assert!(page.contains("<mark>Hugh") && page.contains("accepted by calibrated"), "{page}");
    assert!(page.contains("THE MILL AT ORRIN"));
}

#[test]
fn who_is_not_in_the_book_is_said_with_near_names() {
    let desk = Desk::new();
    let failure = |args: &[&str]| {
        let output = desk.run(&[&["list", "mill.txt"], args].concat());
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""));
        text(&output.stderr)
    };
    let near = failure(&["--subject", "Edit Tarrant"]);
    assert!(
        near.contains("nobody and nothing called \"Edit Tarrant\"") && near.contains("Edith Tarrant"),
        "{near}"
    );
    assert!(failure(&["--subject", "Xqzwv"]).contains("findall names shows who is"));
    assert!(failure(&["--subject", ""]).contains("nobody and nothing"));
    std::fs::write(desk.folder.path().join("empty.txt"), " \n").unwrap();
    let output = desk.run(&["list", "empty.txt", "--subject", "Edith"]);
    assert!(text(&output.stderr).contains("there is no text in it"));
    assert_eq!(text(&output.stderr).lines().count(), 1);
}

fn says(names: &str) -> ScriptedAct {
    ScriptedAct::Says(names.into())
}

#[test]
fn a_larger_model_names_and_every_name_is_located_or_said_not_to_be() {
    let desk = Desk::new();
    let script = ScriptedEndpoint::start(vec![
        says("[Hugh Calloway, Sherlock Holmes]"),
        ScriptedAct::SaysLikely(vec![
            ("[".into(), -0.1),
            ("Hugh".into(), -0.2),
            (", pear tree]".into(), -0.7),
        ]),
    ])
    .unwrap();
    let (status, list, told) =
        desk.ask(&script, &["--passages", "4", "--llm-price", "1,2", "--title", "The Mill"]);
    assert_eq!(status, Some(0), "{told}");
    assert!(list.contains("Hugh Calloway") && list.contains("thr"), "{list}");
    assert!(
        list.lines().any(|line| line.contains("Sherlock Holmes") && line.contains("not in the text")),
        "{list}"
    );
    assert!(
        list.lines().any(|line| line.contains("pear tree") && line.contains("sat together under")),
        "{list}"
    );
    assert!(told.contains("larger model: 3 calls, 300 tokens sent, 30 received, cost 0.0004"), "{told}");
    let asked = script.asked.lock().unwrap().clone();
    assert!(
        asked[0].contains("The Mill") && !asked[0].contains("pear tree"),
        "first from memory: {}",
        asked[0]
    );
    assert!(
        asked[1].contains("Sherlock Holmes") && asked[1].contains("Edith"),
        "then with passages: {}",
        asked[1]
    );
    // The same again is kept whole; another way of asking is not.
    assert_eq!(desk.ask(&script, &["--passages", "4", "--title", "The Mill"]).1, list);
    assert_eq!(script.calls(), 3);
    let (_, single, _) = desk.ask(&script, &["--passages", "4", "--prompting", "single"]);
    assert!(single.contains("Hugh") && script.calls() == 5, "{}", script.calls());
    // Templates that agree on the passages ask the same, and what was asked is kept.
    desk.ask(&script, &["--passages", "2", "--prompting", "ensemble"]);
    assert!((5 + 1 + 1..=5 + 1 + 5).contains(&script.calls()), "{}", script.calls());
}

#[test]
fn a_model_that_dies_in_the_middle_leaves_a_partial_list_and_a_place_to_go_on_from() {
    let desk = Desk::new();
    let acts = vec![says("[Hugh Calloway]"), says("[Susan]"), ScriptedAct::Dies, says("[Rupert]")];
    let script = ScriptedEndpoint::start(acts).unwrap();
    let (status, list, told) = desk.ask(&script, &["--passages", "6", "--llm-retries", "0"]);
    assert_eq!(status, Some(2), "{told}");
    assert!(list.contains("partial") && list.contains("Hugh Calloway") && list.contains("Susan"), "{list}");
    assert!(told.contains("2 of 4 calls were answered") && told.contains("broke off"), "{told}");
    let (status, list, told) = desk.ask(&script, &["--passages", "6", "--llm-retries", "0"]);
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("2 calls (2 more kept from before)"), "{told}");
    assert!(list.contains("Susan") && list.contains("Rupert") && !list.contains("partial"), "{list}");
}

#[test]
fn faults_of_an_endpoint_are_one_clear_line() {
    let desk = Desk::new();
    for (act, expected) in [
        (ScriptedAct::Hangs, "no answer within 2 s"),
        (ScriptedAct::Answers(200, "", "<!doctype html><p>Sign in".into()), "a page of HTML"),
        (ScriptedAct::Answers(200, "", "{\"choices\":".into()), "no completion"),
        (ScriptedAct::Answers(401, "", "no".into()), "FINDALL_LLM_KEY"),
    ] {
        // Only who never answers is waited for in vain.
        let timeout = if matches!(act, ScriptedAct::Hangs) { "2" } else { "120" };
        let script = ScriptedEndpoint::start(vec![act]).unwrap();
        let (status, list, told) = desk.ask(&script, &["--llm-retries", "0", "--llm-timeout", timeout]);
        assert_eq!((status, list.as_str()), (Some(2), ""), "{told}");
        assert!(told.contains(expected) && told.lines().count() == 1, "{told}");
    }
    let many = (0..10_000).map(|n| format!("Person {n}")).collect::<Vec<_>>().join(", ");
    let script = ScriptedEndpoint::start(vec![says(&many)]).unwrap();
    let (status, list, told) = desk.ask(&script, &["--passages", "2"]);
    assert_eq!(status, Some(2), "{told}");
    assert!(
        told.contains("more names than are read") && list.contains(": 0 accepted of 300 candidates, partial"),
        "{told}"
    );
    let nonsense =
        desk.run(&["list", "mill.txt", "--subject", "Edith", "--llm", "nowhere", "--llm-model", "m"]);
    assert!(text(&nonsense.stderr).contains("no address of a model"), "{}", text(&nonsense.stderr));
}
