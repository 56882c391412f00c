//! What strangers put into folders: loops, unreadable files, nonsense. One line names the file and says what to do;
//! exit 2 when the file was asked for by name, a warning and going on when it was met in a folder; never a panic.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn findall(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_findall"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("FINDALL_MEANING", "false")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
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
    check(&output, 0, "a.txt:a lamp\n", &["dangling: ", "memory: cannot be read"]);
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
fn bytes_that_are_no_text_do_no_harm() {
    let deep = format!("{}a lamp{}", "<div>".repeat(10_000), "</div>".repeat(10_000));
    let folder = folder_with(&[
        ("bad-utf8.txt", b"one \xff\xfe lamp \xc3\n".as_slice()),
        ("deep.html", deep.as_bytes()),
        ("empty.txt", b""),
        ("rtl.txt", "\u{5d0}\u{5d1} lamp\u{301} \u{202e}pmal\n".as_bytes()),
        ("surrogate.html", b"<p>&#xD800; lamp &#x110000; &#0;</p>"),
    ]);
    let output = findall(folder.path(), &["-l", "lamp", "."]);
    let found = "bad-utf8.txt\ndeep.html\nrtl.txt\nsurrogate.html\n";
    check(&output, 0, found, &[]);
    check(&findall(folder.path(), &["lamp", "empty.txt"]), 1, "", &[]);
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
