//! Queries: objects touched by a box, hit by a ray, nearest to a point, and in the way of a moving box.
//!
//! ```text
//! in the blast: [11, 12, 13]
//! the laser hits 20 objects, 5 first, after 4.5 units
//! nearest to the player: 17, 0.5 units away
//! three within 2 units: [17, 16, 18]
//! the platform stops at 0.8125 of its way, at 20
//! is anything but 24 beyond x = 24? false
//! ```

use broadphase::Aabb;
use broadphase::glam::{DVec4, Vec3};
use broadphase::query::{Frustum, Hit, MovingBox, Probe, Query, QueryTree, Ray, Sphere};

fn main() {
    // Twenty crates in a row along x, 1 unit from centre to centre. The first five are absent.
    let place = |id: u8| Vec3::X * f32::from(id);
    let mut boxes: Vec<Aabb> = (0..25).map(|id| Aabb::around_sphere(place(id), 0.5)).collect();
    boxes[..5].fill(Aabb::EMPTY);

    // Keep the tree. Once a frame, it is brought up to date with the boxes.
    let mut tree = QueryTree::default();
    let query = tree.over(&boxes);

    let ids = |hits: &[Hit]| hits.iter().map(|hit| hit.object).collect::<Vec<_>>();
    let mut hits = Vec::new();
    let blast = Aabb::around_sphere(place(12), 0.9);
    query.all(&blast, &mut hits);
    hits.sort_unstable();
    println!("in the blast: {:?}", ids(&hits));

    let laser = Ray::new(Vec3::ZERO, Vec3::X);
    hits.clear();
    query.all(&laser, &mut hits);
    if let Some(first) = query.first(&laser) {
        println!(
            "the laser hits {} objects, {} first, after {} units",
            hits.len(),
            first.object,
            first.measure
        );
    }

    let player = place(17) + Vec3::Y;
    if let Some(nearest) = query.first(&Sphere::unbounded(player)) {
        let distance = nearest.measure.sqrt();
        println!("nearest to the player: {}, {distance} units away", nearest.object);
    }

    hits.clear();
    query.nearest_few(&Sphere::new(player, 2.0), 3, &mut hits);
    println!("three within 2 units: {:?}", ids(&hits));

    // A platform comes down along y, until it touches a crate.
    let start = Aabb::around_sphere(place(20) + Vec3::Y * 4.0, 0.25);
    let platform = MovingBox::new(start, Vec3::Y * -4.0);
    if let Some(stop) = query.first(&platform) {
        println!("the platform stops at {} of its way, at {}", stop.measure, stop.object);
    }

    let beyond = Frustum { planes: &[DVec4::new(1.0, 0.0, 0.0, -24.0)] };
    let any = query.any(&beyond.only(|object| object != 24));
    println!("is anything but 24 beyond x = 24? {any}");
}
