//! The tree for queries gives exactly the answers of a scan over all boxes.

use crate::common::{any_exponent, any_exponents, inputs, pool, rng, vec3};
use broadphase::query::{
    Frustum, Hit, MovingBox, Probe, Query, QueryTree, Ray, Scan, Sphere, first_of_each,
    lists_of_each,
};
use broadphase::{Aabb, Layer, Limits, swept_pairs_by_definition};
use glam::{DVec3, DVec4, Vec3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;

/// A random point, often on a corner of a box.
fn point(rng: &mut ChaCha8Rng, boxes: &[Aabb]) -> Vec3 {
    match boxes.get(rng.random_range(0..boxes.len() * 2 + 1)) {
        Some(b) if !b.is_empty() => b.max,
        _ => vec3(rng, -2.0..2.0),
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list
}

/// Asks every question with a probe, and compares the answers with those that follow from its measures of all boxes. Returns
/// the number of objects met.
fn assert_probe(query: &dyn Query, boxes: &[Aabb], probe: &dyn Probe, name: &str) -> usize {
    let measured = (0..)
        .zip(boxes)
        .filter_map(|(object, b)| probe.measure(object, b).map(|measure| Hit { object, measure }));
    let expected = sorted(measured.collect());
    let mut found = Vec::new();
    query.all(probe, &mut found);
    assert_eq!(sorted(found), expected, "{name}: all");
    assert_eq!(query.first(probe), expected.first().copied(), "{name}: first");
    assert_eq!(query.any(probe), !expected.is_empty(), "{name}: any");
    for count in [0, 1, 3, usize::MAX] {
        // The list is appended to.
        let mut few = vec![Hit { object: 9, measure: 1e9 }];
        query.nearest_few(probe, count, &mut few);
        assert_eq!(few[1..], expected[..count.min(expected.len())], "{name}: nearest {count}");
    }
    let most = expected.len().div_ceil(2);
    let mut visited = 0;
    query.each(probe, &mut |hit| {
        assert!(expected.binary_search(&hit).is_ok(), "{name}: {hit:?} of each");
        visited += 1;
        if visited == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(visited, most, "{name}: each until half are visited");
    expected.len()
}

/// Probes of each kind at two places, in units of a length. Adds the numbers of objects met.
fn assert_probes_at(
    (query, boxes): (&dyn Query, &[Aabb]),
    [corner, target]: [Vec3; 2],
    unit: f32,
    rng: &mut ChaCha8Rng,
    met: &mut [usize; 8],
    name: &str,
) {
    let b = Aabb::new(corner, corner + vec3(rng, -0.05..0.5) * unit);
    let direction = match rng.random_range(0..3) {
        // Along an axis, often along faces.
        0 => Vec3::AXES[rng.random_range(0..3)],
        1 => target - corner,
        _ => vec3(rng, -1.0..1.0) * unit,
    };
    let reach = if rng.random() { f64::INFINITY } else { rng.random_range(0.0..2.0) };
    let mut plane = || {
        let normal = vec3(rng, -1.0..1.0);
        normal.extend(-normal.dot(if normal.x < 0.0 { corner } else { target })).as_dvec4()
    };
    let planes = [plane(), plane(), plane()];
    let nearest = Sphere::unbounded(target);
    let is_odd = |object: u32| object % 2 == 1;
    assert!(query.first(&nearest.only(is_odd)).is_none_or(|hit| is_odd(hit.object)), "{name}");
    let probes: [&dyn Probe; 8] = [
        &b,
        &Ray { reach, ..Ray::new(corner, direction) },
        &MovingBox::new(b, direction),
        // A time is rounded.
        &MovingBox::new(b, direction.as_dvec3() * 1.000_000_1),
        &Sphere::new(target, rng.random_range(0.0..1.0) * unit),
        &nearest,
        &Frustum { planes: &planes },
        &nearest.only(is_odd),
    ];
    for (kind, probe) in probes.into_iter().enumerate() {
        met[kind] += assert_probe(query, boxes, probe, &format!("{name}, probe {kind}"));
    }
}

#[test]
fn every_query_equals_a_scan() {
    let (mut rng, mut tree, mut met) = (rng(17), QueryTree::default(), [0; 8]);
    for n in [0, 1, 9, 200] {
        for (input, frames) in inputs(n, 4, 11) {
            for (number, boxes) in frames.iter().enumerate() {
                let name = format!("{input} ({n} objects), frame {number}");
                for _ in 0..2 {
                    let places = [point(&mut rng, boxes), point(&mut rng, boxes)];
                    let over = (tree.over(boxes) as _, &boxes[..]);
                    assert_probes_at(over, places, 1.0, &mut rng, &mut met, &name);
                }
            }
        }
    }
    assert!(met.iter().all(|met| *met > 200), "few answers: {met:?}");
}

#[test]
fn queries_are_exact_at_units_from_1e_minus_30_to_1e30() {
    let (mut rng, mut tree) = (rng(31), QueryTree::default());
    let (_, frames) = inputs(200, 3, 5).swap_remove(0);
    for exponent in (-30..=30).step_by(5) {
        let (unit, mut met) = (10f32.powi(exponent), [0; 8]);
        for boxes in &frames {
            let scaled = |b: &Aabb| Aabb::new(b.min * unit, b.max * unit);
            let boxes: Vec<_> = boxes.iter().map(scaled).collect();
            for _ in 0..6 {
                let places = [(); 2].map(|()| vec3(&mut rng, -1.0..1.0) * unit);
                let over = (tree.over(&boxes) as _, &boxes[..]);
                assert_probes_at(over, places, unit, &mut rng, &mut met, &format!("unit {unit:e}"));
            }
        }
        assert!(met.iter().all(|met| *met > 2), "unit {unit:e}: {met:?}");
    }
}

#[test]
fn documented_limits_of_queries_hold() {
    let boxes =
        [Aabb::EMPTY, Aabb::new(Vec3::ZERO, Vec3::ONE), Aabb::around_sphere(Vec3::X * 5.0, 1.0)];
    let mut tree = QueryTree::default();
    let (query, nan) = (tree.over(&boxes), Vec3::Y * f32::NAN);
    let met = |probe: &dyn Probe| {
        let mut found = Vec::new();
        query.all(probe, &mut found);
        sorted(found.iter().map(|hit| hit.object).collect::<Vec<_>>())
    };
    let unit = boxes[1];
    let sweep = |displacement: Vec3| MovingBox::new(unit, displacement);
    let sphere = |center: Vec3, radius: f64| Sphere::new(center, radius);
    let none: [&dyn Probe; 12] = [
        &Aabb::EMPTY,
        &Aabb::new(nan, Vec3::ONE),
        &Ray::new(nan, Vec3::X),
        &Ray::new(Vec3::ZERO, nan),
        &Ray { reach: -1.0, ..Ray::new(Vec3::ZERO, Vec3::X) },
        &Ray::new(Vec3::ZERO, Vec3::INFINITY),
        &sweep(nan),
        &MovingBox::new(Aabb::EMPTY, Vec3::X),
        &sphere(nan, 9.0),
        &sphere(Vec3::ZERO, f64::NAN),
        &sphere(Vec3::ZERO, -1.0),
        &Frustum { planes: &[nan.extend(1.0).as_dvec4()] },
    ];
    for (number, probe) in none.into_iter().enumerate() {
        assert_eq!(met(probe), [0; 0], "probe {number}");
        assert_eq!(Scan(&boxes).first(probe), None, "probe {number}");
    }
    // Without motion or radius, they are a box and a point.
    assert_eq!(met(&sweep(Vec3::ZERO)), [1]);
    assert_eq!(met(&Ray::new(Vec3::ONE, Vec3::ZERO)), [1]);
    assert_eq!(met(&sphere(Vec3::ONE, 0.0)), [1]);
    assert_eq!(met(&sphere(Vec3::ONE * 1.001, 0.0)), [0; 0]);
    assert_eq!(met(&sphere(Vec3::ONE, f64::INFINITY)), [1, 2]);
    assert_eq!(met(&Frustum { planes: &[] }), [1, 2]);
    assert_eq!(met(&Aabb::new(Vec3::NEG_INFINITY, Vec3::INFINITY)), [1, 2]);
    assert_eq!(tree.over(&[]).first(&Sphere::unbounded(Vec3::ZERO)), None);
}

#[test]
fn queries_with_layers_meet_as_pairs_do() {
    let boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 4];
    let red = Layer { group: 1, mask: 1 << 2, ..Layer::ALL };
    let blue = Layer { group: 2, ..Layer::ALL };
    // The last object has no layer: it is in group 0.
    let layers = [red, blue, Layer::STATIC];
    let mut tree = QueryTree::default();
    let query = tree.over(&boxes);
    let first_ids = |layer| {
        let (mut found, ray) = (Vec::new(), Ray::new(Vec3::NEG_ONE, Vec3::ONE));
        query.all(&ray.only_meeting(&layers, layer), &mut found);
        sorted(found.iter().map(|hit| hit.object).collect::<Vec<_>>())
    };
    assert_eq!(first_ids(red), [1]);
    assert_eq!(first_ids(blue), [0, 1, 2, 3]);
    assert_eq!(first_ids(Layer::STATIC), [1, 3]);
}

#[test]
fn hits_of_each_are_the_same_on_any_number_of_threads() {
    let mut rng = rng(37);
    let (_, frames) = inputs(3000, 1, 6).swap_remove(0);
    let mut tree = QueryTree::default();
    let (boxes, query) = (&frames[0], tree.over(&frames[0]));
    let ray = |_| Ray::new(vec3(&mut rng, -1.0..1.0), vec3(&mut rng, -1.0..1.0));
    let rays: Vec<_> = (0..4000).map(ray).collect();
    // Rays that hit nothing have empty lists, and a list may have several hits.
    let two_of = |query: &dyn Query, ray: &Ray, two: &mut _| query.nearest_few(ray, 2, two);
    let scan = |ray| {
        let mut two = Vec::new();
        two_of(&Scan(boxes), ray, &mut two);
        two
    };
    let expected: Vec<_> = rays.iter().map(scan).collect();
    let counts = [0, 1, 2].map(|len| expected.iter().filter(|two| two.len() == len).count());
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    for threads in [1, 2, 5] {
        pool(threads).install(|| {
            let mut hits = vec![None];
            first_of_each(query, &rays, &mut hits);
            let firsts = expected.iter().map(|two| two.first().copied());
            assert!(hits.into_iter().skip(1).eq(firsts), "{threads} threads");
            let lists_of = |rays: &[Ray]| {
                lists_of_each(rays, Limits::NONE, |ray, two| two_of(query, ray, two))
            };
            let (lists, none) = (lists_of(&rays), lists_of(&[]));
            assert_eq!((lists.items, none.items), (expected.concat(), vec![]), "{threads} threads");
            let lens = lists.starts.windows(2).map(|ends| ends[1] - ends[0]);
            assert!(lens.eq(expected.iter().map(Vec::len)) && lists.starts[0] == 0);
            assert_eq!(none.starts, [0]);
        });
    }
}

#[test]
fn bounds_are_at_most_the_measures_of_any_exponents() {
    let mut rng = rng(47);
    let mut measured = [0; 5];
    for _ in 0..20_000 {
        let [start, b, way] = [(); 3].map(|()| any_exponents(&mut rng, 1)[0]);
        let (origin, direction) = (start.max, b.center() - start.max * rng.random_range(0.9..1.1));
        let (ray, displacement) = (Ray::new(origin, direction), way.max.as_dvec3());
        // Numbers that f32 does not have.
        let exponent = 10f64.powi(rng.random_range(-250..250));
        let to_center = b.center().as_dvec3() - ray.origin;
        let probes: [&dyn Probe; 5] = [
            &ray,
            &MovingBox { start, displacement },
            &Sphere::unbounded(origin.as_dvec3() * rng.random_range(0.5..1.5)),
            &Ray { direction: to_center * exponent, ..ray },
            &MovingBox { start, displacement: displacement * exponent },
        ];
        for (probe, measured) in probes.into_iter().zip(&mut measured) {
            if let Some(measure) = probe.measure(0, &b).filter(|measure| *measure > 0.0) {
                let bound = probe.bound(b.min.as_dvec3(), b.max.as_dvec3());
                assert!(bound <= measure && bound >= 0.999_999 * measure, "{bound}, {measure}");
                *measured += 1;
            }
        }
    }
    assert!(measured.iter().all(|number| *number > 100), "{measured:?}");
}

/// Against exact boxes and shapes of `f64`, whose boxes are rounded outwards.
#[test]
fn no_shape_loses_a_hit_at_any_distance() {
    let mut rng = rng(53);
    for distance in [0.0f64, 1e3, 6.4e6, 1e12, 1e30, 1e150] {
        let mut exact = [0; 2];
        for _ in 0..4000 {
            let mut place = || {
                // Also far out, as long as boxes have room there.
                let far = if rng.random() { DVec3::new(1.0, -1.0, 0.3) } else { DVec3::X };
                far * distance.min(1e30) + vec3(&mut rng, -2.0..2.0).as_dvec3() / 3.0
            };
            let (min, origin, corner) = (place(), place(), place());
            let max = min + vec3(&mut rng, 0.0..1.0).as_dvec3() / 3.0;
            let b = Aabb::from_f64(min, max);
            let outside = |point: DVec3| (min - point).max(point - max).max(DVec3::ZERO);
            // Spheres that end at the box, from far away.
            let center = origin + DVec3::Y * distance;
            let sphere = Sphere::new(center, outside(center).length());
            let nearest = sphere.measure(0, &b).expect("it touches the box");
            assert!(nearest.sqrt() <= sphere.radius * (1.0 + 1e-15), "{sphere:?} and {b:?}");
            // Planes through a corner.
            let normal = vec3(&mut rng, -1.0..1.0).as_dvec3();
            let farthest = DVec3::select(normal.cmplt(DVec3::ZERO), min, max);
            let planes = [normal.extend(-normal.dot(farthest))];
            assert_eq!(Frustum { planes: &planes }.measure(0, &b), Some(0.0), "{planes:?}, {b:?}");
            // Rays to a point of the box, and boxes that move until they touch it.
            let target = min + (max - min) * rng.random_range(0.0..1.0);
            let ray = Ray { reach: 1.0, ..Ray::new(center, target - center) };
            let start = Aabb::from_f64(corner, corner + 0.5);
            let sweep = MovingBox { start, displacement: target - corner };
            let probes: [(DVec3, DVec3, &dyn Probe); 2] =
                [(center, ray.direction, &ray), (corner, sweep.displacement, &sweep)];
            for (kind, (start, way, probe)) in probes.into_iter().enumerate() {
                // The sum is not rounded, and ends in the box.
                let end = start + way;
                if outside(end) == DVec3::ZERO && end - start == way && end - way == start {
                    exact[kind] += 1;
                    assert!(probe.measure(0, &b).is_some(), "{ray:?}, {sweep:?} and {b:?}");
                }
            }
        }
        assert!(exact.iter().all(|number| *number > 100), "{distance}: {exact:?}");
    }
}

#[test]
fn sweep_touches_first_at_its_time() {
    let (mut rng, mut touches) = (rng(41), 0);
    for _ in 0..20_000 {
        let [start, b] = [(); 2].map(|()| {
            let at = vec3(&mut rng, -1.0..1.0);
            Aabb::new(at, at + vec3(&mut rng, 0.0..1.0))
        });
        let displacement = vec3(&mut rng, -4.0..4.0);
        let sweep = MovingBox::new(start, displacement);
        let mut expected = Vec::new();
        swept_pairs_by_definition(&[start, b], &[displacement, Vec3::ZERO], &mut expected).unwrap();
        let time = sweep.touches(&b);
        assert_eq!(time.is_some(), !expected.is_empty(), "{sweep:?} and {b:?}");
        let Some(t) = time else { continue };
        // The largest gap along an axis, at a time.
        let gap = |t: f64| {
            let [min, max] =
                [start.min, start.max].map(|at| at.as_dvec3() + sweep.displacement * t);
            (min - b.max.as_dvec3()).max(b.min.as_dvec3() - max).max_element()
        };
        assert!((0.0..=1.0).contains(&t) && gap(t) < 1e-14, "{sweep:?}: {t}, {}", gap(t));
        assert!(t == 0.0 || gap(t - 1e-7) > 0.0, "{sweep:?} touches before {t}");
        touches += 1;
    }
    assert!(touches > 1000, "{touches}");
}

#[test]
fn frustum_excludes_boxes_behind_one_plane_by_their_corners() {
    let mut rng = rng(43);
    let mut met = [0; 2];
    for _ in 0..20_000 {
        let at = vec3(&mut rng, -2.0..2.0);
        let b = Aabb::new(at, at + vec3(&mut rng, 0.0..1.0));
        let mut plane = || vec3(&mut rng, -1.0..1.0).extend(rng.random_range(0.0..1.0)).as_dvec4();
        let planes = [(); 4].map(|()| plane());
        let corner = |bits: usize| {
            let face = |axis: usize| if bits >> axis & 1 == 0 { b.min[axis] } else { b.max[axis] };
            DVec3::from([0, 1, 2].map(|axis| f64::from(face(axis))))
        };
        let is_behind =
            |plane: &DVec4| (0..8).all(|bits| plane.truncate().dot(corner(bits)) + plane.w < 0.0);
        let expected = !planes.iter().any(is_behind);
        met[usize::from(expected)] += 1;
        let found = Frustum { planes: &planes }.measure(0, &b).is_some();
        assert_eq!(found, expected, "{planes:?} and {b:?}");
    }
    assert!(met.iter().all(|number| *number > 2000), "{met:?}");
}

/// Whether a ray enters a box, if that is beyond doubt: by products instead of quotients, with intervals that are wider than
/// all roundings.
fn enters_by_products(ray: &Ray, b: &Aabb) -> Option<bool> {
    let [one, other] =
        [b.min, b.max].map(|face| (face.as_dvec3() - ray.origin) * ray.direction.signum());
    // Times as fractions: numerators, and positive denominators.
    let times = |ends: DVec3| (0..3).map(move |axis| (ends[axis], ray.direction[axis].abs()));
    let (mut hits, mut misses) = (true, false);
    for (low, by) in times(one.min(other)).chain([(0.0, 1.0)]) {
        for (high, of) in times(one.max(other)) {
            let (low, high) = (low * of, high * by);
            let doubt = 1e-14 * low.abs().max(high.abs());
            hits &= low + doubt < high;
            misses |= low > high + doubt;
        }
    }
    (hits || misses).then_some(hits)
}

#[test]
fn rays_and_distances_of_any_exponents_are_exact() {
    let (mut rng, mut hits) = (rng(23), [0; 2]);
    for _ in 0..40_000 {
        let b = any_exponents(&mut rng, 1)[0];
        let [at, direction] =
            [(); 2].map(|()| Vec3::from(std::array::from_fn(|_| any_exponent(&mut rng))));
        let (ray, at) = (Ray::new(at, direction), at.as_dvec3());
        let entered = ray.enters(&b);
        assert!(entered.is_none_or(f64::is_finite), "{ray:?} and {b:?}");
        if let Some(expected) = enters_by_products(&ray, &b) {
            hits[usize::from(expected)] += 1;
            assert_eq!(entered.is_some(), expected, "{ray:?} and {b:?}");
        }
        let away = at - at.clamp(b.min.as_dvec3(), b.max.as_dvec3());
        let expected = away.x.hypot(away.y).hypot(away.z);
        let error = Sphere::unbounded(at).measure(0, &b).unwrap().sqrt() - expected;
        assert!(error.abs() <= 1e-15 * expected, "{at} and {b:?}: {error} of {expected}");
    }
    assert!(hits.iter().all(|number| *number > 500), "{hits:?}");
}
