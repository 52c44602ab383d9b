//! First and last times of boxes in integers, against all exact methods.

use glam::{DQuat, DVec3};

use super::random_numbers;
use crate::impact::{Impact, ImpactReference, Motion, find};
use crate::{Body, PairCache, Pose, Shape};

type Vector = [i128; 3];

fn dot(a: Vector, b: Vector) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A box in integers: its centre, and half its edges as vectors.
struct IntegerBox {
    centre: Vector,
    halves: [Vector; 3],
}

impl IntegerBox {
    /// Half the projection.
    fn extent(&self, axis: Vector) -> i128 {
        self.halves.iter().map(|half| dot(axis, *half).abs()).sum()
    }
}

/// A time as a numerator and a denominator above 0.
#[derive(Clone, Copy, Debug)]
struct Time(i128, i128);

impl Time {
    fn is_after(self, other: Self) -> bool {
        self.0 * other.1 > other.0 * self.1
    }

    fn to_f64(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

/// The first and the last time at which the second box, moving at `velocity`, touches the first: closed, over all fifteen
/// axes, without any rounding. `None` if they never touch.
fn times(a: &IntegerBox, b: &IntegerBox, velocity: Vector) -> Option<[Time; 2]> {
    let mut axes: Vec<Vector> = Vec::new();
    for halves in [&a.halves, &b.halves] {
        axes.extend([(0, 1), (1, 2), (2, 0)].map(|(i, j)| cross(halves[i], halves[j])));
    }
    axes.extend(a.halves.iter().flat_map(|along| b.halves.map(|across| cross(*along, across))));
    let between = [0, 1, 2].map(|i| b.centre[i] - a.centre[i]);
    let mut window = [Time(-(1 << 60), 1), Time(1 << 60, 1)];
    for axis in axes {
        let extent = a.extent(axis) + b.extent(axis);
        let (distance, speed) = (dot(axis, between), dot(axis, velocity));
        if speed == 0 {
            if distance.abs() > extent {
                return None;
            }
            continue;
        }
        let towards = if speed < 0 { distance } else { -distance };
        let (enter, exit) =
            (Time(towards - extent, speed.abs()), Time(towards + extent, speed.abs()));
        if enter.is_after(window[0]) {
            window[0] = enter;
        }
        if window[1].is_after(exit) {
            window[1] = exit;
        }
    }
    (!window[0].is_after(window[1])).then_some(window)
}

/// Rotations with rational matrices, by integer quaternions.
#[test]
fn boxes_in_integers_have_the_times_of_every_exact_method() {
    let mut random = random_numbers(31);
    let mut integer = |low: i128, high: i128| low + (random() * (high - low + 1) as f64) as i128;
    let count = 500 * super::pairs_of_each();
    let (mut touching, mut missing, mut overlapping, mut grazing) = (0, 0, 0, 0);
    for _ in 0..count {
        let quaternion: [i128; 4] = std::array::from_fn(|_| integer(-3, 3));
        let norm: i128 = quaternion.iter().map(|q| q * q).sum();
        if norm == 0 {
            continue;
        }
        let [sizes_a, sizes_b]: [Vector; 2] =
            [0, 1].map(|_| std::array::from_fn(|_| integer(1, 6)));
        let position: Vector = std::array::from_fn(|_| integer(-12, 12));
        let velocity: Vector = std::array::from_fn(|_| integer(-9, 9));
        // All lengths times the norm.
        let scaled = |v: Vector| v.map(|x| x * norm);
        let matrix = matrix_of(quaternion);
        let half =
            |i: usize, size: i128| [0, 1, 2].map(|j: usize| if i == j { size * norm } else { 0 });
        let a = IntegerBox { centre: [0; 3], halves: [0, 1, 2].map(|i| half(i, sizes_a[i])) };
        let b = IntegerBox {
            centre: scaled(position),
            halves: [0, 1, 2].map(|i| matrix[i].map(|x| x * sizes_b[i])),
        };
        let exact = times(&a, &b, scaled(velocity)).map(|window| window.map(Time::to_f64));
        let float = |v: Vector| DVec3::from_array(v.map(|x| x as f64));
        let [shape_a, shape_b] =
            [sizes_a, sizes_b].map(|sizes| Shape::cuboid(2.0 * float(sizes)).unwrap());
        let rotation = DQuat::from_array(quaternion.map(|q| q as f64)).normalize();
        let one = Body::new(&shape_a, Pose::IDENTITY);
        let other = Body::new(&shape_b, Pose { position: float(position), rotation });
        let motion = Motion { velocity: float(velocity), spin: DVec3::ZERO };
        let (one, other) = ((&one, &Motion::NONE), (&other, &motion));
        let known = ImpactReference::default().examine(one, other, 4.0);
        // Where it is not within rounding of another answer.
        let is_sharp = exact.is_none_or(|[first, last]| {
            last - first > 1e-9
                && first.abs() > 1e-9
                && last.abs() > 1e-9
                && (first - 4.0).abs() > 1e-9
        });
        if known.is_grazing || !is_sharp {
            grazing += 1;
            continue;
        }
        let expected = exact.filter(|[first, last]| *first <= 4.0 && *last >= 0.0);
        let mut found = vec![("reference", known.impact)];
        for id in ["moving-sat", "moving-sat+boxes", "advance"] {
            let mut method = find(id).unwrap().build();
            found.push((id, method.find(one, other, 4.0, &mut PairCache::default())));
        }
        for (id, impact) in found {
            let is_right = match (impact, expected) {
                (Impact::Never, None) => true,
                (Impact::Overlapping, Some([first, _])) => first < 0.0,
                (Impact::At { first, last, .. }, Some([exact, parting])) => {
                    let knows_last = id.starts_with("moving-sat");
                    // Of axes that hardly move, a time is known to fewer digits.
                    (first - exact).abs() < 1e-9 && (!knows_last || (last - parting).abs() < 1e-9)
                }
                _ => false,
            };
            assert!(is_right, "{id}: {impact:?}, exactly {exact:?}: {one:?} {other:?}");
        }
        match expected {
            None => missing += 1,
            Some([first, _]) if first < 0.0 => overlapping += 1,
            Some(_) => touching += 1,
        }
    }
    println!("{touching} touch, {missing} never, {overlapping} overlap, {grazing} graze");
    assert!(touching * 8 > count && missing * 8 > count && overlapping > 0 && grazing > 0);
}

/// The columns of the rotation matrix, times the squared norm.
fn matrix_of([x, y, z, w]: [i128; 4]) -> [Vector; 3] {
    [
        [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z],
    ]
}
