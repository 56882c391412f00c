//! Files and folders for one person alone: made so that nobody else can read them, and read only where they are plain
//! files of a sensible size. A link, a pipe or a device in their place is refused, so that none is followed or waited for.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Makes a folder that only its owner can enter. What is there already must be a folder, and no link to one.
pub fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    match std::fs::symlink_metadata(folder)?.is_dir() {
        true => Ok(()),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

/// How a file that only its owner can read is opened or made; a link is not followed, a pipe not waited for.
pub fn private_options() -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600).custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    options
}

/// Opens a plain file, if it is one.
pub fn open_private(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")),
    }
}

/// The bytes of a plain file that has at most `limit` of them.
pub fn read_private(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_private(path, private_options().read(true))?;
    let size = file.metadata()?.len();
    if size > limit {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::with_capacity(size as usize);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Takes from everyone but the owner what they may do with a file or a folder; true when there was something to take.
pub fn tighten(path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let metadata = std::fs::symlink_metadata(path)?;
        let mode = metadata.permissions().mode();
        if mode & 0o077 != 0 && !metadata.is_symlink() {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & 0o700))?;
            return Ok(true);
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(false)
}

/// The same for a folder and everything in it: the folder first, which shuts the door. Links are left alone.
pub fn tighten_all(folder: &Path) -> io::Result<()> {
    tighten(folder)?;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let done = match (kind.is_dir(), kind.is_file()) {
            (true, _) => tighten_all(&entry.path()),
            (_, true) => tighten(&entry.path()).map(|_| ()),
            _ => Ok(()),
        };
        match done {
            // Another process deletes what it no longer needs.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            done => done?,
        }
    }
    Ok(())
}

/// Refuses a folder that another user owns: whoever owns it can exchange what lies in it. Links to a folder are followed
/// here, because a person may keep it on another disk.
pub fn check_owner(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let owner = std::fs::metadata(folder)?.uid();
        // Linux shows a process to belong to its user; elsewhere `tighten` fails on what is another's.
        if std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() != owner) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it belongs to another user"));
        }
    }
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn links_pipes_and_giants_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("plain"), "words").unwrap();
        symlink(at("plain"), at("link")).unwrap();
        let pipe = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
        assert!(pipe.success());
        File::create(at("giant")).unwrap().set_len(3 << 30).unwrap();
        assert_eq!(read_private(&at("plain"), 100).unwrap(), b"words");
        for wrong in ["link", "pipe", "giant", "missing", "."] {
            assert!(read_private(&at(wrong), 100).is_err(), "{wrong}");
        }
        symlink(folder.path(), at("door")).unwrap();
        assert!(make_private_folder(&at("door")).is_err());
    }

    #[test]
    fn what_is_loose_is_tightened_once() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        make_private_folder(&inner).unwrap();
        assert_eq!((mode(&inner), mode(inner.parent().unwrap())), (0o700, 0o700));
        let file = inner.join("file");
        std::fs::write(&file, "words").unwrap();
        for (path, loose) in [(&inner, 0o755), (&file, 0o644)] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(loose)).unwrap();
        }
        tighten_all(folder.path()).unwrap();
        assert_eq!((mode(&inner), mode(&file)), (0o700, 0o600));
        assert!(!tighten(&file).unwrap());
        check_owner(folder.path()).unwrap();
    }
}
