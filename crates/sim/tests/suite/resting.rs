//! Objects on what never moves, under gravity: they gain no height.

use broadphase::Pair;
use sim::{Hold, SceneDocument, World};

/// The words of a scene, with their accelerations.
const GRAVITIES: [(&str, f64); 3] = [("weak", 0.5), ("medium", 2.0), ("strong", 4.0)];

const DT: f64 = 1.0 / 60.0;

/// What an object falls onto. Its highest point below the object is the origin.
const FLOOR: &str = "i -9 -9 0  18 18 18  100 t\n";
const RECTANGLE: &str = "p -1 -1 0  2 2 0  z\n";
const EDGE: &str = "p 0 -1 0  2 2 0  z\n";
const CORNER: &str = "p 0 0 0  2 2 0  z\n";
const UPRIGHT: &str = "p 0 -1 -1  0 2 1  x\n";
const STRIP: &str = "p -1 -0.001 0  2 0.002 0  z\n";
/// A static sphere, which fills its source.
const MOUND: &str = "i -0.497 -0.5 -1  1 1 1  100 t\n#!layer source 1 static\n";
const RAMP: &str =
    "#!shape slab box 4 4 0.2\n#!body slab 0 0 -0.2  0 0 0  rotate 0 1 0 20 static\n";

/// How much higher than at the start the last object of a scene gets.
fn rise(text: &str, steps: u32) -> f64 {
    let document = SceneDocument::parse("test.scene", text.as_bytes());
    let mut world = World::new(document.unwrap_or_else(|error| panic!("{error}")).scene());
    let object = world.len() - 1;
    let height = |world: &World| match world.bodies() {
        Some(bodies) => bodies.states()[object].position.z,
        None => f64::from(world.positions()[object].z),
    };
    let pairs: Vec<Pair> =
        (0..object as u32).map(|other| Pair::new(other, object as u32)).collect();
    let (start, mut highest) = (height(&world), f64::NEG_INFINITY);
    for _ in 0..steps {
        world.step(Hold::None);
        world.respond(&pairs);
        highest = highest.max(height(&world));
    }
    highest - start
}

/// A scene with an object above a support. Elsewhere there is a source, which every scene needs.
fn above(gravity: &str, support: &str, object: &str) -> String {
    let has_source = [FLOOR, MOUND].contains(&support);
    let source = if has_source { "" } else { "i 30 30 30  1 1 1  100 t\n" };
    let objects = u8::from(support == MOUND);
    format!("#!objects {objects}\n#!radius 0.5\n#!gravity {gravity}\n{source}{support}{object}\n")
}

/// Heights above the support.
fn heights() -> impl Iterator<Item = f64> {
    (0..9).map(|power| 1.3 * 10f64.powi(power - 9))
}

/// The fall of half a step, and the rounding of a height to `f32`.
fn tolerance(gravity: f64) -> f64 {
    0.125 * gravity * DT * DT + 1e-6
}

#[test]
fn spheres_above_a_support_gain_no_height() {
    let mut scenes = 0;
    for (gravity, acceleration) in GRAVITIES {
        let most = tolerance(acceleration);
        for support in [FLOOR, RECTANGLE, EDGE, CORNER, UPRIGHT, STRIP, MOUND] {
            for radius in [0.01, 0.05, 0.2] {
                for height in heights() {
                    let ball = format!("#!ball 0 0 {:.10}  0 0 0  {radius}", radius + height);
                    let text = above(gravity, support, &ball);
                    let rise = rise(&text, 2400);
                    assert!(rise <= most, "{rise:e}, at most {most:e}:\n{text}");
                    scenes += 1;
                }
            }
        }
    }
    assert_eq!(scenes, 567);
}

#[test]
fn spheres_in_a_groove_gain_no_height() {
    let radius: f64 = 0.2;
    for (gravity, acceleration) in GRAVITIES {
        for gap in [0.02_f64, 0.12, 0.2, 0.3] {
            let (half, side) = (0.5 * gap, 1.0 - 0.5 * gap);
            let groove = format!("p -1 -1 0  {side} 2 0  z\np {half} -1 0  {side} 2 0  z\n");
            let height = (radius * radius - half * half).sqrt() + 1e-6;
            let ball = format!("#!ball 0 0 {height:.10}  0 0 0  {radius}");
            let text = above(gravity, &groove, &ball);
            let (rise, most) = (rise(&text, 24_000), 4.0 * tolerance(acceleration));
            assert!(rise <= most, "{rise:e}, at most {most:e}:\n{text}");
        }
    }
}

#[test]
fn bodies_above_a_support_gain_no_height() {
    // Lying flat, and turned; each with the height of its centre, in units of its scale.
    let bodies = [
        ("box 1 1 1", 0.5, ""),
        ("box 1 2 4", 2.5, "rotate 0.3 0.8 -0.2 50"),
        ("hull 16", 1.2, ""),
        ("cone 1 2 9", 2.5, "rotate 0.3 0.8 -0.2 250"),
    ];
    for (gravity, acceleration) in GRAVITIES {
        // On a slope, a body may be turned against the fall of a whole step.
        let most = 4.0 * tolerance(acceleration);
        for support in [FLOOR, RECTANGLE, RAMP, MOUND] {
            for ((shape, center, turned), height) in
                bodies.into_iter().zip([1e-7, 1e-4, 1e-2, 1e-7])
            {
                let z = 0.1 * center + height;
                let body =
                    format!("#!shape it {shape}\n#!body it 0 0 {z:.8}  0 0 0  scale 0.1 {turned}");
                let text = above(gravity, support, &body);
                let rise = rise(&text, 300);
                assert!(rise <= most, "{rise:e}, at most {most:e}:\n{text}");
            }
        }
    }
}
