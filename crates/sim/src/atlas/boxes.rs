//! Generated boxes in motion.

use super::body::{Body, bounds_of_centers, widened};
use super::cell::Cell;
use super::kinds::{GeneratedKind, Placement, Sizes};
use super::motion::{Steps, start};
use super::movers::{Churn, Movers, draw_some, share_of};
use super::named::{self, GeneratedSpec, NamedMotion};
use super::places::draw_bodies;
use super::random::draw_index;
use super::triangles::{Sheet, draw_terrain};
use crate::placing::{Placing, PlacingEnded, unwatched};
use broadphase::{Aabb, Layer};
use glam::{Vec3, Vec3Swizzles};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Simulated seconds from frame to frame.
pub const TIME_STEP: f32 = 1.0 / 60.0;

/// Stream of the random numbers that decide which boxes of a named kind move: the start does not depend
/// on the moving share.
const NAMED_MOVERS: u64 = 1;

/// The streams of random numbers of a cell's boxes begin here; those of properties lie below.
const CELL_BOXES: u64 = 1 << 32;

/// How far the giant box reaches beyond all others, and how thick the ground is, in usual sides.
const BEYOND: f32 = 1.0;

/// Generated boxes in motion.
#[derive(Clone, Debug)]
pub struct GeneratedBoxes {
    bodies: Vec<Body>,
    /// The first bodies are the vertices of its triangles.
    sheet: Option<Sheet>,
    moves: Moves,
    movers: Movers,
    churn: Option<Churn>,
    layers: Vec<Layer>,
    space: Aabb,
    /// How often the axes are rotated, x to y to z to x: no axis is preferred over all cells.
    rotation: usize,
    frame: u32,
}

/// How the bodies move.
#[derive(Clone, Debug)]
enum Moves {
    Named(Box<NamedMotion>),
    Cell(Steps),
}

impl GeneratedBoxes {
    /// Boxes of a named kind at their start.
    pub fn new(spec: &GeneratedSpec) -> Self {
        unwatched(|placing| Self::place(spec, placing))
    }

    /// [`new`](Self::new), followed by an observer that may end it.
    ///
    /// # Errors
    ///
    /// Where the observer ends it.
    pub fn place(spec: &GeneratedSpec, placing: &mut Placing<'_>) -> Result<Self, PlacingEnded> {
        let mut rng = ChaCha8Rng::seed_from_u64(spec.used_seed());
        let mut bodies = named::bodies(spec.kind, spec.objects, &mut rng, placing)?;
        let mut movers = ChaCha8Rng::seed_from_u64(spec.used_seed());
        movers.set_stream(NAMED_MOVERS);
        let count = share_of(spec.moving, spec.objects);
        let mut moving = draw_some((0..spec.objects).collect(), count, &mut movers);
        moving.retain(|&i| bodies[i as usize].velocity != Vec3::ZERO);
        bodies.iter_mut().for_each(|body| body.velocity *= TIME_STEP);
        let mut layers = Vec::new();
        if spec.kind == GeneratedKind::Statics {
            layers.resize(bodies.len(), Layer::STATIC);
            moving.iter().for_each(|&i| layers[i as usize] = Layer::ALL);
        }
        Ok(Self {
            bodies,
            sheet: None,
            moves: Moves::Named(Box::new(NamedMotion { kind: spec.kind, rng })),
            movers: Movers::fixed(moving),
            churn: None,
            layers,
            space: spec.bounds(),
            rotation: 0,
            frame: 0,
        })
    }

    /// Layers, index = object, the same in all frames; empty where every box meets every other.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// A space that holds every box of every frame.
    pub fn space(&self) -> Aabb {
        rotated(self.space, self.rotation)
    }

    /// Fills `boxes` with those of the next frame, index = object. The first frame is the start.
    pub fn next_frame(&mut self, boxes: &mut Vec<Aabb>) {
        if self.frame > 0 {
            self.step();
        }
        self.frame += 1;
        boxes.clear();
        let mut bodies = &self.bodies[..];
        if let Some(sheet) = &self.sheet {
            boxes.extend(sheet.boxes(bodies));
            let [columns, rows] = sheet.vertices();
            bodies = &bodies[columns * rows..];
        }
        boxes.extend(bodies.iter().map(Body::aabb));
        if self.rotation > 0 {
            boxes.iter_mut().for_each(|b| *b = rotated(*b, self.rotation));
        }
        if let Some(churn) = &self.churn {
            churn.hide(boxes);
        }
    }

