//! A signal removes unfinished files alone. What it removes may belong to no other test.

use sim::{AtomicFile, Unfinished, remove_unfinished};
use std::fs;
use std::io::Write;
use std::sync::mpsc::{TryRecvError, channel};

pub(crate) fn signal_leaves_finished_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut finished = AtomicFile::create(&path("finished")).unwrap();
    finished.write_all(b"whole").unwrap();
    finished.commit().unwrap();
    drop(AtomicFile::create(&path("dropped")).unwrap());
    let _open = AtomicFile::create(&path("open")).unwrap();
    let make = || fs::create_dir(path("folder")).map(|()| path("folder"));
    let (_, _unfinished) = Unfinished::make(make).unwrap();
    fs::write(path("folder/file"), "").unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    let none_made = remove_unfinished();
    let (waits, has_made) = channel();
    let other = path("other");
    let thread = std::thread::spawn(move || {
        waits.send(()).unwrap();
        let file = AtomicFile::create(&other);
        waits.send(()).unwrap();
        file
    });
    has_made.recv().unwrap();
    // It has begun, and would be done soon.
    (0..10_000).for_each(|_| std::thread::yield_now());
    assert_eq!(has_made.try_recv(), Err(TryRecvError::Empty));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(fs::read(path("finished")).unwrap(), b"whole");
    drop(none_made);
    thread.join().unwrap().unwrap();
}
