//! The boxes of a cell in motion.

use super::bodies::{Bodies, Walls};
use super::cell::Cell;
use super::churn::{Churn, ReturnPlace};
use super::kinds::{Motion, Placement, Sizes};
use super::movers::{Movers, Patch};
use super::places::{Places, draw_places};
use super::random::draw_index;
use super::sheet::Sheet;
use super::sizes::draw_half;
use super::start::start;
use super::steps::Steps;
use super::terrain::draw_terrain;
use broadphase::{Aabb, Layer};
use glam::Vec3;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The streams of random numbers of boxes begin here; those of properties lie below.
const BOXES: u64 = 1 << 32;

/// How far the giant box reaches beyond all others, and how thick the ground is, in usual sides.
const BEYOND: f32 = 1.0;

/// The boxes of a cell in motion.
#[derive(Clone, Debug)]
pub struct CellBoxes {
    bodies: Bodies,
    kind: Kind,
    steps: Steps,
    churn: Option<Churn>,
    layers: Vec<Layer>,
    /// Bodies that may move.
    free: Vec<u32>,
    space: Aabb,
    /// How often the axes are rotated, x to y to z to x: no axis is preferred over all cells.
    rotation: usize,
    frame: u32,
}

/// The kind of objects.
#[derive(Clone, Debug)]
enum Kind {
    /// The bodies.
    Bodies(Movers),
    /// The triangles between the bodies, and a giant or a ground.
    Sheet(Sheet, Patch, Option<Aabb>),
}

impl Cell {
    /// The boxes at their start.
    pub fn start(&self) -> CellBoxes {
        CellBoxes::new(self)
    }
}

