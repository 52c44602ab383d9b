//! Queries through the C interface answer as the library's scan does, for every algorithm.

use crate::support::{Instance, cube_at, result};
use broadphase::Aabb;
use broadphase::glam::Vec3;
use broadphase::query::{Hit, Query, Ray, Scan, Sphere};
use broadphase_c::{
    BP_NO_OBJECT, BpAabb, BpBroadPhase, BpJoinPair, BpNearest, BpRay, BpRayHit, BpStatus, bp_join,
    bp_query_box, bp_query_nearest, bp_query_ray,
};
use std::ptr;

const BOX: BpAabb = BpAabb { min: [-1.0; 3], max: [4.5; 3] };
const RAY: BpRay = BpRay { origin: [-9.0, 0.5, 0.5], direction: [2.0, 0.0, 0.0], reach: 50.0 };
const POINT: [f32; 3] = [3.1, -2.0, 7.0];

/// The three answers and their statuses, for pointers that may be null.
fn ask(
    instance: *mut BpBroadPhase,
    boxes: &[BpAabb],
    [area, ray, point]: [*const f32; 3],
) -> ([BpStatus; 3], Vec<u32>, BpRayHit, BpNearest) {
    let (mut list, mut length) = (ptr::dangling(), usize::MAX);
    let (mut hit, mut nearest) = (BpRayHit::default(), BpNearest::default());
    let (all, count) = (boxes.as_ptr(), boxes.len());
    // SAFETY: the instance is null or live, the questions are null or valid, the answers are variables.
    let statuses = unsafe {
        [
            bp_query_box(instance, all, count, area.cast(), &mut list, &mut length),
            bp_query_ray(instance, all, count, ray.cast(), &mut hit),
            bp_query_nearest(instance, all, count, point, &mut nearest),
        ]
    };
    assert_eq!(list.is_null(), statuses[0] != BpStatus::Ok);
    let mut found = Vec::new();
    if !list.is_null() {
        // SAFETY: the list is valid until the next query by a box.
        found.extend_from_slice(unsafe { std::slice::from_raw_parts(list, length) });
    }
    found.sort_unstable();
    (statuses, found, hit, nearest)
}

fn questions(area: &BpAabb, ray: &BpRay, point: &[f32; 3]) -> [*const f32; 3] {
    [ptr::from_ref(area).cast(), ptr::from_ref(ray).cast(), point.as_ptr()]
}

#[test]
fn every_algorithm_answers_as_the_scan() {
    let boxes: Vec<BpAabb> = (0..40).map(|k| cube_at((k * 7 % 40) as f32 * 0.8)).collect();
    let plain: &[Aabb] = bytemuck::cast_slice(&boxes);
    let mut hits = Vec::new();
    Scan(plain).all(&bytemuck::cast::<_, Aabb>(BOX), &mut hits);
    let touching: Vec<u32> = hits.iter().map(|hit| hit.object).collect();
    let ray = Ray { reach: 50.0, ..Ray::new(Vec3::from(RAY.origin), Vec3::from(RAY.direction)) };
    let Hit { object, measure: t } = Scan(plain).first(&ray).unwrap();
    let point = Sphere::unbounded(Vec3::from(POINT));
    let Hit { object: nearest, measure: distance_squared } = Scan(plain).first(&point).unwrap();
    assert!(touching.len() > 4 && t == 4.5 && distance_squared > 0.0);
    for entry in broadphase::registry::ALGORITHMS.iter() {
        let instance = Instance::create(entry.id);
        instance.find_pairs(&boxes).unwrap();
        let found = ask(instance.0, &boxes, questions(&BOX, &RAY, &POINT));
        let nearest = BpNearest { object: nearest, distance_squared };
        let expected = ([BpStatus::Ok; 3], touching.clone(), BpRayHit { object, t }, nearest);
        assert_eq!(found, expected, "{}", entry.id);
    }
}

#[test]
fn frame_without_objects_has_no_answer() {
    let absent = [BpAabb { min: [1.0; 3], max: [-1.0; 3] }];
    for boxes in [&absent[..], &[]] {
        let instance = Instance::create("bvh-incremental");
        instance.find_pairs(boxes).unwrap();
        let (statuses, found, hit, nearest) = ask(instance.0, boxes, questions(&BOX, &RAY, &POINT));
        assert_eq!((statuses, found), ([BpStatus::Ok; 3], Vec::new()));
        assert_eq!((hit.object, nearest.object), (BP_NO_OBJECT, BP_NO_OBJECT));
    }
}

