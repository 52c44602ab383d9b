//! What a frame of 10,000 boxes costs through the C interface, compared with the Rust library.
//!
//! Each frame is searched by three instances of `auto`, in changing order: by the Rust library, by the
//! Rust library with `check_boxes`, and by the C interface, which always checks. One thread.
//!
//! ```text
//! cargo run --release -p broadphase-c --example overhead
//! ```
#![allow(unsafe_code, reason = "C functions are called")]

use broadphase::registry::{self, Settings};
use broadphase::{Aabb, BroadPhase, Frame, check_boxes};
use broadphase_c::{BpBroadPhase, BpStatus, bp_create, bp_destroy, bp_find_pairs};
use sim::{GeneratedBoxes, GeneratedSpec};
use std::error::Error;
use std::ptr;
use std::time::Instant;

const OBJECTS: usize = 10_000;
const FRAMES: usize = 3_000;
/// Frames before the first one that is timed.
const WARM_UP: usize = 300;
/// Finds the pairs of a frame, and gives their number.
type Search = Box<dyn FnMut(&[Aabb]) -> usize>;

fn main() -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("microseconds of a frame, mean of {FRAMES}; C over Rust by means, and by medians");
    for input in ["gas:10000", "stadium:10000", "brownian:10000", "terdiman:10000"] {
        let spec: GeneratedSpec = input.parse()?;
        let [plain, checked, c] = pool.install(|| measure(&spec));
        println!(
            "{input:16} Rust {:6.1}   with check_boxes {:6.1}   C {:6.1}   C / Rust {:.3} {:.3}   \
             C / Rust with check_boxes {:.3} {:.3}",
            plain.mean,
            checked.mean,
            c.mean,
            c.mean / plain.mean,
            c.median / plain.median,
            c.mean / checked.mean,
            c.median / checked.median,
        );
    }
    Ok(())
}

/// Times of many frames, in microseconds.
#[derive(Clone, Copy)]
struct Times {
    mean: f64,
    median: f64,
}

impl Times {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_unstable_by(f64::total_cmp);
        Self {
            mean: times.iter().sum::<f64>() / times.len() as f64,
            median: times[times.len() / 2],
        }
    }
}

fn measure(spec: &GeneratedSpec) -> [Times; 3] {
    let mut searches = [rust(false), rust(true), c()];
    let mut motion = GeneratedBoxes::new(spec);
    let mut boxes = Vec::new();
    let mut times = [const { Vec::new() }; 3];
    for frame in 0..WARM_UP + FRAMES {
        motion.next_frame(&mut boxes);
        // The first search of a frame finds the boxes outside the nearest cache.
        let mut counts = [0; 3];
        for turn in 0..3 {
            let which = (frame + turn) % 3;
            let start = Instant::now();
            counts[which] = searches[which](&boxes);
            let time = start.elapsed().as_secs_f64() * 1e6;
            if frame >= WARM_UP {
                times[which].push(time);
            }
        }
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?} pairs");
    }
    times.map(Times::of)
}

fn rust(is_checked: bool) -> Search {
    let entry = registry::find("auto").expect("it is in the registry");
    let mut algorithm: Box<dyn BroadPhase> =
        entry.create(&Settings::new(OBJECTS)).expect("there is no memory limit");
    let mut pairs = Vec::new();
    Box::new(move |boxes| {
        if is_checked {
            check_boxes(boxes).expect("the generator makes valid boxes");
        }
        let frame = Frame::new(boxes);
        pairs.clear();
        algorithm.update(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
        pairs.len()
    })
}

fn c() -> Search {
    struct Instance(*mut BpBroadPhase);
    impl Drop for Instance {
        fn drop(&mut self) {
            // SAFETY: live, and not used afterwards.
            let _ = unsafe { bp_destroy(self.0) };
        }
    }
    let mut instance = Instance(ptr::null_mut());
    // SAFETY: a string, no settings, and a variable.
    let status = unsafe { bp_create(c"auto".as_ptr(), ptr::null(), &mut instance.0) };
    assert_eq!(status, BpStatus::Ok);
    Box::new(move |boxes| {
        let instance = &instance;
        let (mut pairs, mut count) = (ptr::null(), 0);
        // SAFETY: a live instance, boxes of the same layout, and variables.
        let status = unsafe {
            bp_find_pairs(instance.0, boxes.as_ptr().cast(), boxes.len(), &mut pairs, &mut count)
        };
        assert_eq!(status, BpStatus::Ok);
        count
    })
}
