//! Finds the pairs of a few moving balls, frame by frame.
//!
//! ```text
//! frame 2: objects 0 and 1 overlap
//! frame 2: objects 0 and 2 overlap
//! frame 2: objects 1 and 2 overlap
//! frame 3: objects 0 and 1 overlap
//! frame 3: objects 0 and 2 overlap
//! frame 4: objects 0 and 1 overlap
//! ```

use broadphase::glam::Vec3;
use broadphase::{Aabb, Auto, BroadPhase, Frame};

/// A ball that flies along x.
struct Ball {
    x: f32,
    /// Units per frame.
    velocity: f32,
}

fn main() {
    let ball = |x, velocity| Ball { x, velocity };
    let mut balls = [ball(0.0, 0.0), ball(3.0, -0.5), ball(8.0, -3.0)];

    // These are kept from frame to frame, so that steady frames hardly allocate.
    let mut broad_phase = Auto::default();
    let mut boxes = Vec::new();
    let mut pairs = Vec::new();

    for number in 0..5 {
        boxes.clear();
        boxes.extend(balls.iter().map(|ball| Aabb::around_sphere(Vec3::X * ball.x, 1.0)));

        let frame = Frame::new(&boxes);
        broad_phase.update(&frame);
        pairs.clear();
        broad_phase.find_pairs(&frame, &mut pairs);

        // Pairs come in no particular order; sorted, they are the same whichever algorithm finds them.
        pairs.sort_unstable();
        for pair in &pairs {
            println!("frame {number}: objects {} and {} overlap", pair.a, pair.b);
        }

        balls.iter_mut().for_each(|ball| ball.x += ball.velocity);
    }
}