#[test]
fn bad_questions_are_refused_without_an_answer() {
    let (instance, boxes) = (Instance::create("auto"), [cube_at(0.0), cube_at(5.0)]);
    instance.find_pairs(&boxes).unwrap();
    let nan = f32::NAN;
    let area = BpAabb { max: [1.0, nan, 1.0], ..BOX };
    let rays = [
        BpRay { reach: nan, ..RAY },
        BpRay { origin: [nan; 3], ..RAY },
        BpRay { direction: [f32::INFINITY; 3], ..RAY },
    ];
    let null = [ptr::null(); 3];
    let good = questions(&BOX, &RAY, &POINT);
    let refused = |instance, boxes: &[BpAabb], asked, expected| {
        let (statuses, found, hit, nearest) = ask(instance, boxes, asked);
        assert_eq!((statuses, found), ([expected; 3], Vec::new()));
        assert_eq!((hit.object, nearest.object), (BP_NO_OBJECT, BP_NO_OBJECT));
    };
    for ray in &rays {
        let bad = [nan, 0.0, f32::INFINITY];
        refused(instance.0, &boxes, questions(&area, ray, &bad), BpStatus::InvalidQuery);
    }
    refused(instance.0, &boxes, null, BpStatus::InvalidPointer);
    refused(ptr::null_mut(), &boxes, good, BpStatus::InvalidPointer);
    refused(instance.0, &boxes[..1], good, BpStatus::InvalidQuery);
    let text = "`count` is 1, but the last frame had 2 boxes".to_owned();
    assert_eq!(result(BpStatus::InvalidQuery), Err((BpStatus::InvalidQuery, text)));
    // SAFETY: an answer may be null.
    let status = unsafe { bp_query_ray(instance.0, boxes.as_ptr(), 2, &RAY, ptr::null_mut()) };
    assert_eq!(result(status).unwrap_err().1, "`hit` is null");
    assert_eq!(ask(instance.0, &boxes, good).0, [BpStatus::Ok; 3], "it stays usable");
}

/// The sorted pairs between two sets, with the status.
fn join(instance: &Instance, [a, b]: [&[BpAabb]; 2]) -> (BpStatus, Vec<BpJoinPair>) {
    let (mut list, mut length) = (ptr::dangling(), usize::MAX);
    let (first, second) = (a.as_ptr(), b.as_ptr());
    // SAFETY: the instance is live, the sets valid, and both results are variables.
    let status =
        unsafe { bp_join(instance.0, first, a.len(), second, b.len(), &mut list, &mut length) };
    if status != BpStatus::Ok {
        assert!(list.is_null() && length == 0);
        return (status, Vec::new());
    }
    // SAFETY: the list is valid until the next join.
    let mut pairs = unsafe { std::slice::from_raw_parts(list, length) }.to_vec();
    pairs.sort_unstable();
    (status, pairs)
}

#[test]
fn join_gives_the_pairs_between_two_sets() {
    let instance = Instance::create("auto");
    let cubes = |from: usize, n: usize| (from..from + n).map(|k| cube_at(1.5 * k as f32));
    let [few, many] = [(2, 3), (0, 50)].map(|(from, n)| cubes(from, n).collect::<Vec<_>>());
    let mut expected = Vec::new();
    broadphase::join_by_definition(
        bytemuck::cast_slice(&few),
        bytemuck::cast_slice(&many),
        &mut expected,
    );
    let expected: Vec<BpJoinPair> = bytemuck::cast_slice(&expected).to_vec();
    assert_eq!(expected.len(), 3);
    for _ in 0..2 {
        assert_eq!(join(&instance, [&few, &many]), (BpStatus::Ok, expected.clone()));
        assert_eq!(join(&instance, [&few, &[]]), (BpStatus::Ok, Vec::new()));
    }
    let bad = [BpAabb { max: [f32::NAN; 3], ..BOX }];
    assert_eq!(join(&instance, [&few, &bad]).0, BpStatus::InvalidBox);
    let text = "`b`, object 0: a coordinate of its box is NaN".to_owned();
    assert_eq!(result(BpStatus::InvalidBox), Err((BpStatus::InvalidBox, text)));
    assert_eq!(join(&instance, [&many, &few]).1.len(), 3, "it stays usable");
}
