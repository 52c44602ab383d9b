//! Named kinds of generated boxes: their numbers of overlaps, their motion, and that they are the same
//! everywhere.

use crate::atlas::{changed, frames, hash, pairs};
use broadphase::{Aabb, Layer, check_boxes};
use sim::{GeneratedBoxes, GeneratedKind, GeneratedSpec, Placing, PlacingEnded};

fn spec(text: &str) -> GeneratedSpec {
    text.parse().unwrap()
}

fn start(text: &str) -> GeneratedBoxes {
    GeneratedBoxes::new(&spec(text))
}

/// A spec of each kind.
fn kinds(n: u32) -> impl Iterator<Item = GeneratedSpec> {
    GeneratedKind::ALL.iter().map(move |kind| spec(&format!("{}:{n}", kind.name())))
}

#[test]
fn terdiman_has_the_published_numbers_of_pairs() {
    for (text, expected) in [("terdiman:10000", 11_811), ("terdiman:100000", 1_144_045)] {
        assert_eq!(pairs("bsp", &frames(start(text), 1)[0], &[]), expected, "{text}");
    }
    let other_seed = GeneratedSpec { seed: 7, ..spec("terdiman:10000") };
    let boxes = frames(GeneratedBoxes::new(&other_seed), 2).remove(1);
    let found = pairs("brute-force", &boxes, &[]);
    assert_eq!(found, 11_811, "its seed is fixed, and nothing moves");
}

#[test]
fn equal_boxes_overlap_half_a_box_on_average() {
    for kind in ["gas", "brownian", "jitter", "plane", "line", "same-x"] {
        let frames = frames(start(&format!("{kind}:8000")), 30);
        for boxes in [&frames[0], &frames[29]] {
            let each = 2.0 * pairs("kd-tree", boxes, &[]) as f64 / 8000.0;
            assert!((0.4..0.6).contains(&each), "{kind}: {each} overlaps each");
        }
    }
}

#[test]
fn boxes_stay_in_their_space_and_are_never_bad() {
    for spec in [1, 2, 700].into_iter().flat_map(kinds) {
        // Rounding may put a box slightly beyond the wall.
        let space = Aabb::new(spec.bounds().min - 1e-5, spec.bounds().max + 1e-5);
        for boxes in frames(GeneratedBoxes::new(&spec), 200) {
            assert_eq!(boxes.len(), spec.objects as usize);
            check_boxes(&boxes).unwrap();
            assert!(space.contains(&Aabb::bounds(&boxes)), "{spec:?}");
        }
    }
}

#[test]
fn moving_share_moves_at_random_ids_and_the_others_rest() {
    let all = spec("brownian:1000");
    let play = |moving, seed| {
        let played = frames(GeneratedBoxes::new(&GeneratedSpec { moving, seed, ..all }), 40);
        let changed = changed(&played);
        assert!(changed.iter().all(|moved| *moved == changed[0]));
        (played[0].clone(), changed[0].clone())
    };
    let (start, movers) = play(1.0, all.seed);
    assert_eq!((movers.len(), play(0.0, all.seed)), (1000, (start.clone(), vec![])));
    let (few_start, movers) = play(0.1, all.seed);
    assert_eq!((few_start, movers.len()), (start, 100));
    // Regular steps would all be ten long. Of random ones, five of six are not within 9 to 11.
    let even = movers.windows(2).filter(|ids| (9..=11).contains(&(ids[1] - ids[0]))).count();
    assert!(even < 40, "{even} of {} steps are even", movers.len() - 1);
    assert_ne!(movers, play(0.1, all.seed + 1).1);
    for (text, moving, name) in [
        ("brownian:9", 0.25, "brownian --moving 0.25"),
        ("brownian:9", 1.0, "brownian"),
        ("statics:9", 0.5, "statics --moving 0.5"),
        ("statics:9", 0.1, "statics"),
        // Nothing of it moves anyway.
        ("terdiman:9", 0.25, "terdiman"),
    ] {
        assert_eq!(GeneratedSpec { moving, ..spec(text) }.name(), name);
    }
}

#[test]
fn most_of_statics_is_static_and_static_pairs_are_filtered() {
    // Counts of the first and the fortieth frame: a change of generator or layers must not go unnoticed.
    // Without layers there are five times as many.
    let boxes = start("statics:10000");
    let layers = boxes.layers().to_vec();
    let frames = frames(boxes, 40);
    let shown = [&frames[0], &frames[39]];
    assert_eq!(shown.map(|boxes| pairs("kd-tree", boxes, &[])), [49_728, 49_475]);
    assert_eq!(shown.map(|boxes| pairs("brute-force", boxes, &layers)), [9527, 9274]);
    assert_eq!(layers.iter().filter(|layer| layer.is_static).count(), 9000);
    for ((first, last), layer) in frames[0].iter().zip(&frames[39]).zip(&layers) {
        assert_eq!(first == last, layer.is_static);
    }
    for spec in kinds(10) {
        let boxes = GeneratedBoxes::new(&GeneratedSpec { moving: 0.5, ..spec });
        let resting = boxes.layers().iter().filter(|layer| **layer == Layer::STATIC).count();
        let expected = if spec.kind == GeneratedKind::Statics { (10, 5) } else { (0, 0) };
        assert_eq!((boxes.layers().len(), resting), expected, "{spec:?}");
    }
}

#[test]
fn degenerate_kinds_are_flat_where_they_should_be() {
    for (text, flat) in [("plane:100", [2, 5]), ("line:100", [1, 5]), ("same-x:100", [0, 3])] {
        let frames = frames(start(text), 20);
        let face = |b: &Aabb, face: usize| [b.min, b.max][face / 3][face % 3];
        let is_flat =
            |at: &usize| frames.iter().flatten().all(|b| face(b, *at) == face(&frames[0][0], *at));
        assert!(flat.iter().all(is_flat) && (0..6).any(|at| !is_flat(&at)), "{text}");
    }
}

#[test]
fn a_seed_gives_the_same_boxes_on_every_machine() {
    let hashes: Vec<u64> = kinds(1500).map(|spec| hash(GeneratedBoxes::new(&spec), 40)).collect();
    let expected: [u64; 10] = [
        0x1432_230c_5ac6_2ed2,
        0xda4d_c39b_3322_2c70,
        0xb310_39ba_6614_f54b,
        0x79c8_f8d4_8499_e695,
        0x0a99_aa29_190c_646b,
        0x5acd_6fe6_e375_11d6,
        0x7c1c_3988_a885_21d2,
        0x4220_bbfc_a385_6a16,
        0xfd27_a040_924c_9437,
        0x1a71_ca03_3a4f_1453,
    ];
    assert_eq!(hashes, expected, "{hashes:#018x?}");
    let other = GeneratedSpec { seed: 2, ..spec("gas:1500") };
    assert_ne!(hash(GeneratedBoxes::new(&other), 40), hashes[0]);
}

#[test]
fn placing_of_every_kind_is_followed_and_can_be_ended() {
    for spec in kinds(2000) {
        let (mut most, mut calls) = (0, 0);
        let mut place = |last| {
            let mut follow = |placed: usize| {
                (most, calls) = (placed.max(most), calls + 1);
                calls < last
            };
            GeneratedBoxes::place(&spec, &mut Placing::new(&mut follow)).err()
        };
        assert_eq!((place(u32::MAX), place(1)), (None, Some(PlacingEnded)), "{spec:?}");
        assert!((1500..2000).contains(&most), "{spec:?}: {most}");
    }
}
