//! The open_access under test: codes, tokens, guesses, and a second process that changes the file.

use super::*;

fn open_access() -> (tempfile::TempDir, Access) {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open(&folder.path().join("state")).unwrap();
    (folder, access)
}

fn reopen_access(folder: &tempfile::TempDir) -> Access {
    Access::open(&folder.path().join("state")).unwrap()
}

#[test]
fn a_code_gives_one_token_and_only_hashes_are_kept() {
    let (folder, access) = open_access();
    let code = access.new_code().unwrap();
    assert_eq!(code.len(), 9);
    let typed = code.to_lowercase().replace('-', " ");
    let token = access.redeem(&typed, Some("chrome-extension://abc"), Some("Chrome")).unwrap().unwrap();
    assert_eq!(access.redeem(&code, None, None).unwrap(), None, "used up");
    assert_eq!(access.grant(&token).unwrap().origin.as_deref(), Some("chrome-extension://abc"));
    assert!(access.is_paired("chrome-extension://abc") && !access.is_paired("chrome-extension://abd"));
    assert_eq!(access.grant(&code), None);
    assert_eq!(access.grant(""), None);
    let kept = std::fs::read_to_string(folder.path().join("state/access.json")).unwrap();
    assert!(!kept.contains(&token) && !kept.contains(&code), "{kept}");
}

#[test]
fn five_guesses_and_the_code_is_gone() {
    let (_folder, access) = open_access();
    let code = access.new_code().unwrap();
    for _ in 0..MAX_CODE_TRIES {
        assert_eq!(access.redeem("ZZZZ-0000x", None, None).unwrap(), None);
    }
    assert_eq!(access.redeem(&code, None, None).unwrap(), None);
}

#[test]
fn the_fifth_try_may_still_be_right() {
    let (_folder, access) = open_access();
    let code = access.new_code().unwrap();
    for _ in 0..MAX_CODE_TRIES - 1 {
        access.redeem("", None, None).unwrap();
    }
    assert!(access.redeem(&code, None, None).unwrap().is_some());
}

#[test]
fn an_old_code_is_refused() {
    let (folder, access) = open_access();
    let code = access.new_code().unwrap();
    let path = folder.path().join("state/access.json");
    file::change(&path, |stored| stored.code.as_mut().unwrap().expires = now()).unwrap();
    assert_eq!(access.redeem(&code, None, None).unwrap(), None);
}

#[test]
fn a_running_server_notices_what_another_process_changed() {
    let (folder, access) = open_access();
    let code = reopen_access(&folder).new_code().unwrap();
    let token = access.redeem(&code, None, None).unwrap().unwrap();
    assert!(access.grant(&token).is_some());
    reopen_access(&folder).rotate().unwrap();
    assert_eq!(access.grant(&token), None);
    assert!(!access.has_tokens());
}

#[cfg(unix)]
#[test]
fn the_file_is_for_its_owner_and_refused_when_it_is_not() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, access) = open_access();
    let code = access.new_code().unwrap();
    let token = access.redeem(&code, None, None).unwrap().unwrap();
    let path = folder.path().join("state/access.json");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(matches!(Access::open(path.parent().unwrap()), Err(AccessError::Open { mode: 0o644, .. })));
    assert_eq!(access.grant(&token), None, "a running server refuses it too");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(access.grant(&token).is_some(), "mended as advised, it is read again");
    std::fs::write(&path, "{").unwrap();
    assert!(matches!(Access::open(path.parent().unwrap()), Err(AccessError::Damaged { .. })));
    assert_eq!(access.grant(&token), None, "a damaged file lets nobody in");
}

#[test]
fn a_burst_of_guesses_from_many_threads_counts_every_one() {
    let (_folder, access) = open_access();
    access.new_code().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(access.redeem("AAAA-0000", None, None).unwrap(), None));
        }
    });
    assert!(!access.has_tokens());
}
