//! The pairs of many worlds, compared with the definition world by world.

use crate::common::{inputs, layers_meet, pool, random_layers, rng, vec3};
use broadphase::{Aabb, Layer, Pair, WorldBoxes, WorldPairs, Worlds, WorldsError};
use glam::Vec3;
use rand::RngExt;

/// Worlds with all that filters their pairs.
#[derive(Default)]
struct Case {
    name: String,
    boxes: Vec<Aabb>,
    starts: Vec<u32>,
    shared: Vec<Aabb>,
    layers: Vec<Layer>,
    kinds: Vec<u32>,
    excluded: Vec<Vec<Pair>>,
}

impl Case {
    fn new(name: impl Into<String>, worlds: &[Vec<Aabb>]) -> Self {
        let ends = worlds.iter().scan(0, |end, boxes| {
            *end += boxes.len() as u32;
            Some(*end)
        });
        Self {
            name: name.into(),
            boxes: worlds.concat(),
            starts: std::iter::once(0).chain(ends).collect(),
            ..Self::default()
        }
    }

    /// The same worlds with some shared shapes, random layers, and a random third of the pairs of two kinds excluded.
    fn filtered(mut self, shared: &[Aabb], seed: u64) -> Self {
        let mut rng = rng(seed);
        self.shared = shared.to_vec();
        self.layers = random_layers(&mut rng, self.shared.len() + self.boxes.len());
        self.kinds = (1..self.starts.len()).map(|_| rng.random_range(0..3)).collect();
        let worlds = self.starts.windows(2).map(|ends| ends[1] - ends[0]);
        let shapes = self.shared.len() as u32 + worlds.max().unwrap_or(0);
        let all = (0..shapes).flat_map(|a| (a + 1..shapes).map(move |b| Pair { a, b }));
        let third = |_: &Pair| rng.random_range(0..3) == 0;
        self.excluded = vec![vec![], vec![], all.filter(third).collect()];
        self.excluded[1] = self.excluded[2].iter().step_by(2).copied().collect();
        self.name += &format!(", {} shared, seed {seed}", shared.len());
        self
    }

