//! A join: which of many moving bullets touch which targets.
//!
//! ```text
//! frame 0: bullet 0 hits target 0, bullet 3 hits target 1
//! frame 1: bullet 2 hits target 1
//! frame 2: bullet 1 hits target 1
//! ```

use broadphase::glam::Vec3;
use broadphase::{Aabb, Join};

fn main() {
    // Neither bullets nor targets are compared with each other.
    let targets = [2.0, 6.0].map(|x: f32| Aabb::around_sphere(Vec3::X * x, 0.5));
    let mut join = Join::default();
    let mut hits = Vec::new();
    for frame in 0u8..3 {
        let place = |bullet: u8| Vec3::X * f32::from(2 + bullet + frame) * 1.25;
        let bullets: Vec<_> =
            (0u8..4).map(|bullet| Aabb::around_sphere(place(bullet), 0.125)).collect();
        // The kept memory is reused: steady frames hardly allocate.
        hits.clear();
        join.find_pairs(&bullets, &targets, &mut hits);
        hits.sort_unstable();
        let hits = hits.iter().map(|hit| format!("bullet {} hits target {}", hit.a, hit.b));
        println!("frame {frame}: {}", hits.collect::<Vec<_>>().join(", "));
    }
}
