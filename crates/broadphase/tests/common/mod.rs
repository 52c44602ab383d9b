//! Inputs of boxes, their pairs by the definition, and the differential check of an algorithm.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use broadphase::benchmark::PairListOrigin;
use broadphase::registry::{Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Join, Layer, Pair, join_by_definition};
use glam::Vec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Frames of boxes; the number of boxes may differ from frame to frame.
pub(crate) type Frames = Vec<Vec<Aabb>>;

/// Simulated seconds a frame. `kd-tree` adjusts every 0.2 s: some adjustments fall on a frame, others between
/// two.
pub(crate) const TIME_STEP: f32 = 1.0 / 14.0;

/// The reference: sorted pairs by the definition, every box against every other. No code of an algorithm
/// is involved, not even of brute force.
pub(crate) fn pairs_by_definition(boxes: &[Aabb]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (j, b) in boxes.iter().enumerate() {
        for (i, a) in boxes[..j].iter().enumerate() {
            if a.overlaps(b) {
                pairs.push(Pair { a: i as u32, b: j as u32 });
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Runs one frame of an algorithm, and validates the structure after its update and after its search.
/// Returns the sorted pairs.
pub(crate) fn run_frame(algorithm: &mut dyn BroadPhase, frame: &Frame<'_>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    algorithm.update(frame);
    algorithm.validate(frame);
    algorithm.find_pairs(frame, &mut pairs);
    algorithm.validate(frame);
    pairs.sort_unstable();
    pairs
}

/// Asserts that a join finds the pairs of the definition. Returns their number.
#[track_caller]
pub(crate) fn assert_joined(join: &mut Join, a: &[Aabb], b: &[Aabb], input: &str) -> usize {
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    join_by_definition(a, b, &mut expected);
    join.find_pairs(a, b, &mut found);
    found.sort_unstable();
    let differs = expected.iter().zip(&found).find(|(expected, found)| expected != found);
    let lens = [expected.len(), found.len()];
    assert!(expected == found, "{input}: {lens:?} pairs expected and found, {differs:?}");
    found.len()
}

/// A frame without layers.
pub(crate) fn plain(boxes: &[Aabb]) -> Frame<'_> {
    Frame::new(boxes).time_step(TIME_STEP)
}

/// An input and its expected pairs, computed once for all algorithms.
pub(crate) struct Case {
    name: String,
    frames: Frames,
    layers: Vec<Layer>,
    expected: Vec<Vec<Pair>>,
}

impl Case {
    /// An input without layers.
    pub(crate) fn new(name: impl Into<String>, frames: Frames) -> Self {
        let expected = frames.iter().map(|boxes| pairs_by_definition(boxes)).collect();
        Self { name: name.into(), frames, layers: Vec::new(), expected }
    }

    /// The same frames with random layers: about a third of the objects is static, and the last eighth
    /// has no layer. The filter is written out here, so that it does not rest on [`Layer::meets`].
    pub(crate) fn layered(&self, seed: u64) -> Self {
        let mut rng = rng(seed);
        let most = self.frames.iter().map(Vec::len).max().unwrap_or(0);
        let layers: Vec<_> = (0..most * 7 / 8)
            .map(|_| Layer {
                group: rng.random_range(0..4) * 10,
                mask: rng.random::<u32>() | rng.random::<u32>(),
                is_static: rng.random_range(0..3) == 0,
            })
            .collect();
        let layer = |object: u32| layers.get(object as usize).copied().unwrap_or_default();
        let admits = |pair: &Pair| {
            let (a, b) = (layer(pair.a), layer(pair.b));
            let masks = a.mask & (1 << b.group) != 0 && b.mask & (1 << a.group) != 0;
            masks && !(a.is_static && b.is_static)
        };
        let expected = self.expected.iter();
        let expected = expected.map(|pairs| pairs.iter().copied().filter(admits).collect());
        Self {
            name: format!("{}, layers of seed {seed}", self.name),
            frames: self.frames.clone(),
            expected: expected.collect(),
            layers,
        }
    }

    pub(crate) fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Runs an algorithm over the frames and compares every frame's sorted pairs with the expected ones.
    /// Returns the number of pairs compared.
    pub(crate) fn assert_exact(&self, entry: &Algorithm, world: Aabb) -> usize {
        let objects = self.frames.first().map_or(0, Vec::len);
        let settings = Settings::new(objects).world(world);
        let mut algorithm = entry.create(&settings).expect("memory is not limited");
        for (number, (boxes, expected)) in self.frames.iter().zip(&self.expected).enumerate() {
            let frame = plain(boxes).layered(&self.layers);
            let found = run_frame(&mut *algorithm, &frame);
            PairListOrigin { algorithm: entry.id, input: &self.name, number, frame }
                .assert_same(expected, &found);
        }
        self.expected.iter().map(Vec::len).sum()
    }
}

/// The random generator of all tests: the same numbers from a seed on every machine.
pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A vector with each coordinate in a range.
pub(crate) fn vec3(rng: &mut ChaCha8Rng, range: std::ops::Range<f32>) -> Vec3 {
    Vec3::from(std::array::from_fn(|_| rng.random_range(range.clone())))
}

/// `n` boxes that move in straight lines: `half` draws the half sides of each, `place` its start.
fn moving(
    seed: u64,
    n: usize,
    frames: usize,
    half: impl Fn(&mut ChaCha8Rng) -> Vec3,
    place: impl Fn(&mut ChaCha8Rng) -> Vec3,
    speed: f32,
) -> Frames {
    let mut rng = rng(seed);
    let bodies: Vec<_> = (0..n)
        .map(|_| (place(&mut rng), half(&mut rng), vec3(&mut rng, -1.0..1.0) * speed))
        .collect();
    (0..frames)
        .map(|t| {
            let at = |&(p, h, v): &(Vec3, Vec3, Vec3)| {
                let center = p + v * t as f32;
                Aabb::new(center - h, center + h)
            };
            bodies.iter().map(at).collect()
        })
        .collect()
}

/// A number of any sign and exponent, subnormal ones included.
pub(crate) fn any_exponent(rng: &mut ChaCha8Rng) -> f32 {
    let number = rng.random_range(1.0f64..2.0) * 2f64.powi(rng.random_range(-149..127));
    (if rng.random() { number } else { -number }) as f32
}

/// Boxes whose faces have any exponents.
pub(crate) fn any_exponents(rng: &mut ChaCha8Rng, n: usize) -> Vec<Aabb> {
    let corner = |rng: &mut _| Vec3::from(std::array::from_fn(|_| any_exponent(rng)));
    let mut draw = || {
        let [a, b] = [corner(rng), corner(rng)];
        Aabb::new(a.min(b), a.max(b))
    };
    (0..n).map(|_| draw()).collect()
}

/// All named inputs of `n` objects, degenerate ones included; the first is a gas. `seed` varies the random
/// ones.
pub(crate) fn inputs(n: usize, frames: usize, seed: u64) -> Vec<(&'static str, Frames)> {
    // About one overlap an object for every `n`.
    let r = 0.7 / (n.max(1) as f32).cbrt();
    let same = |h: f32| move |_: &mut ChaCha8Rng| Vec3::splat(h);
    let cube = |rng: &mut ChaCha8Rng| vec3(rng, -1.0..1.0);
    let mut all = vec![
        ("gas", moving(seed, n, frames, same(r), cube, 0.02)),
        ("fast gas", moving(seed, n, frames, same(r), cube, 0.9)),
        (
            "mixed sizes",
            moving(
                seed,
                n,
                frames,
                |rng| Vec3::splat(10f32.powf(rng.random_range(-6.0..0.0))),
                cube,
                0.01,
            ),
        ),
        (
            "sizes 1e-6 to 1e6",
            moving(
                seed,
                n,
                frames,
                |rng| Vec3::from(std::array::from_fn(|_| 10f32.powf(rng.random_range(-6.0..6.0)))),
                |rng| vec3(rng, -1e6..1e6),
                1e3,
            ),
        ),
        (
            "coordinates of 1e7",
            moving(seed, n, frames, same(3.0), |rng| vec3(rng, 0.0..40.0) + 1e7, 1.0),
        ),
        (
            "all in one plane",
            moving(
                seed,
                n,
                frames,
                |_| Vec3::new(r, r, 0.0),
                |rng| vec3(rng, -1.0..1.0) * Vec3::new(1.0, 1.0, 0.0),
                0.0,
            ),
        ),
        (
            "all on one line",
            moving(
                seed,
                n,
                frames,
                same(0.5 / n.max(1) as f32),
                |rng| Vec3::splat(rng.random_range(-1.0..1.0)),
                0.001,
            ),
        ),
        (
            "same x",
            moving(
                seed,
                n,
                frames,
                same(r),
                |rng| vec3(rng, -1.0..1.0) * Vec3::new(0.0, 1.0, 1.0),
                0.001,
            ),
        ),
        (
            "outside the world",
            moving(
                seed,
                n,
                frames,
                same(r),
                |rng| vec3(rng, -1.0..1.0) + Vec3::new(30.0, 0.0, -70.0),
                0.1,
            ),
        ),
        (
            "points",
            moving(
                seed,
                n,
                frames,
                same(0.0),
                |rng| (vec3(rng, -2.0..2.0) * 2.0).round() * 0.5,
                0.0,
            ),
        ),
        // Faces touch each other, and the planes of a tree over the world.
        (
            "touching lattice",
            vec![
                (0..n)
                    .map(|i| {
                        let corner = Vec3::new((i % 5) as f32, (i / 5 % 5) as f32, (i / 25) as f32);
                        Aabb::new(corner * 0.25 - 0.5, (corner + 1.0) * 0.25 - 0.5)
                    })
                    .collect(),
            ],
        ),
        (
            "the largest numbers",
            moving(
                seed,
                n,
                frames,
                |rng| vec3(rng, 0.0..0.5) * f32::MAX,
                |rng| vec3(rng, -0.5..0.5) * f32::MAX,
                0.0,
            ),
        ),
        (
            "any exponents",
            (0..frames as u64)
                .map(|frame| any_exponents(&mut self::rng(seed ^ frame), n))
                .collect(),
        ),
        ("all equal", vec![vec![Aabb::new(Vec3::ZERO, Vec3::ONE); n.min(80)]; frames.min(3)]),
        ("all absent", vec![vec![Aabb::EMPTY; n]; frames.min(3)]),
    ];
    let mut one_contains_all = moving(seed, n, frames, same(r), cube, 0.02);
    for boxes in &mut one_contains_all {
        if let Some(b) = boxes.get_mut(n / 2) {
            *b = Aabb::new(Vec3::splat(-9.0), Vec3::splat(9.0));
        }
    }
    all.push(("one box contains all", one_contains_all));

    let mut come_and_go = moving(seed, n, frames, same(r), cube, 0.02);
    let mut rng = rng(seed);
    for boxes in &mut come_and_go {
        for b in boxes {
            match rng.random_range(0..6) {
                0 => *b = Aabb::EMPTY,
                // Empty on one axis only: its faces alone would pass an interval test.
                1 => std::mem::swap(&mut b.min.y, &mut b.max.y),
                _ => {}
            }
        }
    }
    all.push(("objects come and go", come_and_go));

    let mut number_changes = moving(seed, n, frames, same(r), cube, 0.02);
    for boxes in &mut number_changes {
        boxes.truncate(rng.random_range(0..=n));
    }
    all.push(("number changes", number_changes));

    let teleports =
        (0..frames).map(|t| moving(seed ^ t as u64, n, 1, same(r), cube, 0.0).remove(0)).collect();
    all.push(("teleports", teleports));
    all
}
