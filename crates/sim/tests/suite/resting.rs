//! Objects on what never moves, under gravity: they gain no height.

use crate::world_run::scene;
use broadphase::Pair;
use sim::scene::Continuous;
use sim::{Hold, Scene, World};

const GRAVITIES: [&str; 3] = ["weak", "medium", "strong"];

/// The ground that an object falls onto. Its highest point below the object is the origin.
const FLOOR: &str = "i -9 -9 0  18 18 18  100 t\n";
const RECTANGLE: &str = "p -1 -1 0  2 2 0  z\n";
/// A static sphere, which fills its source.
const MOUND: &str = "i -0.497 -0.5 -1  1 1 1  100 t\n#!layer source 1 static\n";
const SLAB: &str = "#!shape slab box 4 4 0.2\n#!body slab 0 0 -0.1  0 0 0  kinematic\n";
const RAMP: &str =
    "#!shape slab box 4 4 0.2\n#!body slab 0 0 -0.2  0 0 0  rotate 0 1 0 20 static\n";

/// A scene with an object above a support. Elsewhere there is a source, which every scene needs.
fn above(gravity: &str, support: &str, object: &str) -> Scene {
    let source = if support.starts_with('i') { "" } else { "i 30 30 30  1 1 1  100 t\n" };
    let objects = u8::from(support == MOUND);
    let lines = format!("#!objects {objects}\n#!radius 0.5\n#!gravity {gravity}");
    scene(&format!("{lines}\n{source}{support}{object}\n"))
}

/// The fall of half a step, and the rounding of a height to `f32`.
fn fall(scene: &Scene) -> f64 {
    let dt = f64::from(scene.dt);
    0.125 * scene.gravity.vector().length() * dt * dt + 1e-6
}

/// Steps a scene. Its last object rises by `most` at most. Returns its height at the end.
fn stepped(scene: &Scene, steps: u32, most: f64) -> f64 {
    let mut world = World::new(scene);
    let object = world.len() - 1;
    let height = |world: &World| match world.bodies() {
        Some(bodies) => bodies.states()[object].position.z,
        None => f64::from(world.positions()[object].z),
    };
    let pairs: Vec<Pair> =
        (0..object as u32).map(|other| Pair::new(other, object as u32)).collect();
    let start = height(&world);
    for step in 0..steps {
        world.step(Hold::None);
        world.respond(&pairs);
        let rise = height(&world) - start;
        assert!(rise <= most, "step {step}: {rise:e}, at most {most:e}: {scene:?}");
    }
    height(&world)
}

#[test]
fn spheres_on_supports_gain_no_height() {
    for gravity in GRAVITIES {
        // Below it are faces, an edge, a corner, an upright face, a strip and a sphere.
        let [edge, corner] = ["p 0 -1 0  2 2 0  z\n", "p 0 0 0  2 2 0  z\n"];
        let [upright, strip] = ["p 0 -1 -1  0 2 1  x\n", "p -1 -0.001 0  2 0.002 0  z\n"];
        for support in [FLOOR, RECTANGLE, edge, corner, upright, strip, MOUND] {
            for radius in [0.01, 0.05, 0.2] {
                for z in (-9..0).map(|power| radius + 1.3 * 10f64.powi(power)) {
                    let ball = format!("#!ball 0 0 {z:.10}  0 0 0  {radius}");
                    let scene = above(gravity, support, &ball);
                    stepped(&scene, 2400, fall(&scene));
                }
            }
        }
        // In a groove.
        for gap in [0.02_f64, 0.12, 0.2, 0.3] {
            let (half, side) = (0.5 * gap, 1.0 - 0.5 * gap);
            let groove = format!("p -1 -1 0  {side} 2 0  z\np {half} -1 0  {side} 2 0  z\n");
            let z = (0.2f64 * 0.2 - half * half).sqrt() + 1e-6;
            let scene = above(gravity, &groove, &format!("#!ball 0 0 {z:.10}  0 0 0  0.2"));
            stepped(&scene, 24_000, 4.0 * fall(&scene));
        }
    }
}

#[test]
fn bodies_above_a_support_gain_no_height() {
    for gravity in GRAVITIES {
        for support in [FLOOR, RECTANGLE, RAMP, MOUND] {
            // Lying flat, and turned; each with the height of its centre, in units of its scale, and the rest of its height.
            for (shape, center, turned, height) in [
                ("box 1 1 1", 0.5, "", 1e-7),
                ("box 1 2 4", 2.5, "rotate 0.3 0.8 -0.2 50", 1e-4),
                ("hull 16", 1.2, "", 1e-2),
                ("cone 1 2 9", 2.5, "rotate 0.3 0.8 -0.2 250", 1e-7),
            ] {
                let z = 0.1 * center + height;
                let body =
                    format!("#!shape it {shape}\n#!body it 0 0 {z:.8}  0 0 0  scale 0.1 {turned}");
                let scene = above(gravity, support, &body);
                // On a slope, a body may be turned against the fall of a whole step.
                stepped(&scene, 300, 4.0 * fall(&scene));
            }
        }
    }
}

#[test]
fn objects_at_rest_in_a_continuous_world_gain_no_height() {
    for (support, radius) in
        [FLOOR, RECTANGLE, MOUND, SLAB].into_iter().flat_map(|s| [(s, 0.01), (s, 0.2)])
    {
        for (shape, dt) in [("sphere 1", 0.0333), ("box 2 2 2", 0.0167), ("sphere 1", 0.004)] {
            let z = radius + 1.3e-7;
            let body = format!("#!shape it {shape}\n#!body it 0 0 {z:.10}  0 0 0  scale {radius}");
            let scene = above("strong", support, &body);
            let scene = Scene { continuous: Continuous::All, dt, ..scene };
            let height = stepped(&scene, 1000, 1e-3 * radius);
            // It slides off a sphere.
            let stays = height > 0.9 * radius || support == MOUND;
            assert!(stays, "it fell to {height}: {scene:?}");
        }
    }
}
