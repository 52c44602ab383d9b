//! Inputs of boxes, their pairs by the definition, and the differential check of an algorithm.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub(crate) mod heap;

use broadphase::benchmark::PairListOrigin;
use broadphase::registry::{Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Join, JoinPair, Layer, Pair, join_by_definition};
use glam::Vec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::{ThreadPool, ThreadPoolBuilder};

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
    let before = Pair::new(5, 6);
    let mut pairs = vec![before];
    algorithm.update(frame);
    algorithm.validate(frame);
    algorithm.find_pairs(frame, &mut pairs);
    algorithm.validate(frame);
    assert_eq!(pairs.swap_remove(0), before, "pairs are appended");
    pairs.sort_unstable();
    pairs
}

/// Asserts that a join finds the pairs of the definition. Returns their number.
#[track_caller]
pub(crate) fn assert_joined(join: &mut Join, a: &[Aabb], b: &[Aabb], input: &str) -> usize {
    let before = JoinPair { a: 7, b: 9 };
    let (mut expected, mut found) = (Vec::new(), vec![before]);
    join_by_definition(a, b, &mut expected);
    join.find_pairs(a, b, &mut found);
    assert_eq!(found.swap_remove(0), before, "pairs are appended");
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

/// Random layers: about a third of the objects is static.
pub(crate) fn random_layers(rng: &mut ChaCha8Rng, count: usize) -> Vec<Layer> {
    let mut layer = || Layer {
        group: rng.random_range(0..4) * 10,
        mask: rng.random::<u32>() | rng.random::<u32>(),
        is_static: rng.random_range(0..3) == 0,
    };
    (0..count).map(|_| layer()).collect()
}

/// Whether layers meet, written out here, so that tests do not rest on [`Layer::meets`].
pub(crate) fn layers_meet(a: Layer, b: Layer) -> bool {
    let masks = a.mask & (1 << b.group) != 0 && b.mask & (1 << a.group) != 0;
    masks && !(a.is_static && b.is_static)
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

    /// The same frames with random layers. The last eighth of the objects has none.
    pub(crate) fn layered(&self, seed: u64) -> Self {
        let most = self.frames.iter().map(Vec::len).max().unwrap_or(0);
        let layers = random_layers(&mut rng(seed), most * 7 / 8);
        let layer = |object: u32| layers.get(object as usize).copied().unwrap_or_default();
        let admits = |pair: &Pair| layers_meet(layer(pair.a), layer(pair.b));
        let admitted = |pairs: &Vec<Pair>| pairs.iter().copied().filter(admits).collect();
        let (expected, frames) =
            (self.expected.iter().map(admitted).collect(), self.frames.clone());
        Self { name: format!("{}, layers of seed {seed}", self.name), frames, expected, layers }
    }

    /// Runs an algorithm over the frames and compares every frame's sorted pairs with the expected ones.
    /// Returns the number of pairs compared.
    pub(crate) fn assert_exact(&self, entry: &Algorithm, world: Aabb) -> usize {
        let objects = self.frames.first().map_or(0, Vec::len);
        let mut algorithm = entry.create(&Settings::new(objects).world(world)).unwrap();
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

/// A pool of some threads.
pub(crate) fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// A vector with each coordinate in a range.
pub(crate) fn vec3(rng: &mut ChaCha8Rng, range: std::ops::Range<f32>) -> Vec3 {
    Vec3::from(std::array::from_fn(|_| rng.random_range(range.clone())))
}

/// Objects that move in a cube with walls, whose centre is the origin.
pub(crate) struct Gas {
    half_side: f32,
    /// Place and direction of each.
    bodies: Vec<[Vec3; 2]>,
    pub(crate) boxes: Vec<Aabb>,
}

impl Gas {
    pub(crate) fn new(seed: u64, n: usize, half_side: f32) -> Self {
        let mut rng = rng(seed);
        let mut draw = |reach: f32| (0..n).map(|_| vec3(&mut rng, -reach..reach)).collect();
        let [places, directions]: [Vec<Vec3>; 2] = [draw(half_side), draw(1.0)];
        let bodies = places.into_iter().zip(directions).map(<[Vec3; 2]>::from).collect();
        Self { half_side, bodies, boxes: Vec::with_capacity(n) }
    }

    /// Moves all, and gives each a half side. Allocates nothing.
    pub(crate) fn step(&mut self, speed: f32, half: impl Fn(usize) -> f32) -> &[Aabb] {
        self.boxes.clear();
        for (object, [at, direction]) in self.bodies.iter_mut().enumerate() {
            let is_outside = at.abs().cmpgt(Vec3::splat(self.half_side));
            let outwards = is_outside & (*at * *direction).cmpgt(Vec3::ZERO);
            *direction = Vec3::select(outwards, -*direction, *direction);
            *at += *direction * speed;
            self.boxes.push(Aabb::around_sphere(*at, half(object)));
        }
        &self.boxes
    }
}

/// Draws a vector.
type Draw<'a> = &'a dyn Fn(&mut ChaCha8Rng) -> Vec3;

/// `n` boxes that move in straight lines: `half` draws the half sides of each, `place` its start.
fn moving(seed: u64, n: usize, frames: usize, half: Draw, place: Draw, speed: f32) -> Frames {
    let mut rng = rng(seed);
    let bodies: Vec<_> = (0..n)
        .map(|_| (place(&mut rng), half(&mut rng), vec3(&mut rng, -1.0..1.0) * speed))
        .collect();
    let at = |time: usize| {
        let around = |(place, half, velocity): &(Vec3, Vec3, Vec3)| {
            let center = place + velocity * time as f32;
            Aabb::new(center - half, center + half)
        };
        bodies.iter().map(around).collect()
    };
    (0..frames).map(at).collect()
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

/// A coordinate: often on a lattice, where boxes touch and lie on planes of a tree.
fn coordinate(rng: &mut ChaCha8Rng) -> f32 {
    match rng.random_range(0..12) {
        0 => [0.0, -0.0, f32::MAX, f32::MIN][rng.random_range(0..4)],
        1 => any_exponent(rng),
        2..5 => rng.random_range(-1.0..1.0),
        _ => rng.random_range(-12..=12) as f32 * 0.25,
    }
}

/// A random box; a ninth of them are empty, in some form.
pub(crate) fn any_box(rng: &mut ChaCha8Rng) -> Aabb {
    let corner = Vec3::from(std::array::from_fn(|_| coordinate(rng)));
    let other = match rng.random_range(0..4) {
        0 => Vec3::from(std::array::from_fn(|_| coordinate(rng))),
        1 => corner,
        _ => corner + vec3(rng, 0.0..1.0) * 0.5,
    };
    let b = Aabb::new(corner.min(other), corner.max(other));
    if rng.random_range(0..9) == 0 { Aabb::new(b.max, b.min - 1.0) } else { b }
}

/// Frames between which some boxes change, and sometimes their number.
pub(crate) fn any_case(seed: u64) -> Case {
    let mut rng = rng(seed);
    // Less than a block of boxes, one block, several with a remainder.
    let most = [3, 16, 17, 40, 130, 400][rng.random_range(0..6)];
    let mut boxes: Vec<_> = (0..rng.random_range(0..=most)).map(|_| any_box(&mut rng)).collect();
    let mut frames = Vec::new();
    for _ in 0..4 {
        frames.push(boxes.clone());
        let share = [0.0, 0.02, 0.5, 1.0][rng.random_range(0..4)];
        for b in &mut boxes {
            if rng.random_bool(share) {
                *b = any_box(&mut rng);
            }
        }
        if rng.random_range(0..4) == 0 {
            boxes.resize_with(rng.random_range(0..=most), || any_box(&mut rng));
        }
    }
    Case::new(format!("random boxes of seed {seed}"), frames)
}

/// All named inputs of `n` objects, degenerate ones included; the first is a gas. `seed` varies the random
/// ones.
pub(crate) fn inputs(n: usize, frames: usize, seed: u64) -> Vec<(&'static str, Frames)> {
    // About one overlap an object for every `n`.
    let r = 0.7 / (n.max(1) as f32).cbrt();
    let on_line = 0.5 / n.max(1) as f32;
    let same = |h: f32| move |_: &mut ChaCha8Rng| Vec3::splat(h);
    let cube = |rng: &mut ChaCha8Rng| vec3(rng, -1.0..1.0);
    let plane = |normal: Vec3| move |rng: &mut ChaCha8Rng| cube(rng) * (Vec3::ONE - normal);
    let power = |rng: &mut ChaCha8Rng, range| 10f32.powf(rng.random_range(range));
    let any_sides = |rng: &mut _| Vec3::from(std::array::from_fn(|_| power(rng, -6.0..6.0)));
    let outside = Vec3::new(30.0, 0.0, -70.0);
    let of = |half: Draw, place: Draw, speed| moving(seed, n, frames, half, place, speed);
    let gas = || of(&same(r), &cube, 0.02);
    let all_in_plane = of(&|_| Vec3::new(r, r, 0.0), &plane(Vec3::Z), 0.0);
    let all_on_line = |rng: &mut ChaCha8Rng| Vec3::splat(rng.random_range(-1.0..1.0));
    let lattice = |rng: &mut ChaCha8Rng| (vec3(rng, -2.0..2.0) * 2.0).round() * 0.5;
    // Faces touch each other, and the planes of a tree over the world.
    let touching = |i: usize| {
        let corner = Vec3::from([i % 5, i / 5 % 5, i / 25].map(|at| at as f32));
        Aabb::new(corner * 0.25 - 0.5, (corner + 1.0) * 0.25 - 0.5)
    };
    let largest = |rng: &mut ChaCha8Rng, low, high| vec3(rng, low..high) * f32::MAX;
    let any_frame = |frame: u64| any_exponents(&mut self::rng(seed ^ frame), n);
    let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
    let mut one_contains_all = gas();
    for b in one_contains_all.iter_mut().filter_map(|boxes| boxes.get_mut(n / 2)) {
        *b = Aabb::around_sphere(Vec3::ZERO, 9.0);
    }
    let mut rng = rng(seed);
    let mut come_and_go = gas();
    for b in come_and_go.iter_mut().flatten() {
        match rng.random_range(0..6) {
            0 => *b = Aabb::EMPTY,
            // Empty on one axis only: its faces alone would pass an interval test.
            1 => std::mem::swap(&mut b.min.y, &mut b.max.y),
            _ => {}
        }
    }
    let mut number_changes = gas();
    number_changes.iter_mut().for_each(|boxes| boxes.truncate(rng.random_range(0..=n)));
    let teleport = |frame| moving(seed ^ frame, n, 1, &same(r), &cube, 0.0).remove(0);
    vec![
        ("gas", gas()),
        ("fast gas", of(&same(r), &cube, 0.9)),
        ("mixed sizes", of(&|rng| Vec3::splat(power(rng, -6.0..0.0)), &cube, 0.01)),
        ("sizes 1e-6 to 1e6", of(&any_sides, &|rng| vec3(rng, -1e6..1e6), 1e3)),
        ("coordinates of 1e7", of(&same(3.0), &|rng| vec3(rng, 0.0..40.0) + 1e7, 1.0)),
        ("all in one plane", all_in_plane),
        ("all on one line", of(&same(on_line), &all_on_line, 0.001)),
        ("same x", of(&same(r), &plane(Vec3::X), 0.001)),
        ("outside the world", of(&same(r), &|rng| cube(rng) + outside, 0.1)),
        ("points", of(&same(0.0), &lattice, 0.0)),
        ("touching lattice", vec![(0..n).map(touching).collect()]),
        ("the largest numbers", of(&|r| largest(r, 0.0, 0.5), &|r| largest(r, -0.5, 0.5), 0.0)),
        ("any exponents", (0..frames as u64).map(any_frame).collect()),
        ("all equal", vec![vec![unit; n.min(80)]; frames.min(3)]),
        ("all absent", vec![vec![Aabb::EMPTY; n]; frames.min(3)]),
        ("one box contains all", one_contains_all),
        ("objects come and go", come_and_go),
        ("number changes", number_changes),
        ("teleports", (0..frames as u64).map(teleport).collect()),
    ]
}
