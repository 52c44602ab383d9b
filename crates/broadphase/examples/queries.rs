//! Queries: objects touched by a box, hit by a ray, and nearest to a point.
//!
//! ```text
//! in the blast: [11, 12, 13]
//! the laser hits 20 objects, 5 first, after 4.5 units
//! nearest to the player: 17, 0.5 units away
//! ```

use broadphase::algorithms::bvh::IncrementalBvh;
use broadphase::glam::Vec3;
use broadphase::{Aabb, BroadPhase, Frame, Query, Ray, Scan};

fn main() {
    // Twenty crates in a row along x, 1 unit from centre to centre. The first five are absent.
    let place = |id: u8| Vec3::X * f32::from(id);
    let mut boxes: Vec<Aabb> = (0..25).map(|id| Aabb::around_sphere(place(id), 0.5)).collect();
    boxes[..5].fill(Aabb::EMPTY);

    // Trees of boxes answer queries in logarithmic time. For any other algorithm, a scan of all boxes does.
    let mut tree = IncrementalBvh::default();
    tree.update(&Frame::new(&boxes));
    let query: &dyn Query = tree.query().unwrap_or(&Scan);

    let mut touched = Vec::new();
    let blast = Aabb::around_sphere(place(12), 0.9);
    query.touching(&boxes, &blast, &mut touched);
    touched.sort_unstable();
    println!("in the blast: {touched:?}");

    let laser = Ray::new(Vec3::ZERO, Vec3::X);
    let mut hits = Vec::new();
    query.along(&boxes, &laser, &mut hits);
    if let Some(first) = query.first_along(&boxes, &laser) {
        println!(
            "the laser hits {} objects, {} first, after {} units",
            hits.len(),
            first.object,
            first.t
        );
    }

    let player = place(17) + Vec3::Y;
    if let Some(nearest) = query.nearest(&boxes, player) {
        let distance = nearest.distance_squared.sqrt();
        println!("nearest to the player: {}, {distance} units away", nearest.object);
    }
}
