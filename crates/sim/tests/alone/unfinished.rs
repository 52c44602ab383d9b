//! A signal removes unfinished files alone. What it removes may belong to no other test.

use sim::{AtomicFile, Unfinished, remove_unfinished};
use std::fs;
use std::io::Write;

pub(crate) fn signal_leaves_finished_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut finished = AtomicFile::create(&path("finished")).unwrap();
    finished.write_all(b"whole").unwrap();
    finished.commit().unwrap();
    drop(AtomicFile::create(&path("dropped")).unwrap());
    let _open = AtomicFile::create(&path("open")).unwrap();
    fs::create_dir(path("folder")).unwrap();
    fs::write(path("folder/file"), "").unwrap();
    let _unfinished = Unfinished::new(&path("folder"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    remove_unfinished();
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(fs::read(path("finished")).unwrap(), b"whole");
}
