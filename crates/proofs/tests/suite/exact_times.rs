//! First and last times of boxes in integers, against all exact methods.

use glam::{DQuat, DVec3};

use super::random_numbers;
use narrowphase::Body;
use narrowphase::Pose;
use narrowphase::Shape;
use narrowphase::impact::{Impact, ImpactReference, Motion, find};

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

/// Two boxes in integers, of which the second one is rotated and moves.
struct Pair {
    sizes: [Vector; 2],
    position: Vector,
    velocity: Vector,
    /// Not all 0.
    quaternion: [i128; 4],
}

impl Pair {
    fn random(integer: &mut impl FnMut(i128, i128) -> i128) -> Self {
        let mut vector = |low, high| -> Vector { std::array::from_fn(|_| integer(low, high)) };
        let sizes = [vector(1, 6), vector(1, 6)];
        let (position, velocity) = (vector(-12, 12), vector(-9, 9));
        let [x, y, z] = vector(-3, 3);
        Self { sizes, position, velocity, quaternion: [x, y, z, integer(1, 3)] }
    }

    /// Without rounding: all lengths times the squared norm of the quaternion, which makes the rotation an integer matrix.
    fn times(&self) -> Option<[f64; 2]> {
        let norm: i128 = self.quaternion.iter().map(|q| q * q).sum();
        let scaled = |v: Vector| v.map(|x| x * norm);
        let matrix = matrix_of(self.quaternion);
        let [sizes_a, sizes_b] = self.sizes;
        let half = |i: usize| [0, 1, 2].map(|j| if i == j { sizes_a[i] * norm } else { 0 });
        let a = IntegerBox { centre: [0; 3], halves: [0, 1, 2].map(half) };
        let halves = [0, 1, 2].map(|i: usize| matrix[i].map(|x| x * sizes_b[i]));
        let b = IntegerBox { centre: scaled(self.position), halves };
        times(&a, &b, scaled(self.velocity)).map(|window| window.map(Time::to_f64))
    }

    /// The answers of the reference and of all exact methods; `None` if the pair grazes.
    fn found(&self) -> Option<Vec<(&'static str, Impact)>> {
        let float = |v: Vector| DVec3::from_array(v.map(|x| x as f64));
        let shapes = self.sizes.map(|sizes| Shape::cuboid(2.0 * float(sizes)).unwrap());
        let rotation = DQuat::from_array(self.quaternion.map(|q| q as f64)).normalize();
        let one = Body::new(&shapes[0], Pose::IDENTITY);
        let other = Body::new(&shapes[1], Pose { position: float(self.position), rotation });
        let motion = Motion { velocity: float(self.velocity), spin: DVec3::ZERO };
        let (one, other) = ((&one, &Motion::NONE), (&other, &motion));
        let known = ImpactReference::default().examine(one, other, LIMIT);
        let mut found = vec![("reference", known.impact)];
        for id in ["moving-sat", "moving-sat+boxes", "bilateral"] {
            let mut method = find(id).unwrap().build();
            found.push((id, method.find(one, other, LIMIT)));
        }
        (!known.is_grazing).then_some(found)
    }
}

const LIMIT: f64 = 4.0;

fn is_right(id: &str, found: Impact, expected: Option<[f64; 2]>) -> bool {
    match (found, expected) {
        (Impact::Never, None) => true,
        (Impact::Overlapping, Some([first, _])) => first < 0.0,
        (Impact::At { first, last, .. }, Some([exact, parting])) => {
            let knows_last = id.starts_with("moving-sat");
            // A gap of a tenth of the band counts as contact.
            let error = if id == "bilateral" { 1e-7 } else { 1e-9 };
            (first - exact).abs() < error && (!knows_last || (last - parting).abs() < 1e-9)
        }
        _ => false,
    }
}

#[test]
fn boxes_in_integers_have_the_times_of_every_exact_method() {
    let mut random = random_numbers(31);
    let mut integer = |low: i128, high: i128| low + (random() * (high - low + 1) as f64) as i128;
    let count = 500 * super::pairs_of_each();
    let (mut touching, mut missing, mut overlapping, mut grazing) = (0, 0, 0, 0);
    for _ in 0..count {
        let pair = Pair::random(&mut integer);
        let exact = pair.times();
        // Where it is not within rounding of another answer.
        let is_sharp = exact.is_none_or(|[first, last]| {
            last - first > 1e-9 && [first, last, first - LIMIT].iter().all(|time| time.abs() > 1e-9)
        });
        let Some(found) = pair.found().filter(|_| is_sharp) else {
            grazing += 1;
            continue;
        };
        let expected = exact.filter(|[first, last]| *first <= LIMIT && *last >= 0.0);
        for (id, impact) in found {
            assert!(is_right(id, impact, expected), "{id}: {impact:?}, exactly {exact:?}");
        }
        match expected {
            None => missing += 1,
            Some([first, _]) if first < 0.0 => overlapping += 1,
            Some(_) => touching += 1,
        }
    }
    println!("{touching} touch, {missing} never, {overlapping} overlap, {grazing} graze");
    assert!(touching * 10 > count && missing * 8 > count && overlapping > 0 && grazing > 0);
}

/// The columns of the rotation matrix, times the squared norm.
fn matrix_of([x, y, z, w]: [i128; 4]) -> [Vector; 3] {
    [
        [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z],
    ]
}