    /// The sorted pairs of a world by the definition. No code of the search is involved, nor the check of layers.
    fn expected(&self, world: usize) -> Vec<Pair> {
        let shared = self.shared.len();
        let own = self.starts[world] as usize..self.starts[world + 1] as usize;
        let boxes = [&self.shared[..], &self.boxes[own.clone()]].concat();
        let layer = |id: usize| {
            let at = if id < shared { id } else { own.start + id };
            self.layers.get(at).copied().unwrap_or_default()
        };
        let kind = self.kinds.get(world).map_or(0, |kind| *kind as usize);
        let excluded = self.excluded.get(kind).map_or(&[][..], |pairs| pairs);
        let mut pairs = Vec::new();
        for b in shared..boxes.len() {
            for a in (0..b).filter(|a| boxes[*a].overlaps(&boxes[b])) {
                let pair = Pair { a: a as u32, b: b as u32 };
                if layers_meet(layer(a), layer(b)) && excluded.binary_search(&pair).is_err() {
                    pairs.push(pair);
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    fn search(&self, worlds: &mut Worlds, found: &mut WorldPairs) -> Result<(), WorldsError> {
        let excluded: Vec<&[Pair]> = self.excluded.iter().map(|pairs| &pairs[..]).collect();
        let boxes = WorldBoxes::new(&self.boxes, &self.starts).shared(&self.shared);
        let boxes = boxes.layered(&self.layers).kinds(&self.kinds).excluded(&excluded);
        worlds.find_pairs(&boxes, found)
    }

    /// Compares the pairs of each world. Returns the number of pairs.
    fn assert_exact(&self, worlds: &mut Worlds) -> usize {
        // A search replaces earlier pairs.
        let mut found = WorldPairs::default();
        let earlier = [Aabb::around_sphere(Vec3::ZERO, 1.0); 3];
        worlds.find_pairs(&WorldBoxes::new(&earlier, &[0, 3]), &mut found).unwrap();
        self.search(worlds, &mut found).unwrap();
        assert_eq!(found.worlds(), self.starts.len() - 1, "{}", self.name);
        assert_eq!(found.starts().last(), Some(&found.pairs().len()), "{}", self.name);
        for world in 0..found.worlds() {
            let mut pairs = found.of(world).to_vec();
            pairs.sort_unstable();
            assert_eq!(pairs, self.expected(world), "{}, world {world}", self.name);
        }
        found.pairs().len()
    }
}

/// Boxes uniform in a cube of side 2, each of which overlaps about `overlaps` others.
fn gas(n: usize, overlaps: f32, seed: u64) -> Vec<Aabb> {
    let half = (overlaps / n.max(1) as f32).cbrt() / 2.0;
    let mut rng = rng(seed);
    (0..n).map(|_| Aabb::around_sphere(vec3(&mut rng, -1.0..1.0), half)).collect()
}

#[test]
fn pairs_of_every_world_equal_the_definition() {
    let mut worlds = Worlds::default();
    let (mut plain, mut filtered) = (0, 0);
    for n in [0, 1, 2, 7, 8, 9, 16, 20, 40, 41, 63, 100, 204] {
        // The frames of an input are worlds of one call.
        for (input, frames) in inputs(n, 5, 45) {
            let name = format!("{input}, {n} shapes");
            plain += Case::new(&name, &frames).assert_exact(&mut worlds);
            for shared in [0, 1, 12, 60] {
                let shared = &frames[0][..shared.min(frames[0].len())];
                let case = Case::new(&name, &frames).filtered(shared, n as u64);
                filtered += case.assert_exact(&mut worlds);
            }
        }
    }
    assert!(plain > 100_000 && filtered > 50_000, "{plain} and {filtered}: hardly any overlap");
}

#[test]
fn worlds_of_any_sizes_are_searched_in_one_call() {
    let mut worlds = Worlds::default();
    assert_eq!(Case::new("no world", &[]).assert_exact(&mut worlds), 0);
    // Around the greatest world of the kernel, whose successor is searched otherwise.
    let sizes = [0, 2000, 1, 0, 2001, 2100, 41, 0, 3000, 300, 0];
    let boxes: Vec<_> = (0..).zip(sizes).map(|(seed, n)| gas(n, 4.0, seed)).collect();
    let case = || Case::new("all sizes", &boxes);
    assert!(case().assert_exact(&mut worlds) > 10_000);
    assert!(case().filtered(&gas(30, 4.0, 99), 1).assert_exact(&mut worlds) > 3_000);
    // More shared shapes than own ones, in several runs of the kernel.
    let crowd = vec![Aabb::around_sphere(Vec3::ZERO, 0.3); 5000];
    let few = [gas(3, 4.0, 1), vec![], gas(50, 4.0, 2)];
    let case = Case { shared: crowd, ..Case::new("many shared", &few) };
    assert!(case.assert_exact(&mut worlds) > 5000);
    // All pairs of a world, more than are noted at a time.
    let all = Case::new("one place", &[vec![Aabb::around_sphere(Vec3::ONE, 1.0); 700]]);
    assert_eq!(all.assert_exact(&mut worlds), 700 * 699 / 2);
}

#[test]
fn memory_for_large_worlds_is_returned_after_them() {
    let (mut worlds, mut found) = (Worlds::default(), WorldPairs::default());
    let mut held = |shapes: usize| {
        let boxes = gas(shapes, 4.0, 7);
        worlds.find_pairs(&WorldBoxes::new(&boxes, &[0, shapes as u32]), &mut found).unwrap();
        worlds.heap_bytes()
    };
    let small = held(100);
    assert!(held(100_000) > small + 3_000_000);
    assert!(held(100) < small + 1000);
}

#[test]
fn pairs_are_the_same_on_any_number_of_threads() {
    let boxes: Vec<_> = (0..2000).map(|seed| gas(seed as usize * 7 % 60, 3.0, seed)).collect();
    let case = Case::new("many worlds", &boxes).filtered(&gas(5, 1.0, 7), 3);
    let [one, two, three, eight] = [1, 2, 3, 8].map(|threads| {
        pool(threads).install(|| {
            let mut found = WorldPairs::default();
            case.search(&mut Worlds::default(), &mut found).unwrap();
            assert!(case.assert_exact(&mut Worlds::default()) > 10_000);
            (found.pairs().to_vec(), found.starts().to_vec())
        })
    });
    assert!(two == one && three == one && eight == one, "pairs depend on the threads");
}

#[test]
fn worlds_that_contradict_themselves_are_refused() {
    type Change = fn(&mut Case);
    let changes: [(Change, WorldsError); 11] = [
        (|case| case.starts.clear(), WorldsError::FirstStart),
        (|case| case.starts[0] = 1, WorldsError::FirstStart),
        (|case| case.starts = vec![0, 6, 5, 6], WorldsError::FallingStart { world: 1 }),
        (|case| case.starts[2] = 7, WorldsError::LastStart { end: 7, boxes: 6 }),
        (|case| case.layers.truncate(5), WorldsError::LayerCount { found: 5, expected: 7 }),
        (|case| case.kinds.truncate(1), WorldsError::KindCount { found: 1, expected: 2 }),
        (|case| case.kinds[1] = 2, WorldsError::UnknownKind { world: 1, kind: 2, kinds: 2 }),
        // Descending, twice, reversed, and of shapes that no world has.
        (|case| case.excluded[1][0] = Pair { a: 1, b: 3 }, WRONG_PAIR),
        (|case| case.excluded[1][0] = Pair { a: 1, b: 2 }, WRONG_PAIR),
        (|case| case.excluded[1][1] = Pair { a: 2, b: 1 }, WRONG_PAIR),
        (|case| case.excluded[1][1] = Pair { a: 1, b: 4 }, WRONG_PAIR),
    ];
    const WRONG_PAIR: WorldsError = WorldsError::ExcludedPair { kind: 1, position: 1, shapes: 4 };
    let world = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); 3];
    let (layers, pairs) = (vec![Layer::ALL; 7], vec![Pair { a: 0, b: 1 }, Pair { a: 1, b: 2 }]);
    for (change, expected) in changes {
        let mut case = Case::new("wrong", &[world.clone(), world.clone()]);
        (case.shared, case.layers) = (vec![Aabb::EMPTY], layers.clone());
        (case.kinds, case.excluded) = (vec![0, 1], vec![vec![], pairs.clone()]);
        change(&mut case);
        let mut found = WorldPairs::default();
        let error = case.search(&mut Worlds::default(), &mut found).unwrap_err();
        assert_eq!((error, found.worlds(), found.pairs().len()), (expected, 0, 0));
    }
}
