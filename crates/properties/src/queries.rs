//! Queries of structures.

use crate::frames::{Program, coordinate, point};
use arbitrary::{Result, Unstructured};
use broadphase::Aabb;
use broadphase::query::{Frustum, Hit, MovingBox, Probe, Query, QueryTree, Ray, Scan, Sphere};
use glam::Vec3;

/// Queries of an input.
const QUERIES: usize = 4;

/// Structures give the answers of a scan over all boxes.
pub(crate) fn check(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let Ok(asked) = (0..QUERIES).map(|_| Asked::decode(&mut bytes)).collect::<Result<Vec<_>>>()
    else {
        return;
    };
    let (program, mut tree) = (Program::decode(&mut bytes), QueryTree::default());
    for (number, frame) in program.frames().enumerate() {
        let query = tree.over(frame.boxes);
        for asked in &asked {
            let expected = Answers::of(&Scan(frame.boxes), frame.boxes, asked);
            let found = Answers::of(query, frame.boxes, asked);
            assert_eq!(found, expected, "frame {number}: {asked:?}");
        }
    }
}

/// Where a query starts: a place, or the corner of an object's box.
#[derive(Clone, Copy, Debug)]
enum Start {
    Place(Vec3),
    Corner(u8),
}

/// A query of each kind.
#[derive(Clone, Copy, Debug)]
struct Asked {
    start: Start,
    direction: Vec3,
    reach: f32,
}

impl Asked {
    fn decode(bytes: &mut Unstructured<'_>) -> Result<Self> {
        let kind: u8 = bytes.arbitrary()?;
        let start = match kind % 2 {
            0 => Start::Place(point(bytes)?),
            _ => Start::Corner(bytes.arbitrary()?),
        };
        let direction = match kind / 2 % 4 {
            3 => point(bytes)?,
            axis => Vec3::AXES[usize::from(axis)] * coordinate(bytes)?,
        };
        let reach = if kind >= 128 { f32::INFINITY } else { coordinate(bytes)?.abs() };
        Ok(Self { start, direction, reach })
    }

    fn start(&self, boxes: &[Aabb]) -> Vec3 {
        match self.start {
            Start::Place(place) => place,
            Start::Corner(object) => match boxes.get(usize::from(object) % boxes.len().max(1)) {
                Some(b) if !b.is_empty() => b.max,
                _ => Vec3::ZERO,
            },
        }
    }
}

/// The answers to a query of each kind: all objects and the nearest three, both sorted, and whether there is any.
#[derive(Debug, PartialEq)]
struct Answers([(Vec<Hit>, Vec<Hit>, bool); 8]);

impl Answers {
    fn of(query: &dyn Query, boxes: &[Aabb], asked: &Asked) -> Self {
        let (start, direction, reach) = (asked.start(boxes), asked.direction, asked.reach);
        let b = Aabb::new(start, start + direction);
        let planes = [direction.extend(reach), start.extend(-1.0), (-direction).extend(1.0)];
        let planes = planes.map(|plane| plane.as_dvec4());
        let probes: [&dyn Probe; 8] = [
            &b,
            &b.only(|object| object % 3 != 0),
            &Ray { reach: reach.into(), ..Ray::new(start, direction) },
            &MovingBox::new(Aabb::new(start, start + reach), direction),
            &MovingBox::new(Aabb::new(start, start), start - direction),
            &Sphere::new(start, reach),
            &Sphere::unbounded(start),
            &Frustum { planes: &planes },
        ];
        Self(probes.map(|probe| {
            let (mut all, mut few) = (Vec::new(), Vec::new());
            query.all(probe, &mut all);
            all.sort_unstable();
            query.nearest_few(probe, 3, &mut few);
            assert_eq!(query.first(probe).as_ref(), all.first());
            (all, few, query.any(probe))
        }))
    }
}
