//! Generated boxes: their numbers of overlaps, their motion, and that they are the same everywhere.

use broadphase::benchmark::mix;
use broadphase::registry::Settings;
use broadphase::{Aabb, Frame, Layer, Pair, check_boxes};
use sim::{GeneratedBoxes, GeneratedKind, GeneratedSpec, Placing, PlacingEnded};

fn spec(text: &str) -> GeneratedSpec {
    text.parse().unwrap()
}

fn frames(spec: &GeneratedSpec, count: usize) -> Vec<Vec<Aabb>> {
    let mut generated = GeneratedBoxes::new(spec);
    let next = |_| {
        let mut boxes = Vec::new();
        generated.next_frame(&mut boxes);
        boxes
    };
    (0..count).map(next).collect()
}

fn layers(spec: &GeneratedSpec) -> Vec<Layer> {
    GeneratedBoxes::new(spec).layers().to_vec()
}

fn pairs(algorithm: &str, boxes: &[Aabb]) -> usize {
    layered_pairs(algorithm, boxes, &[])
}

fn layered_pairs(algorithm: &str, boxes: &[Aabb], layers: &[Layer]) -> usize {
    let entry = broadphase::registry::find(algorithm).unwrap();
    let mut instance = entry.create(&Settings::new(boxes.len())).unwrap();
    let frame = Frame::new(boxes).time_step(sim::generated::TIME_STEP).layered(layers);
    let mut pairs: Vec<Pair> = Vec::new();
    instance.update(&frame);
    instance.find_pairs(&frame, &mut pairs);
    pairs.len()
}

#[test]
fn terdiman_has_the_published_numbers_of_pairs() {
    for (text, expected) in [("terdiman:10000", 11_811), ("terdiman:100000", 1_144_045)] {
        let boxes = frames(&spec(text), 1).remove(0);
        assert_eq!(pairs("bsp", &boxes), expected, "{text}");
    }
    let boxes = frames(&GeneratedSpec { seed: 7, ..spec("terdiman:10000") }, 2).remove(1);
    assert_eq!(pairs("brute-force", &boxes), 11_811, "its seed is fixed, and nothing moves");
}

#[test]
fn equal_boxes_overlap_half_a_box_on_average() {
    for kind in ["gas", "brownian", "jitter", "plane", "line", "same-x"] {
        let frames = frames(&spec(&format!("{kind}:8000")), 30);
        for boxes in [&frames[0], &frames[29]] {
            let each = 2.0 * pairs("kd-tree", boxes) as f64 / 8000.0;
            assert!((0.4..0.6).contains(&each), "{kind}: {each} overlaps each");
        }
    }
}

#[test]
fn boxes_stay_in_their_space_and_are_never_bad() {
    for kind in GeneratedKind::ALL {
        for n in [1, 2, 700] {
            let spec = spec(&format!("{}:{n}", kind.name()));
            for boxes in frames(&spec, 200) {
                assert_eq!(boxes.len(), n);
                check_boxes(&boxes).unwrap();
                // Rounding may put a box slightly beyond the wall.
                let all = Aabb::bounds(&boxes);
                let space = spec.bounds();
                assert!(all.min.cmpge(space.min - 1e-5).all(), "{} {all:?}", kind.name());
                assert!(all.max.cmple(space.max + 1e-5).all(), "{} {all:?}", kind.name());
            }
        }
    }
}

#[test]
fn moving_share_moves_and_the_others_rest() {
    for (moving, expected) in [(0.0, 0), (0.25, 250), (1.0, 1000)] {
        let spec = GeneratedSpec { moving, ..spec("brownian:1000") };
        let frames = frames(&spec, 40);
        let moved = frames[0].iter().zip(&frames[39]).filter(|(a, b)| a != b).count();
        assert_eq!(moved, expected);
    }
    let name = |moving, text| GeneratedSpec { moving, ..spec(text) }.name();
    assert_eq!(name(0.25, "brownian:9"), "brownian --moving 0.25");
    assert_eq!(name(1.0, "brownian:9"), "brownian");
    assert_eq!(name(0.25, "terdiman:9"), "terdiman", "nothing of it moves anyway");
}

#[test]
fn movers_are_random_ids_and_start_at_their_usual_places() {
    let all = spec("brownian:1000");
    let few = frames(&GeneratedSpec { moving: 0.1, ..all }, 2);
    assert_eq!(few[0], frames(&all, 1)[0]);
    let moves: Vec<_> = few[0].iter().zip(&few[1]).map(|(a, b)| a != b).collect();
    // Regular steps would all be ten long. Of random ones, five of six are not within 9 to 11.
    let movers: Vec<_> = (0..1000).filter(|id| moves[*id]).collect();
    let even = movers.windows(2).filter(|ids| (9..=11).contains(&(ids[1] - ids[0]))).count();
    assert!(even < 40, "{even} of {} steps are even", movers.len() - 1);
    let other = frames(&GeneratedSpec { moving: 0.1, seed: all.seed + 1, ..all }, 2);
    assert!(moves.iter().zip(other[0].iter().zip(&other[1])).any(|(now, (a, b))| *now != (a != b)));
}