impl CellBoxes {
    fn new(cell: &Cell) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(cell.seed);
        rng.set_stream(BOXES + u64::from(cell.number));
        let rotation = draw_index(3, &mut rng);
        let mut boxes = match cell.placement {
            Placement::Cloth => Self::of_sheet(cell, &mut rng),
            _ => Self::of_bodies(cell, &mut rng),
        };
        boxes.rotation = rotation;
        boxes
    }

    fn of_bodies(cell: &Cell, rng: &mut ChaCha8Rng) -> Self {
        let n = cell.objects.max(1) as usize;
        let (mut bodies, places, mut layers) = match cell.placement {
            Placement::Terrain => {
                let terrain = draw_terrain(n, cell.sizes, rng);
                let bodies = Bodies::at_rest(terrain.centers, terrain.halves);
                let places = Places { centers: Vec::new(), axes: Vec3::ONE, radius: None };
                (bodies, places, terrain.layers)
            }
            _ => {
                let halves: Vec<Vec3> = (0..n).map(|_| draw_half(cell.sizes, rng)).collect();
                let mut places = draw_places(cell, &halves, rng);
                let centers = std::mem::take(&mut places.centers);
                (Bodies::at_rest(centers, halves), places, Vec::new())
            }
        };
        let exceptional = draw_index(n, rng);
        let has_exception = matches!(cell.sizes, Sizes::OneGiant | Sizes::Ground);
        let may_move = |&i: &u32| {
            let is_static = layers.get(i as usize).is_some_and(|layer| layer.is_static);
            !(is_static || has_exception && i as usize == exceptional)
        };
        let free: Vec<u32> = (0..n as u32).filter(may_move).collect();
        let steps = start(cell, &places, &mut bodies, &free, rng);
        let reach = bodies.halves.iter().fold(Vec3::ZERO, |all, half| all.max(*half));
        let every: Vec<u32> = (0..n as u32).collect();
        let standing = bodies.walls(&every);
        let walls = Walls {
            low: standing.low.min(steps.walls.low),
            high: standing.high.max(steps.walls.high),
        };
        let (lowest, walls) = (walls.low.z, walls.widened(reach));
        let mut space = Aabb::new(walls.low, walls.high);
        if let Some(b) = exceptional_box(cell.sizes, lowest, &space) {
            bodies.centers[exceptional] = b.center();
            bodies.homes[exceptional] = b.center();
            if let Some(layer) = layers.get_mut(exceptional) {
                // A ground below the terrain is terrain; a giant meets every triangle.
                let is_ground = cell.sizes == Sizes::Ground;
                *layer = if is_ground { Layer::STATIC } else { Layer::ALL };
            }
            bodies.halves[exceptional] = b.size() * 0.5;
            space = space.union(&b);
        }
        let count = (f64::from(cell.movers.clamp(0.0, 1.0)) * n as f64).round() as usize;
        let movers = Movers::new(free.clone(), count, cell.changing_movers, rng);
        let churn = Churn::new(cell.churn, free.len(), n, rng);
        Self {
            bodies,
            kind: Kind::Bodies(movers),
            steps,
            churn,
            layers,
            free,
            space,
            rotation: 0,
            frame: 0,
        }
    }

    fn of_sheet(cell: &Cell, rng: &mut ChaCha8Rng) -> Self {
        let n = cell.objects.max(1) as usize;
        let has_exception = n > 1 && matches!(cell.sizes, Sizes::OneGiant | Sizes::Ground);
        let sheet = Sheet::draw(n - usize::from(has_exception), cell.sizes, rng);
        let displacements = sheet.displacements(rng);
        let halves = vec![Vec3::ZERO; displacements.len()];
        let mut bodies = Bodies::at_rest(displacements, halves);
        let free: Vec<u32> = (0..bodies.centers.len() as u32).collect();
        let places = Places { centers: Vec::new(), axes: Vec3::ONE, radius: None };
        let mut steps = start(cell, &places, &mut bodies, &free, rng);
        steps.walls = sheet.walls();
        let space = sheet.space();
        let mut space = Aabb::new(space.low, space.high);
        let exception =
            if has_exception { exceptional_box(cell.sizes, space.min.z, &space) } else { None };
        if let Some(b) = exception {
            space = space.union(&b);
        }
        let patch = Patch::new(sheet.vertices(), cell.movers, cell.changing_movers, rng);
        let churn = Churn::new(cell.churn, sheet.triangles(), n, rng);
        Self {
            bodies,
            kind: Kind::Sheet(sheet, patch, exception),
            steps,
            churn,
            layers: Vec::new(),
            free,
            space,
            rotation: 0,
            frame: 0,
        }
    }

    /// Layers, index = object, the same in all frames; empty where every box meets every other.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// A space that holds every box of every frame.
    pub fn space(&self) -> Aabb {
        Aabb::new(rotated(self.space.min, self.rotation), rotated(self.space.max, self.rotation))
    }

    /// Fills `boxes` with those of the next frame, index = object. The first frame is the start.
    pub fn next_frame(&mut self, boxes: &mut Vec<Aabb>) {
        if self.frame > 0 {
            self.step();
        }
        self.frame += 1;
        boxes.clear();
        match &self.kind {
            Kind::Bodies(_) => {
                let bodies = self.bodies.centers.iter().zip(&self.bodies.halves);
                boxes
                    .extend(bodies.map(|(&center, &half)| Aabb::new(center - half, center + half)));
            }
            Kind::Sheet(sheet, _, exception) => {
                sheet.boxes(&self.bodies, boxes);
                boxes.extend(*exception);
            }
        }
        if self.rotation > 0 {
            for b in boxes.iter_mut() {
                *b = Aabb::new(rotated(b.min, self.rotation), rotated(b.max, self.rotation));
            }
        }
        if let Some(churn) = &self.churn {
            churn.hide(boxes);
        }
    }

    fn step(&mut self) {
        let (frame, steps, bodies) = (self.frame, &self.steps, &mut self.bodies);
        let rests = steps.all_rest(frame);
        let on_return = match &mut self.kind {
            Kind::Bodies(movers) => {
                if !rests {
                    steps.step(bodies, movers.of_frame(frame), frame);
                }
                ReturnPlace::Elsewhere(bodies, &self.free, steps.axes, steps.walls)
            }
            Kind::Sheet(sheet, patch, _) => {
                if !rests {
                    let listed = patch.of_frame(frame);
                    let waving = match steps.motion {
                        // Most vertices rest.
                        Motion::Fall | Motion::Teleports => None,
                        Motion::Jitter => Some(&mut bodies.homes),
                        _ => Some(&mut bodies.centers),
                    };
                    if let Some(displacements) = waving {
                        sheet.advance_waves(displacements, listed, steps.speed, frame);
                    }
                    steps.step(bodies, listed, frame);
                }
                ReturnPlace::Same(sheet.triangles())
            }
        };
        if let Some(churn) = &mut self.churn {
            churn.step(frame, on_return);
        }
    }
}

/// The giant around the space of all others, or the ground below it, whose upper face is at the height
/// of the lowest centre.
fn exceptional_box(sizes: Sizes, lowest: f32, space: &Aabb) -> Option<Aabb> {
    let around = Aabb::new(space.min - BEYOND, space.max + BEYOND);
    match sizes {
        Sizes::OneGiant => Some(around),
        Sizes::Ground => {
            let top = Vec3::new(around.max.x, around.max.y, lowest);
            Some(Aabb::new(around.min, top))
        }
        _ => None,
    }
}

/// The axes after this number of rotations, x to y to z to x.
fn rotated(v: Vec3, times: usize) -> Vec3 {
    match times {
        0 => v,
        1 => Vec3::new(v.z, v.x, v.y),
        _ => Vec3::new(v.y, v.z, v.x),
    }
}
