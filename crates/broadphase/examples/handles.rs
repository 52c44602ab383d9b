//! Objects by handle: bullets fly through targets, which vanish when they are hit.
//!
//! ```text
//! frame 3: bullet 100 hits target 0
//! frame 5: bullet 101 hits target 1
//! frame 6: bullet 102 hits target 2
//! frame 9: bullet 103 leaves the world
//! 0 objects are left
//! a removed object is refused: true
//! ```

use broadphase::glam::Vec3;
use broadphase::{Aabb, Layer, ObjectId, Space, SpaceError};

/// The caller's numbers of bullets begin here.
const FIRST_BULLET: u64 = 100;

fn main() -> Result<(), SpaceError> {
    let mut space = Space::new();
    // Bullets meet targets, but no other bullet.
    let bullet_layer = Layer { group: 1, mask: 1, ..Layer::ALL };
    let place = |x: f32, lane: u64| Vec3::new(x, 3.0 * lane as f32, 0.0);
    for lane in 0..3u8 {
        let at = place(3.5 + 1.5 * f32::from(lane), lane.into());
        space.insert(Aabb::around_sphere(at, 0.8), Layer::STATIC, lane.into())?;
    }
    let mut bullets: Vec<(ObjectId, u64, f32)> = Vec::new();
    for lane in 0..4 {
        let id = space.insert(Aabb::EMPTY, bullet_layer, FIRST_BULLET + lane)?;
        bullets.push((id, lane, 0.0));
    }

    let mut hits = Vec::new();
    for frame in 1..=9 {
        // Only what moves is set. A bullet that has hit is gone.
        bullets.retain(|(id, ..)| space.contains(*id));
        for (id, lane, x) in &mut bullets {
            *x += 1.0;
            space.set_box(*id, Aabb::around_sphere(place(*x, *lane), 0.1))?;
        }
        hits.clear();
        hits.extend(space.step().began());
        for hit in &hits {
            let (target, bullet) = (hit.users[0].min(hit.users[1]), hit.users[0].max(hit.users[1]));
            println!("frame {frame}: bullet {bullet} hits target {target}");
            for id in hit.ids {
                space.remove(id)?;
            }
        }
    }
    let left: Vec<_> = space.ids().collect();
    for id in left {
        println!("frame 9: bullet {} leaves the world", space.remove(id)?);
    }
    println!("{} objects are left", space.len());
    println!("a removed object is refused: {}", space.user(bullets[0].0).is_err());
    Ok(())
}