    fn step(&mut self) {
        let Self { bodies, sheet, moves, movers, frame, .. } = self;
        let steps = match moves {
            Moves::Named(motion) => return motion.step(bodies, movers.of_frame(*frame)),
            Moves::Cell(steps) => steps,
        };
        if !steps.all_rest(*frame) {
            let listed = movers.of_frame(*frame);
            if let Some(sheet) = sheet {
                sheet.advance_waves(bodies, listed, steps, *frame);
            }
            steps.step(bodies, listed, *frame);
        }
        if let Some(churn) = &mut self.churn {
            churn.step(*frame, |object, others, bits| {
                // A triangle comes back to its place.
                if sheet.is_none() {
                    steps.displace(bodies, object, others, bits);
                }
            });
        }
    }
}

impl Cell {
    /// The boxes at their start.
    pub fn start(&self) -> GeneratedBoxes {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(CELL_BOXES + u64::from(self.number));
        let rng = &mut rng;
        let rotation = draw_index(3, rng);
        let n = self.objects.max(1) as usize;
        let is_cloth = self.placement == Placement::Cloth;
        let has_exception =
            matches!(self.sizes, Sizes::OneGiant | Sizes::Ground) && (n > 1 || !is_cloth);
        let (mut layers, mut sheet) = (Vec::new(), None);
        let mut bodies = match self.placement {
            Placement::Cloth => {
                let triangles = n - usize::from(has_exception);
                let (drawn, mut vertices) = Sheet::draw(triangles, self.sizes, rng);
                sheet = Some(drawn);
                vertices.extend(has_exception.then(|| Body::at_rest(Vec3::ZERO, Vec3::ZERO)));
                vertices
            }
            Placement::Terrain => {
                let (bodies, drawn) = draw_terrain(n, self.sizes, rng);
                layers = drawn;
                bodies
            }
            _ => draw_bodies(self, n, rng),
        };
        let exceptional = if is_cloth { bodies.len() - 1 } else { draw_index(n, rng) };
        let exception = has_exception.then_some(exceptional);
        let may_move = |&i: &u32| {
            let is_static = layers.get(i as usize).is_some_and(|layer: &Layer| layer.is_static);
            !is_static && exception != Some(i as usize)
        };
        let free: Vec<u32> = (0..bodies.len() as u32).filter(may_move).collect();
        let steps = start(self, &mut bodies, &free, rng);
        let (lowest, mut space) = match &sheet {
            Some(sheet) => (sheet.space().min.z, sheet.space()),
            None => {
                let walls = bounds_of_centers(&bodies).union(&steps.walls);
                let reach = bodies.iter().fold(Vec3::ZERO, |all, body| all.max(body.half));
                (walls.min.z, widened(walls, reach))
            }
        };
        if let Some(id) = exception {
            let b = exceptional_box(self.sizes, lowest, space);
            bodies[id] = Body::at_rest(b.center(), b.size() * 0.5);
            space = space.union(&b);
            if let Some(layer) = layers.get_mut(id) {
                // A ground below the terrain is terrain; a giant meets every triangle.
                let is_ground = self.sizes == Sizes::Ground;
                *layer = if is_ground { Layer::STATIC } else { Layer::ALL };
            }
        }
        let (movers, may_vanish) = match &sheet {
            Some(sheet) => {
                let triangles = 0..sheet.triangles as u32;
                (Movers::patch(self, sheet.vertices(), rng), triangles.collect())
            }
            None => (Movers::draw(self, free.clone(), rng), free),
        };
        let churn = Churn::new(self, may_vanish, rng);
        let moves = Moves::Cell(steps);
        GeneratedBoxes { bodies, sheet, moves, movers, churn, layers, space, rotation, frame: 0 }
    }
}

/// The giant around the space of all others, or the ground below it, whose upper face is at the height
/// of the lowest centre.
fn exceptional_box(sizes: Sizes, lowest: f32, space: Aabb) -> Aabb {
    let around = widened(space, Vec3::splat(BEYOND));
    let top = if sizes == Sizes::Ground { lowest } else { around.max.z };
    Aabb::new(around.min, around.max.with_z(top))
}

/// A box whose axes are rotated this number of times, x to y to z to x.
fn rotated(b: Aabb, times: usize) -> Aabb {
    let rotate = |v: Vec3| match times {
        0 => v,
        1 => v.zxy(),
        _ => v.yzx(),
    };
    Aabb::new(rotate(b.min), rotate(b.max))
}
