//! What strangers put into folders: loops, unreadable files, nonsense. One line names the file and says what to do;
//! exit 2 when the file was asked for by name, a warning and going on when it was met in a folder; never a panic.

#![cfg(unix)]

#[allow(dead_code, reason = "the engine's tests use more of it")]
#[path = "../../findall/tests/engine/fixtures.rs"]
mod fixtures;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// No hostile file may cost more than this, which a shell can limit: kilobytes of address space, and seconds of a processor, which a
/// machine with other work does not make more.
const MAX_MEMORY_KB: u32 = 1_000_000;
const MAX_PROCESSOR_SECONDS: u32 = 60;

fn findall(folder: &Path, args: &[&str]) -> Output {
    let limits =
        format!("ulimit -v {MAX_MEMORY_KB} 2>/dev/null; ulimit -t {MAX_PROCESSOR_SECONDS}; exec \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limits, "sh"])
        .arg(env!("CARGO_BIN_EXE_findall"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("FINDALL_MEANING", "false")
        // Each thread's arena reserves address space that nothing uses.
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.code().is_some(), "{args:?} was stopped: {}", output.status);
    output
}

fn folder_with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

#[track_caller]
fn check(output: &Output, code: i32, stdout: &str, complaints: &[&str]) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout, "{errors}");
    assert_eq!(errors.lines().count(), complaints.len(), "{errors}");
    for (line, complaint) in errors.lines().zip(complaints) {
        assert!(line.starts_with("findall: ") && line.contains(complaint), "{line}");
    }
}

#[test]
fn names_of_any_bytes_come_out_as_they_are() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt")), "a lamp\n").unwrap();
    let said = |args: &[&str]| findall(folder.path(), args).stdout;
    assert_eq!(said(&["-l", "lamp", "."]), b"caf\xe9.txt\n");
    assert_eq!(said(&["-0", "-l", "lamp", "."]), b"caf\xe9.txt\0");
    assert_eq!(said(&["--null", "-c", "lamp", "."]), b"caf\xe9.txt\x001\n");
    assert_eq!(said(&["-0", "-n", "lamp", "."]), b"caf\xe9.txt\x001:a lamp\n");
    let json = String::from_utf8(said(&["--json", "lamp", "."])).unwrap();
    assert_eq!(json.matches(r#""path_bytes":"Y2Fm6S50eHQ=""#).count(), 3, "{json}");
}

/// Files that cannot be read, each with what is said about it.
fn refused() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let page = fixtures::pdf(&[&["a lamp"], &["another"]]);
    let letter = fixtures::docx("<w:p><w:r><w:t>a lamp</w:t></w:r></w:p>");
    let book = fixtures::epub(&["<p>a lamp</p>"]);
    let half = |file: &[u8]| file[..file.len() / 2].to_vec();
    let spaces = vec![b' '; 64 << 20];
    let chapter = format!("<p>{}</p>", "a".repeat(64 << 20));
    let many: Vec<String> = (0..30_000).map(|number| number.to_string()).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let locked_book = fixtures::zip(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", br#"<rootfile full-path="b.opf"/>"#),
        ("META-INF/encryption.xml", br#"<CipherReference URI="c.xhtml"/>"#),
        (
            "b.opf",
            br#"<manifest><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine>"#,
        ),
        ("c.xhtml", b"\x01\x02"),
    ]);
    vec![
        ("bomb.docx", fixtures::zip(&[("word/document.xml", &spaces)]), "looks like a zip bomb"),
        ("bomb.epub", fixtures::epub(&[&chapter]), "looks like a zip bomb"),
        ("bomb.pdf", fixtures::pdf_bomb(200 << 20), "looks like a zip bomb"),
        ("cut.docx", half(&letter), "damaged or truncated DOCX file"),
        ("cut.epub", half(&book), "damaged or truncated EPUB file"),
        ("cut.pdf", half(&page), "damaged or truncated PDF file"),
        (
            "locked.docx",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 locked".to_vec(),
            "password-protected; save a copy",
        ),
        ("locked.epub", locked_book, "password-protected; save a copy"),
        ("locked.pdf", fixtures::protected_pdf(&[&["a lamp"]], "hunter2"), "password-protected; save a copy"),
        ("many.docx", fixtures::zip(&many), "number of archive entries is 30000, over the limit"),
    ]
}