#[test]
fn most_of_statics_is_static_and_static_pairs_are_filtered() {
    // Counts of the first and the fortieth frame: a change of generator or layers must not go unnoticed.
    // Without layers there are five times as many.
    for (text, all, admitted) in [
        ("statics:1000", [4845, 4780], [951, 886]),
        ("statics:10000", [49_728, 49_475], [9527, 9274]),
    ] {
        let (spec, n) = (spec(text), spec(text).objects as usize);
        let (frames, layers) = (frames(&spec, 40), layers(&spec));
        let shown = [&frames[0], &frames[39]];
        assert_eq!(shown.map(|boxes| pairs("kd-tree", boxes)), all, "{text}");
        let found = shown.map(|boxes| layered_pairs("brute-force", boxes, &layers));
        assert_eq!(found, admitted, "{text}");
        let resting = layers.iter().filter(|layer| layer.is_static).count();
        assert_eq!((layers.len(), resting), (n, n * 9 / 10));
        for ((first, last), layer) in frames[0].iter().zip(&frames[39]).zip(&layers) {
            assert_eq!(first == last, layer.is_static);
        }
    }
    let half = GeneratedSpec { moving: 0.5, ..spec("statics:10") };
    assert_eq!(layers(&half).iter().filter(|layer| layer.is_static).count(), 5);
    assert_eq!(
        (half.name().as_str(), spec("statics:9").name().as_str()),
        ("statics --moving 0.5", "statics")
    );
    for kind in GeneratedKind::ALL.into_iter().filter(|kind| *kind != GeneratedKind::Statics) {
        let spec = GeneratedSpec { kind, moving: 0.5, ..half };
        assert_eq!(layers(&spec), [], "{}", kind.name());
    }
}

#[test]
fn jitter_stays_near_its_places() {
    let frames = frames(&spec("jitter:500"), 300);
    let mut farthest: f32 = 0.0;
    for (before, boxes) in frames.iter().zip(&frames[1..]) {
        for ((start, before), b) in frames[0].iter().zip(before).zip(boxes) {
            assert_ne!(before, b, "it wobbles in every frame");
            let away = (b.center() - start.center()) / start.size();
            farthest = farthest.max(away.abs().max_element());
        }
    }
    assert!((0.0195..0.0201).contains(&farthest), "{farthest} of a side");
}

#[test]
fn degenerate_kinds_are_flat_where_they_should_be() {
    let flat = |text: &str, low: fn(&Aabb) -> f32| {
        let frames = frames(&spec(text), 20);
        let first = low(&frames[0][0]);
        frames.iter().flatten().all(|b| low(b) == first)
    };
    assert!(flat("plane:100", |b| b.min.z) && flat("plane:100", |b| b.max.z));
    assert!(flat("line:100", |b| b.min.y) && flat("line:100", |b| b.max.z));
    assert!(flat("same-x:100", |b| b.min.x) && flat("same-x:100", |b| b.max.x));
    assert!(!flat("same-x:100", |b| b.min.y));
}

/// The hash of all coordinates of forty frames, bit by bit.
fn hash(spec: &GeneratedSpec) -> u64 {
    let frames = frames(spec, 40);
    let corners = frames.iter().flatten().flat_map(|b| [b.min, b.max]);
    let floats = corners.flat_map(|v| v.to_array());
    floats.fold(0, |hash, value| mix(hash ^ u64::from(value.to_bits())))
}

#[test]
fn a_seed_gives_the_same_boxes_on_every_machine() {
    let hashes = GeneratedKind::ALL.map(|kind| hash(&spec(&format!("{}:1500", kind.name()))));
    let expected = [
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
    assert_ne!(hash(&GeneratedSpec { seed: 2, ..spec("gas:1500") }), hashes[0]);
}

#[test]
fn invalid_spec_is_refused_with_what_was_expected() {
    for (text, expected) in [
        ("gas", "NAME:N"),
        (
            "fog:10",
            "one of gas, cluster, brownian, jitter, plane, line, same-x, stadium, terdiman, statics",
        ),
        ("gas:0", "a number of objects after the colon, 1 to 4294967295"),
        ("gas:-1", "a number of objects"),
        ("gas:1e3", "a number of objects"),
        ("gas:5000000000", "a number of objects"),
    ] {
        let error = text.parse::<GeneratedSpec>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{text}`: ")) && error.contains(expected), "{error}");
    }
}

#[test]
fn placing_of_every_kind_is_followed_and_can_be_ended() {
    for kind in GeneratedKind::ALL {
        let spec = GeneratedSpec { objects: 2000, ..spec(&format!("{}:1", kind.name())) };
        let mut most = 0;
        let mut follow = |placed| {
            most = placed;
            true
        };
        GeneratedBoxes::place(&spec, &mut Placing::new(&mut follow)).unwrap();
        assert!((1500..2000).contains(&most), "{kind:?}: {most}");
        let mut calls = 0;
        let mut end = |_| {
            calls += 1;
            calls < 3
        };
        let ended = GeneratedBoxes::place(&spec, &mut Placing::new(&mut end));
        assert_eq!((ended.err(), calls), (Some(PlacingEnded), 3), "{kind:?}");
    }
}
