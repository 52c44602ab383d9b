//! The tree for queries gives exactly the answers of a scan over all boxes.

use crate::common::{any_exponent, any_exponents, inputs, rng, vec3};
use broadphase::query::{
    Frustum, Hit, MovingBox, Probe, Query, QueryTree, Ray, Scan, Sphere, first_of_each,
    lists_of_each,
};
use broadphase::{Aabb, Layer, Limits, swept_pairs_by_definition};
use glam::{DVec3, DVec4, Vec3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// Queries of each kind in a frame.
const QUERIES: usize = 2;

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
fn assert_probe(
    query: &dyn Query,
    boxes: &[Aabb],
    probe: &(impl Probe + Debug),
    name: &str,
) -> usize {
    let measured = (0..)
        .zip(boxes)
        .filter_map(|(object, b)| probe.measure(object, b).map(|measure| Hit { object, measure }));
    let expected = sorted(measured.collect());
    let mut found = Vec::new();
    query.all(probe, &mut found);
    assert_eq!(sorted(found), expected, "{name}: all of {probe:?}");
    assert_eq!(query.first(probe), expected.first().copied(), "{name}: first of {probe:?}");
    assert_eq!(query.any(probe), !expected.is_empty(), "{name}: any of {probe:?}");
    for count in [0, 1, 3, boxes.len() + 1] {
        // The list is appended to.
        let mut few = vec![Hit { object: 9, measure: 1e9 }];
        query.nearest_few(probe, count, &mut few);
        let expected = &expected[..count.min(expected.len())];
        assert_eq!(few[1..], *expected, "{name}: nearest {count} of {probe:?}");
    }
    let most = expected.len().div_ceil(2);
    let mut visited = 0;
    query.each(probe, &mut |hit| {
        assert!(expected.binary_search(&hit).is_ok(), "{name}: {hit:?} of {probe:?}");
        visited += 1;
        if visited == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(visited, most, "{name}: {probe:?} until half are visited");
    expected.len()
}

/// Probes of each kind at a place, in units of a length.
fn assert_probes_at(
    query: &dyn Query,
    boxes: &[Aabb],
    [corner, target]: [Vec3; 2],
    unit: f32,
    rng: &mut ChaCha8Rng,
    name: &str,
) -> [usize; 8] {
    let b = Aabb::new(corner, corner + vec3(rng, -0.05..0.5) * unit);
    let direction = match rng.random_range(0..3) {
        // Along an axis, often along faces.
        0 => Vec3::AXES[rng.random_range(0..3)],
        1 => target - corner,
        _ => vec3(rng, -1.0..1.0) * unit,
    };
    let reach = if rng.random() { f64::INFINITY } else { rng.random_range(0.0..2.0) };
    let ray = Ray { reach, ..Ray::new(corner, direction) };
    let moving = MovingBox::new(b, direction);
    // A time is rounded.
    let rounded = MovingBox::new(b, direction.as_dvec3() * 1.000_000_1);
    let sphere = Sphere::new(target, rng.random_range(0.0..1.0) * unit);
    let point = Sphere::unbounded(target);
    let mut plane = || {
        let normal = vec3(rng, -1.0..1.0);
        normal.extend(-normal.dot(if normal.x < 0.0 { corner } else { target })).as_dvec4()
    };
    let planes = [plane(), plane(), plane()];
    let frustum = Frustum { planes: &planes };
    let odd = b.only(|object| object % 2 == 1);
    let accepts = |object: u32| object % 2 == 1;
    let odd_first = |hit: Option<Hit>| hit.map_or(0, |hit| usize::from(accepts(hit.object)));
    let filtered = odd_first(query.first(&point.only(accepts)));
    let mut odds = Vec::new();
    query.all(&odd, &mut odds);
    assert!(odds.iter().all(|hit| accepts(hit.object)), "{name}: {odds:?}");
    [
        assert_probe(query, boxes, &b, name),
        assert_probe(query, boxes, &ray, name),
        assert_probe(query, boxes, &moving, name),
        assert_probe(query, boxes, &rounded, name),
        assert_probe(query, boxes, &sphere, name),
        assert_probe(query, boxes, &point, name),
        assert_probe(query, boxes, &frustum, name),
        filtered,
    ]
}

#[test]
fn every_query_equals_a_scan() {
    let (mut rng, mut tree, mut answers) = (rng(17), QueryTree::default(), [0; 8]);
    for n in [0, 1, 9, 200] {
        for (input, frames) in inputs(n, 4, 11) {
            for (number, boxes) in frames.iter().enumerate() {
                let name = format!("{input} ({n} objects), frame {number}");
                for _ in 0..QUERIES {
                    let places = [point(&mut rng, boxes), point(&mut rng, boxes)];
                    let met =
                        assert_probes_at(tree.over(boxes), boxes, places, 1.0, &mut rng, &name);
                    answers.iter_mut().zip(met).for_each(|(sum, met)| *sum += met);
                }
            }
        }
    }
    assert!(answers.iter().all(|met| *met > 200), "few answers: {answers:?}");
}

#[test]
fn queries_are_exact_at_units_from_1e_minus_30_to_1e30() {
    let mut rng = rng(31);
    let (_, frames) = inputs(200, 3, 5).swap_remove(0);
    let mut tree = QueryTree::default();
    for exponent in (-30..=30).step_by(5) {
        let unit = 10f32.powi(exponent);
        let mut answers = [0; 8];
        for boxes in &frames {
            let scaled = |b: &Aabb| Aabb::new(b.min * unit, b.max * unit);
            let boxes: Vec<_> = boxes.iter().map(scaled).collect();
            for _ in 0..3 * QUERIES {
                let places = [(); 2].map(|()| vec3(&mut rng, -1.0..1.0) * unit);
                let (query, name) = (tree.over(&boxes), format!("unit {unit:e}"));
                let met = assert_probes_at(query, &boxes, places, unit, &mut rng, &name);
                answers.iter_mut().zip(met).for_each(|(sum, met)| *sum += met);
            }
        }
        assert!(answers.iter().all(|met| *met > 2), "unit {unit:e}: {answers:?}");
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
    let (_, frames) = inputs(3000, 2, 6).swap_remove(0);
    let mut tree = QueryTree::default();
    for boxes in &frames {
        let ray = |_| Ray::new(vec3(&mut rng, -1.0..1.0), vec3(&mut rng, -1.0..1.0));
        let rays: Vec<_> = (0..4000).map(ray).collect();
        let expected: Vec<_> = rays.iter().map(|ray| Scan(boxes).first(ray)).collect();
        assert!(expected.iter().flatten().count() > 2000);
        let two_of = |ray: &Ray| {
            let mut two = Vec::new();
            Scan(boxes).nearest_few(ray, 2, &mut two);
            two
        };
        let expected_two: Vec<_> = rays.iter().map(two_of).collect();
        assert!(expected_two.iter().filter(|two| two.len() == 2).count() > 1000);
        let query = tree.over(boxes);
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut hits = vec![None];
            pool.install(|| first_of_each(query, &rays, &mut hits));
            assert!(hits[1..] == expected, "{threads} threads");
            // Rays that hit nothing have empty lists, and a list may have several hits.
            let lists_of = |rays: &[Ray]| {
                let two = |ray: &Ray, hits: &mut _| query.nearest_few(ray, 2, hits);
                pool.install(|| lists_of_each(rays, Limits::NONE, two))
            };
            let (lists, none) = (lists_of(&rays), lists_of(&[]));
            let list = |at: usize| &lists.items[lists.starts[at]..lists.starts[at + 1]];
            assert!((0..4000).all(|at| list(at) == expected_two[at]), "{threads} threads");
            assert_eq!((lists.starts.len(), lists.starts[4000]), (4001, lists.items.len()));
            assert_eq!((none.starts, none.items), (vec![0], vec![]));
        }
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
        let mut hits = [0; 4];
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
            hits[0] += 1;
            // Rays to a point of the box.
            let target = min + (max - min) * rng.random_range(0.0..1.0);
            let ray = Ray { reach: 1.0, ..Ray::new(center, target - center) };
            // Whether a sum ends in the box, and is not rounded.
            let ends_inside = |start: DVec3, way: DVec3| {
                let end = start + way;
                outside(end) == DVec3::ZERO && end - start == way && end - way == start
            };
            let is_exact = ends_inside(center, ray.direction);
            hits[1] += usize::from(is_exact);
            assert!(!is_exact || ray.enters(&b).is_some(), "{ray:?} and {b:?}");
            // Boxes that move until they touch.
            let start = Aabb::from_f64(corner, corner + 0.5);
            let way = target - corner;
            let is_exact = ends_inside(corner, way);
            let sweep = MovingBox { start, displacement: way };
            hits[2] += usize::from(is_exact);
            assert!(!is_exact || sweep.touches(&b).is_some(), "{sweep:?} and {b:?}");
            // Planes through a corner.
            let normal = vec3(&mut rng, -1.0..1.0).as_dvec3();
            let farthest = DVec3::select(normal.cmplt(DVec3::ZERO), min, max);
            let planes = [normal.extend(-normal.dot(farthest))];
            let frustum = Frustum { planes: &planes };
            assert_eq!(frustum.measure(0, &b), Some(0.0), "{planes:?} and {b:?}");
            hits[3] += 1;
        }
        assert!(hits.iter().all(|hits| *hits > 100), "{distance}: {hits:?}");
    }
}

#[test]
fn sweep_touches_first_at_its_time() {
    let mut rng = rng(41);
    let mut touches = 0;
    for _ in 0..20_000 {
        let mut draw = || {
            let at = vec3(&mut rng, -1.0..1.0);
            Aabb::new(at, at + vec3(&mut rng, 0.0..1.0))
        };
        let (start, b) = (draw(), draw());
        let displacement = vec3(&mut rng, -4.0..4.0);
        let sweep = MovingBox::new(start, displacement);
        let mut expected = Vec::new();
        let ways = [displacement, Vec3::ZERO];
        swept_pairs_by_definition(&[start, b], &ways, &mut expected).unwrap();
        let Some(t) = sweep.touches(&b) else {
            assert!(expected.is_empty(), "{sweep:?} misses {b:?}");
            continue;
        };
        assert_eq!(expected.len(), 1, "{sweep:?} touches {b:?}");
        // The largest gap along an axis, at a time.
        let gap = |t: f64| {
            let way = sweep.displacement * t;
            let [own_min, own_max] = [start.min, start.max].map(|at| at.as_dvec3() + way);
            (own_min - b.max.as_dvec3()).max(b.min.as_dvec3() - own_max).max_element()
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

#[test]
fn very_short_ray_misses_a_box_beside_it() {
    let ray = Ray::new(Vec3::new(-4.0, 2.0, 4.25), Vec3::new(1e-42, -0.0, 1e-42));
    let beside = Aabb::new(Vec3::new(11.0, 1.0, 5.5), Vec3::new(12.0, 2.0, 5.5));
    assert_eq!(ray.enters(&beside), None);
    let ahead = Aabb::new(Vec3::new(11.0, 1.0, 19.0), Vec3::new(12.0, 2.0, 20.0));
    let t = 15.0 / f64::from(1e-42f32);
    assert_eq!(ray.enters(&ahead), Some(t));
}

/// The smallest `t` at which a ray is in a box, and whether that is beyond doubt: by products instead of quotients, with
/// intervals that are wider than all roundings.
fn enters_by_products(ray: &Ray, b: &Aabb) -> Option<bool> {
    // t = numerator / denominator, with a positive denominator.
    let (mut lows, mut highs) = (vec![[0.0, 1.0]], Vec::new());
    for axis in 0..3 {
        let of = |number: f32| f64::from(number);
        let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
        let faces = [of(b.min[axis]), of(b.max[axis])];
        let [near, far] = if direction < 0.0 { [faces[1], faces[0]] } else { faces };
        let sign = direction.signum();
        lows.push([(near - origin) * sign, direction.abs()]);
        highs.push([(far - origin) * sign, direction.abs()]);
    }
    let (mut hits, mut misses) = (true, false);
    for [low, by] in &lows {
        for [high, of] in &highs {
            let (low, high) = (low * of, high * by);
            let doubt = 1e-14 * low.abs().max(high.abs());
            hits &= low + doubt < high;
            misses |= low > high + doubt;
        }
    }
    (hits || misses).then_some(hits)
}

#[test]
fn rays_of_any_exponents_hit_as_by_products() {
    let mut rng = rng(23);
    let (mut hits, mut tree) = ([0; 2], QueryTree::default());
    for _ in 0..300 {
        let boxes = any_exponents(&mut rng, 100);
        let mut vector = || Vec3::from(std::array::from_fn(|_| any_exponent(&mut rng)));
        let ray = Ray::new(vector(), vector());
        let mut found = Vec::new();
        tree.over(&boxes).all(&ray, &mut found);
        assert!(found.iter().all(|hit| hit.measure.is_finite()), "{ray:?}");
        for (object, b) in (0..).zip(&boxes) {
            if let Some(expected) = enters_by_products(&ray, b) {
                hits[usize::from(expected)] += 1;
                let is_hit = found.iter().any(|hit| hit.object == object);
                assert_eq!(is_hit, expected, "{ray:?} and {b:?}");
            }
        }
    }
    assert!(hits.iter().all(|number| *number > 500), "{hits:?}");
}

#[test]
fn nearest_is_exact_for_any_exponents() {
    let (mut rng, mut tree) = (rng(29), QueryTree::default());
    for exponent in -140..127 {
        let unit = 2f64.powi(exponent) as f32;
        let points = (0..60).map(|_| vec3(&mut rng, -1.0..1.0) * unit).collect::<Vec<_>>();
        let points = points.into_iter().map(|at| Aabb::new(at, at)).collect();
        for boxes in [points, any_exponents(&mut rng, 60)] {
            let point = vec3(&mut rng, -1.0..1.0) * unit;
            let distance = |b: &Aabb| {
                let of = |axis: usize| {
                    let [min, max, at] =
                        [b.min, b.max, point].map(|vector| f64::from(vector[axis]));
                    at - at.clamp(min, max)
                };
                of(0).hypot(of(1)).hypot(of(2))
            };
            let least = boxes.iter().map(distance).fold(f64::INFINITY, f64::min);
            for query in [tree.over(&boxes) as &dyn Query, &Scan(&boxes)] {
                let found = query.first(&Sphere::unbounded(point)).unwrap();
                let of_found = distance(&boxes[found.object as usize]);
                assert!(of_found <= least * (1.0 + 1e-15), "2^{exponent}: {of_found}, not {least}");
                let error = (found.measure.sqrt() - least).abs();
                assert!(error <= 1e-15 * least, "2^{exponent}: {found:?}, not {least}");
            }
        }
    }
}
