//! Searches by the Rust library in child processes of `fork`. They are here since `fork` is unsafe.
#![cfg(unix)]
#![allow(unsafe_code, reason = "fork is unsafe")]

use broadphase::{Aabb, Auto, BroadPhase, Frame, Pair, glam::Vec3};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn kill(process: i32, signal: i32) -> i32;
    fn _exit(status: i32) -> !;
}

const WNOHANG: i32 = 1;
const SIGKILL: i32 = 9;

/// A child that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asserts that a search in a child process gives the expected pairs.
#[track_caller]
fn assert_child_finds(expected: &[Pair], search: impl FnOnce() -> Vec<Pair>) {
    // SAFETY: the child only searches. The system's allocator can be used in it.
    let child = unsafe { fork() };
    assert!(child >= 0, "no child process");
    if child == 0 {
        let is_same = catch_unwind(AssertUnwindSafe(|| search() == expected)).unwrap_or(false);
        // SAFETY: it ends the process, without the destructors of the parent's values.
        unsafe { _exit(i32::from(!is_same)) };
    }
    let (begin, mut status) = (Instant::now(), 0);
    // SAFETY: the status is a variable.
    while unsafe { waitpid(child, &mut status, WNOHANG) } == 0 {
        if begin.elapsed() > PATIENCE {
            // SAFETY: the child has not been waited for, so that the number is still its own.
            unsafe { kill(child, SIGKILL) };
            panic!("the child hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(status, 0, "the child found other pairs, or failed");
}

/// Boxes that are searched on several threads.
fn boxes() -> Vec<Aabb> {
    let cell = |i: usize| [i % 40, i / 40 % 40, i / 1600].map(|at| at as f32);
    (0..60_000)
        .map(|i| Aabb::around_sphere(Vec3::from(cell(i)), 0.4 + (i % 7) as f32 * 0.03))
        .collect()
}

fn find_pairs(algorithm: &mut Auto, frame: &Frame<'_>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    algorithm.find_pairs(frame, &mut pairs);
    pairs.sort_unstable();
    pairs
}

fn search(algorithm: &mut Auto, boxes: &[Aabb]) -> Vec<Pair> {
    let frame = Frame::new(boxes);
    algorithm.update(&frame);
    find_pairs(algorithm, &frame)
}

fn pool() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap()
}

/// One test, since the order counts: what the process has used before it forks.
pub(crate) fn every_child_finds_the_pairs_of_its_parent() {
    let boxes = &boxes();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let expected = &one.install(|| search(&mut Auto::default(), boxes));
    assert!(expected.len() > 10_000);

    eprintln!("the program has used the global pool itself");
    rayon::join(|| (), || ());
    assert_child_finds(expected, || search(&mut Auto::default(), boxes));

    eprintln!("the library has used the global pool");
    let mut used = Auto::default();
    assert_eq!(&search(&mut used, boxes), expected);
    assert_child_finds(expected, || search(&mut used, boxes));
    assert_child_finds(expected, || search(&mut Auto::default(), boxes));

    eprintln!("the child of a child");
    assert_child_finds(expected, || {
        assert_child_finds(expected, || search(&mut Auto::default(), boxes));
        expected.clone()
    });

    eprintln!("the parent has updated, the child searches");
    let frame = Frame::new(boxes);
    used.update(&frame);
    assert_child_finds(expected, || find_pairs(&mut used, &frame));

    eprintln!("a pool that the child has built");
    assert_child_finds(expected, || pool().install(|| search(&mut Auto::default(), boxes)));

    eprintln!("a thread of a pool forks");
    pool().install(|| {
        assert_eq!(&search(&mut used, boxes), expected);
        assert_child_finds(expected, || search(&mut used, boxes));
    });
    rayon::scope(|scope| {
        scope.spawn(|_| assert_child_finds(expected, || search(&mut Auto::default(), boxes)));
    });

    assert_eq!(&search(&mut used, boxes), expected, "the parent goes on");
}
