//! Collision filters: layers exclude pairs that a game does not need.
//!
//! ```text
//! without layers: 10 pairs
//! with layers: 5 pairs
//!   ground and player
//!   ground and enemy
//!   wall and player
//!   wall and enemy
//!   enemy and bullet
//! ```

use broadphase::glam::Vec3;
use broadphase::{Aabb, Auto, BroadPhase, Frame, Layer, Pair};

/// Groups, 0 to 31. Ground and walls are in group 0.
const PLAYER: u8 = 1;
const ENEMY: u8 = 2;
const BULLET: u8 = 3;

fn main() {
    let objects = [
        // Two static objects are never a pair.
        ("ground", Layer::STATIC),
        ("wall", Layer::STATIC),
        // A mask has a bit for each group that the object meets. Both masks of a pair must agree.
        ("player", Layer { group: PLAYER, mask: !(1 << ENEMY), ..Layer::ALL }),
        ("enemy", Layer { group: ENEMY, ..Layer::ALL }),
        ("bullet", Layer { group: BULLET, mask: 1 << ENEMY, ..Layer::ALL }),
    ];
    let layers = objects.map(|(_, layer)| layer);
    // All five overlap.
    let boxes = [Aabb::around_sphere(Vec3::ZERO, 1.0); 5];

    let frame = Frame::new(&boxes);
    println!("without layers: {} pairs", pairs_of(&frame).len());

    let pairs = pairs_of(&frame.layered(&layers));
    println!("with layers: {} pairs", pairs.len());
    for pair in pairs {
        let [a, b] = [pair.a, pair.b].map(|object| objects[object as usize].0);
        println!("  {a} and {b}");
    }
}

/// The pairs of one frame, sorted.
fn pairs_of(frame: &Frame<'_>) -> Vec<Pair> {
    let (mut broad_phase, mut pairs) = (Auto::default(), Vec::new());
    broad_phase.pairs(frame, &mut pairs);
    pairs.sort_unstable();
    pairs
}