#[test]
fn what_cannot_be_read_is_an_error_by_name_and_a_warning_in_a_folder() {
    let files = refused();
    let folder = folder_with(&[("whole.txt", b"one lamp\n")]);
    for (name, bytes, complaint) in &files {
        fs::write(folder.path().join(name), bytes).unwrap();
        let output = findall(folder.path(), &["lamp", name]);
        check(&output, 2, "", &[complaint]);
        assert!(String::from_utf8_lossy(&output.stderr).starts_with(&format!("findall: {name}: ")));
    }
    let output = findall(folder.path(), &["lamp", "."]);
    let complaints: Vec<String> = files.iter().map(|(name, ..)| format!("{name}: ")).collect();
    let complaints: Vec<&str> = complaints.iter().map(String::as_str).collect();
    check(&output, 0, "whole.txt:one lamp\n", &complaints);
    let errors = String::from_utf8_lossy(&output.stderr);
    for (line, (_, _, complaint)) in errors.lines().zip(&files) {
        assert!(line.contains(complaint) && line.ends_with("(skipped)"), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_directory_loop_is_named_and_passed_over() {
    let folder = folder_with(&[("a.txt", b"a lamp\n")]);
    fs::create_dir(folder.path().join("inner")).unwrap();
    std::os::unix::fs::symlink("..", folder.path().join("inner/back")).unwrap();
    fs::write(folder.path().join("z.txt"), "one lamp more\n").unwrap();
    let found = "a.txt:a lamp\nz.txt:one lamp more\n";
    check(&findall(folder.path(), &["lamp", "."]), 0, found, &[]);
    check(&findall(folder.path(), &["-L", "lamp", "."]), 0, found, &["inner/back: a link back to"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_unreadable_file_in_a_folder_is_a_warning() {
    let folder = folder_with(&[("a.txt", b"a lamp\n")]);
    // Root may read everything except what the kernel refuses.
    std::os::unix::fs::symlink("/proc/self/mem", folder.path().join("memory")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("dangling")).unwrap();
    let output = findall(folder.path(), &["-L", "lamp", "."]);
    let complaints = ["dangling: a link to nothing; skipped, mend or remove it", "memory: cannot be read"];
    check(&output, 0, "a.txt:a lamp\n", &complaints);
    let named = findall(folder.path(), &["-L", "lamp", "dangling"]);
    check(&named, 2, "", &["dangling: a link to nothing; mend or remove it"]);
    check(&findall(folder.path(), &["lamp", "memory"]), 2, "", &["memory: cannot be read"]);
}

#[test]
fn a_complaint_stays_one_line_whatever_the_file_is_called() {
    let folder = folder_with(&[]);
    check(&findall(folder.path(), &["lamp", "a\nb\x1b[2J"]), 2, "", &["a b [2J: no such file"]);
}

#[test]
fn a_file_over_the_limit_is_refused_unread() {
    let folder = folder_with(&[]);
    fs::File::create(folder.path().join("huge.txt")).unwrap().set_len(1 << 40).unwrap();
    check(
        &findall(folder.path(), &["lamp", "huge.txt"]),
        2,
        "",
        &["huge.txt: file size in bytes is 1099511627776"],
    );
    check(&findall(folder.path(), &["lamp", "."]), 1, "", &["huge.txt: file size"]);
    fs::write(folder.path().join("huge.txt"), "a lamp\n".repeat(200_000)).unwrap();
    let args = ["--max-filesize", "1", "-c", "lamp", "huge.txt"];
    check(&findall(folder.path(), &args), 2, "", &["over the limit of 1000000"]);
    check(&findall(folder.path(), &args[2..]), 0, "200000\n", &[]);
}

#[test]
fn standard_input_without_end_is_read_as_far_as_is_shown() {
    use std::io::Write;
    let read_from = |args: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_findall"))
            // Whoever reads on comes to the limit, and fails there.
            .args(["--max-filesize", "20", "--exact"])
            .args(args)
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || while input.write_all(b"one lamp\nno light\n").is_ok() {});
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    };
    check(&read_from(&["-m", "3", "lamp", "-"]), 0, "one lamp\none lamp\none lamp\n", &[]);
    check(&read_from(&["-m", "1", "-n", "-A", "1", "lamp"]), 0, "1:one lamp\n2-no light\n", &[]);
    check(&read_from(&["lamp", "-"]), 2, "", &["<stdin>: file size"]);
}

#[test]
fn many_matches_are_written_as_they_come() {
    // Several times what waits in memory before it is written.
    let folder = folder_with(&[("a.txt", "a lamp\n".repeat(20_000).as_bytes())]);
    let output = findall(folder.path(), &["--exact", "--json", "lamp", "a.txt"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let events = String::from_utf8(output.stdout).unwrap();
    let kinds: Vec<&str> = events.lines().filter_map(|line| line.split('"').nth(3)).collect();
    assert_eq!(kinds.len(), 20_003);
    assert_eq!((kinds[0], kinds[20_001], kinds[20_002]), ("begin", "end", "summary"));
    assert!(kinds[1..20_001].iter().all(|kind| *kind == "match"));
    let lines = findall(folder.path(), &["--exact", "-n", "lamp", "a.txt"]).stdout;
    assert!(lines.starts_with(b"1:a lamp\n") && lines.ends_with(b"\n20000:a lamp\n"));
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let deep = format!("{}a lamp{}", "<div>".repeat(10_000), "</div>".repeat(10_000));
    let letter = fixtures::docx("<w:p><w:r><w:t>&#xD800; a lamp &#x110000; &nothing;</w:t></w:r></w:p>");
    let folder = folder_with(&[
        ("bad-utf8.txt", b"one \xff\xfe lamp \xc3\n".as_slice()),
        ("deep.html", deep.as_bytes()),
        ("empty.txt", b""),
        ("letter.docx", &letter),
        ("rtl.txt", "\u{5d0}\u{5d1} lamp\u{301} \u{202e}pmal\n".as_bytes()),
        ("surrogate.html", b"<p>&#xD800; lamp &#x110000; &#0;</p>"),
        ("utf16-lone.txt", b"\xff\xfel\0a\0m\0p\0\x00\xd8 \0"),
    ]);
    let output = findall(folder.path(), &["-l", "lamp", "."]);
    let found = "bad-utf8.txt\ndeep.html\nletter.docx\nrtl.txt\nsurrogate.html\nutf16-lone.txt\n";
    check(&output, 0, found, &[]);
    check(&findall(folder.path(), &["lamp", "empty.txt"]), 1, "", &[]);
}

#[test]
fn nuls_make_a_file_binary_unless_a_person_says_it_is_text() {
    let folder = folder_with(&[("a.txt", b"a lamp\n"), ("nul.txt", b"a \0\x01 lamp\n")]);
    check(&findall(folder.path(), &["lamp", "."]), 0, "a.txt:a lamp\n", &[]);
    check(
        &findall(folder.path(), &["lamp", "nul.txt"]),
        2,
        "",
        &["nul.txt: binary file, not searched; pass"],
    );
    let output = findall(folder.path(), &["--format", "text", "lamp", "nul.txt"]);
    check(&output, 0, "a \0\x01 lamp\n", &[]);
}

#[test]
fn right_to_left_and_combining_marks_are_letters_like_others() {
    let text = "\u{5e9}\u{5b8}\u{5c1}\u{5dc}\u{5d5}\u{5b9}\u{5dd} to the cafe\u{301}\n\u{645}\u{64e}\u{631}\u{62d}\u{628}\u{627}\n";
    let folder = folder_with(&[("a.txt", text.as_bytes())]);
    let found = |query: &str| findall(folder.path(), &["--exact", "-o", query, "a.txt"]);
    // Points and accents may be left out, and come along whole in what is found.
    check(
        &found("\u{5e9}\u{5dc}\u{5d5}\u{5dd}"),
        0,
        "\u{5e9}\u{5b8}\u{5c1}\u{5dc}\u{5d5}\u{5b9}\u{5dd}\n",
        &[],
    );
    check(&found("caf\u{e9}"), 0, "cafe\u{301}\n", &[]);
    check(
        &found("\u{645}\u{631}\u{62d}\u{628}\u{627}"),
        0,
        "\u{645}\u{64e}\u{631}\u{62d}\u{628}\u{627}\n",
        &[],
    );
    check(&found("\u{301}"), 0, "\u{301}\n", &[]);
}

#[test]
fn an_endless_query_is_refused() {
    let folder = folder_with(&[("a.txt", b"a lamp\n")]);
    check(
        &findall(folder.path(), &[&"x".repeat(10_000), "a.txt"]),
        2,
        "",
        &["the query has 10000 characters"],
    );
}

#[test]
fn on_a_terminal_a_document_cannot_drive_it() {
    let folder = folder_with(&[("a.txt", b"a \x1b]0;owned\x07lamp\n")]);
    let output = findall(folder.path(), &["-p", "--color=never", "lamp", "a.txt"]);
    check(&output, 0, "1:a ␛]0;owned␇lamp\n", &[]);
}
