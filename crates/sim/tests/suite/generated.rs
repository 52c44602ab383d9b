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
fn moving_share_moves_and_the_others_rest() {
    for (moving, expected) in [(0.0, 0), (0.25, 250), (1.0, 1000)] {
        let spec = GeneratedSpec { moving, ..spec("brownian:1000") };
        let changed = changed(&frames(GeneratedBoxes::new(&spec), 40));
        assert!(changed.iter().all(|moved| *moved == changed[0] && moved.len() == expected));
    }
    let name = |moving, text| GeneratedSpec { moving, ..spec(text) }.name();
    assert_eq!(name(0.25, "brownian:9"), "brownian --moving 0.25");
    assert_eq!(name(1.0, "brownian:9"), "brownian");
    assert_eq!(name(0.5, "statics:9"), "statics --moving 0.5");
    assert_eq!(name(0.1, "statics:9"), "statics");
    assert_eq!(name(0.25, "terdiman:9"), "terdiman", "nothing of it moves anyway");
}

#[test]
fn movers_are_random_ids_and_start_at_their_usual_places() {
    let all = spec("brownian:1000");
    let few = |seed| GeneratedBoxes::new(&GeneratedSpec { moving: 0.1, seed, ..all });
    let played = frames(few(all.seed), 2);
    assert_eq!(played[0], frames(GeneratedBoxes::new(&all), 1)[0]);
    // Regular steps would all be ten long. Of random ones, five of six are not within 9 to 11.
    let movers = changed(&played).remove(0);
    let even = movers.windows(2).filter(|ids| (9..=11).contains(&(ids[1] - ids[0]))).count();
    assert!(even < 40, "{even} of {} steps are even", movers.len() - 1);
    assert_ne!(movers, changed(&frames(few(all.seed + 1), 2))[0]);
}

#[test]
fn most_of_statics_is_static_and_static_pairs_are_filtered() {
    // Counts of the first and the fortieth frame: a change of generator or layers must not go unnoticed.
    // Without layers there are five times as many.
    for (text, all, admitted) in [
        ("statics:1000", [4845, 4780], [951, 886]),
        ("statics:10000", [49_728, 49_475], [9527, 9274]),
    ] {
        let (boxes, n) = (start(text), spec(text).objects as usize);
        let layers = boxes.layers().to_vec();
        let frames = frames(boxes, 40);
        let shown = [&frames[0], &frames[39]];
        assert_eq!(shown.map(|boxes| pairs("kd-tree", boxes, &[])), all, "{text}");
        assert_eq!(shown.map(|boxes| pairs("brute-force", boxes, &layers)), admitted, "{text}");
        let resting = layers.iter().filter(|layer| layer.is_static).count();
        assert_eq!((layers.len(), resting), (n, n * 9 / 10));
        for ((first, last), layer) in frames[0].iter().zip(&frames[39]).zip(&layers) {
            assert_eq!(first == last, layer.is_static);
        }
    }
    for spec in kinds(10) {
        let boxes = GeneratedBoxes::new(&GeneratedSpec { moving: 0.5, ..spec });
        let resting = boxes.layers().iter().filter(|layer| **layer == Layer::STATIC).count();
        let expected = if spec.kind == GeneratedKind::Statics { (10, 5) } else { (0, 0) };
        assert_eq!((boxes.layers().len(), resting), expected, "{spec:?}");
    }
}

#[test]
fn jitter_stays_near_its_places() {
    let frames = frames(start("jitter:500"), 300);
    assert!(changed(&frames).iter().all(|moved| moved.len() == 500), "in every frame");
    let pairs = frames.iter().flat_map(|boxes| frames[0].iter().zip(boxes));
    let away = pairs.map(|(start, b)| (b.center() - start.center()) / start.size());
    let farthest = away.fold(0.0, |farthest: f32, away| farthest.max(away.abs().max_element()));
    assert!((0.0195..0.0201).contains(&farthest), "{farthest} of a side");
}

#[test]
fn degenerate_kinds_are_flat_where_they_should_be() {
    let flat = |text: &str, low: fn(&Aabb) -> f32| {
        let frames = frames(start(text), 20);
        let first = low(&frames[0][0]);
        frames.iter().flatten().all(|b| low(b) == first)
    };
    assert!(flat("plane:100", |b| b.min.z) && flat("plane:100", |b| b.max.z));
    assert!(flat("line:100", |b| b.min.y) && flat("line:100", |b| b.max.z));
    assert!(flat("same-x:100", |b| b.min.x) && flat("same-x:100", |b| b.max.x));
    assert!(!flat("same-x:100", |b| b.min.y));
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
        let mut most = 0;
        let mut follow = |placed| {
            most = placed;
            true
        };
        GeneratedBoxes::place(&spec, &mut Placing::new(&mut follow)).unwrap();
        assert!((1500..2000).contains(&most), "{spec:?}: {most}");
        let mut calls = 0;
        let mut end = |_| {
            calls += 1;
            calls < 3
        };
        let ended = GeneratedBoxes::place(&spec, &mut Placing::new(&mut end));
        assert_eq!((ended.err(), calls), (Some(PlacingEnded), 3), "{spec:?}");
    }
}
