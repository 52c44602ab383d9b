//! Pairs that begin and end: a ball rolls through two zones that overlap each other.
//!
//! ```text
//! frame 2: the ball enters zone 1
//! frame 5: the ball enters zone 2
//! frame 7: the ball leaves zone 1
//! frame 10: the ball leaves zone 2
//! ```

use broadphase::glam::Vec3;
use broadphase::{Aabb, Auto, BroadPhase, Frame, Layer, PairEvents};

const BALL: u32 = 0;

fn main() {
    let zone = |from: f32, to: f32| Aabb::new(Vec3::new(from, -2.0, -2.0), Vec3::new(to, 2.0, 2.0));
    let zones = [zone(2.0, 5.5), zone(5.0, 8.5)];
    // Zones are static, so that they are no pair with each other.
    let layers = [Layer::ALL, Layer::STATIC, Layer::STATIC];

    let (mut broad_phase, mut events) = (Auto::default(), PairEvents::default());
    let mut pairs = Vec::new();
    for number in 0..12u8 {
        let ball = Aabb::around_sphere(Vec3::X * f32::from(number), 0.6);
        let boxes = [ball, zones[0], zones[1]];
        let frame = Frame::new(&boxes).layered(&layers);
        broad_phase.update(&frame);
        pairs.clear();
        broad_phase.find_pairs(&frame, &mut pairs);

        events.advance(&pairs);
        for (verb, changed) in [("enters", events.began()), ("leaves", events.ended())] {
            for pair in changed.iter().filter(|pair| pair.a == BALL) {
                println!("frame {number}: the ball {verb} zone {}", pair.b);
            }
        }
    }
}
