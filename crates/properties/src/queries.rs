//! Queries of structures.

use crate::frames::{Program, coordinate, point};
use arbitrary::{Result, Unstructured};
use broadphase::registry::ALGORITHMS;
use broadphase::{Aabb, Nearest, Query, Ray, RayHit, Scan};
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
    let program = Program::decode(&mut bytes);
    let answers: Vec<Vec<Answers>> = program
        .frames()
        .map(|frame| asked.iter().map(|asked| Answers::of(&Scan, frame.boxes, asked)).collect())
        .collect();
    for entry in ALGORITHMS {
        let mut algorithm = program.create(entry);
        if algorithm.query().is_none() {
            continue;
        }
        for ((number, frame), answers) in program.frames().enumerate().zip(&answers) {
            algorithm.update(&frame);
            let query = algorithm.query().expect("it answers queries");
            for (asked, expected) in asked.iter().zip(answers) {
                let found = Answers::of(query, frame.boxes, asked);
                assert_eq!(found, *expected, "{}, frame {number}: {asked:?}", entry.id);
            }
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

/// The answers to a query of each kind, sorted.
#[derive(Debug, PartialEq)]
struct Answers {
    touching: Vec<u32>,
    along: Vec<RayHit>,
    first: Option<RayHit>,
    nearest: Option<Nearest>,
}

impl Answers {
    fn of(query: &dyn Query, boxes: &[Aabb], asked: &Asked) -> Self {
        let start = asked.start(boxes);
        let mut touching = Vec::new();
        query.touching(boxes, &Aabb::new(start, start + asked.direction), &mut touching);
        touching.sort_unstable();
        let (mut along, mut first) = (Vec::new(), None);
        // The contract excludes a direction of length 0.
        if asked.direction != Vec3::ZERO {
            let ray = Ray { origin: start, direction: asked.direction, reach: asked.reach };
            query.along(boxes, &ray, &mut along);
            along.sort_unstable_by_key(|hit| hit.object);
            first = query.first_along(boxes, &ray);
        }
        Self { touching, along, first, nearest: query.nearest(boxes, start) }
    }
}
