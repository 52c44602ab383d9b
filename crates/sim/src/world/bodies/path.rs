//! The path of a body in a step, and the reports of the last step: first contacts, and the motion of bodies as it began.

use super::Bodies;
use super::solid::{BodyState, Solid};
use super::touch::margin;
use crate::scene::Continuous;
use broadphase::{Aabb, Pair};
use glam::DVec3;
use narrowphase::impact::Motion;
use narrowphase::{Body, Bounds, BoxKind, Shape};
use std::f64::consts::TAU;
use std::mem::take;

/// Bytes of the path of a body, with the room that its lists have once the body has met others a few times, and of its box,
/// counters and listings in the search for later contacts. An upper bound where bodies have a few contacts in a step:
/// measured continuous worlds take 0.6 to 0.8 of it.
pub const BYTES_PER_PATH: usize = size_of::<Path>()
    + 8 * size_of::<PathPiece>()
    + 4 * size_of::<PathBounce>()
    + 2 * size_of::<Aabb>()
    + 16 * size_of::<u32>();

/// A part of a path without a contact: along a line, with a free rotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathPiece {
    /// Seconds since the step began.
    pub(super) start: f64,
    pub(super) duration: f64,
    /// At the start.
    pub(super) state: BodyState,
    /// Whether the body waits, or never moves.
    pub(super) is_still: bool,
    /// Energy that bounces before this piece gave the body.
    gained: f64,
}

impl PathPiece {
    /// The state at the start, without the velocities that a body has where it does not move.
    pub(super) fn moving_state(&self) -> BodyState {
        if self.is_still {
            let (velocity, angular_momentum) = (DVec3::ZERO, DVec3::ZERO);
            return BodyState { velocity, angular_momentum, ..self.state };
        }
        self.state
    }

    /// The centre at a time, and its velocity.
    pub(super) fn center_at(&self, time: f64) -> (DVec3, DVec3) {
        let BodyState { position, velocity, .. } = self.moving_state();
        (position + velocity * (time - self.start), velocity)
    }
}

/// Where a body is at every time of a step.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// Without gaps. The last piece reaches to the end of the step.
    pieces: Vec<PathPiece>,
    /// Where the body bounced off static ones, in the order of time.
    met: Vec<PathBounce>,
    /// Seconds since the step began that the pieces cover so far.
    end: f64,
    /// Seconds of the step that they do not cover yet.
    pub(super) remaining: f64,
    /// By all forces in this step.
    pub(super) acceleration: DVec3,
    /// Energy that bounces gave the body so far.
    pub(super) gained: f64,
    /// Work in the step so far, see [`MAX_WORK`](super::mover::MAX_WORK).
    pub(super) work: u32,
    /// How often the rest of the path was removed in this step.
    pub(super) version: u32,
    /// Whether the body waits, since it reached a bound of the step's work.
    pub(super) waits: bool,
    /// Whether the body waits to the end of the step, whatever meets it.
    pub(super) is_held: bool,
}

/// A bounce off a static body.
#[derive(Clone, Copy, Debug)]
struct PathBounce {
    /// Pieces before it. A bounce may be at the time of a contact that comes before it.
    pieces: usize,
    impact: StepImpact,
}

impl Clone for Path {
    fn clone(&self) -> Self {
        Self { pieces: self.pieces.clone(), met: self.met.clone(), ..*self }
    }

    /// Memory is reused.
    fn clone_from(&mut self, source: &Self) {
        let (mut pieces, mut met) = (take(&mut self.pieces), take(&mut self.met));
        pieces.clone_from(&source.pieces);
        met.clone_from(&source.met);
        *self = Self { pieces, met, ..*source };
    }
}

impl Path {
    pub(super) fn heap_bytes(&self) -> usize {
        self.pieces.capacity() * size_of::<PathPiece>()
            + self.met.capacity() * size_of::<PathBounce>()
    }

    /// Removes everything, and begins a step of `remaining` seconds.
    pub(super) fn begin(&mut self, acceleration: DVec3, remaining: f64) {
        let (mut pieces, mut met) = (take(&mut self.pieces), take(&mut self.met));
        pieces.clear();
        met.clear();
        *self = Self { pieces, met, acceleration, remaining, ..Self::default() };
    }

    pub(super) fn pieces(&self) -> &[PathPiece] {
        &self.pieces
    }

    /// Goes on from the end of the path.
    pub(super) fn push(&mut self, state: BodyState, duration: f64, is_still: bool) {
        let (start, gained) = (self.end, self.gained);
        self.end += duration;
        self.pieces.push(PathPiece { start, duration, state, is_still, gained });
    }

    /// The index of the last piece that has begun at a time.
    pub(super) fn piece_at(&self, time: f64) -> usize {
        self.pieces.partition_point(|piece| piece.start <= time).saturating_sub(1)
    }

    /// When a piece ends, in a step of `dt` seconds.
    pub(super) fn end_of(&self, piece: usize, dt: f64) -> f64 {
        self.pieces.get(piece + 1).map_or(dt, |next| next.start)
    }

    /// The state at a time of a piece. No force acts on a body that does not move.
    pub(super) fn state_at(&self, piece: usize, time: f64, solid: &Solid) -> BodyState {
        let PathPiece { start, state, is_still, .. } = self.pieces[piece];
        let elapsed = time - start;
        if is_still {
            let fall = self.acceleration * elapsed * solid.linear;
            return BodyState { velocity: state.velocity - fall, ..state };
        }
        solid.moved(&state, elapsed)
    }

    /// Notes that the body bounced off a static one at the end of the path. `normal` points to the body, which is the first
    /// of the objects and of the centres.
    pub(super) fn meet(
        &mut self,
        [object, fixed]: [u32; 2],
        [point, normal]: [DVec3; 2],
        [center, fixed_center]: [DVec3; 2],
    ) {
        let (pair, time) = (Pair::new(object, fixed), self.end);
        let (normal, centres) = if object == pair.b {
            (normal, [fixed_center, center])
        } else {
            (-normal, [center, fixed_center])
        };
        let impact = StepImpact { pair, time, point, normal, centres };
        self.met.push(PathBounce { pieces: self.pieces.len(), impact });
    }

    /// The bounces off static bodies, in the order of time.
    pub(super) fn bounces(&self) -> impl Iterator<Item = &StepImpact> {
        self.met.iter().map(|met| &met.impact)
    }

    /// Removes what comes after a time of a piece, in a step of `dt` seconds.
    pub(super) fn cut(&mut self, piece: usize, time: f64, dt: f64) {
        self.pieces.truncate(piece + 1);
        let last = &mut self.pieces[piece];
        last.duration = time - last.start;
        self.gained = last.gained;
        self.version += 1;
        self.met.retain(|met| met.pieces <= piece);
        (self.end, self.remaining, self.waits) = (time, (dt - time).max(0.0), false);
    }

    /// A box around a body on its path.
    ///
    /// A point of a body that rotates by an angle a in a piece is at most a / 2 times the radius away from the line between
    /// its places at both ends.
    pub(super) fn swept_box(&self, solid: &Solid, shape: &Shape, kind: BoxKind) -> Bounds {
        let mut swept = Bounds::EMPTY;
        let mut add = |state: &BodyState, growth: f64| {
            let body = Body { shape, scale: solid.scale, pose: state.pose() };
            let bounds = body.bounds(kind).grown(growth + 2.0 * margin(solid, state));
            swept.min = swept.min.min(bounds.min);
            swept.max = swept.max.max(bounds.max);
        };
        for PathPiece { duration, state, is_still, .. } in &self.pieces {
            if *is_still {
                add(state, 0.0);
                continue;
            }
            // A tenth more, for the error of the integration.
            let spin = 1.1 * solid.rotor(state).speed_bound(state.rotation);
            let rotates = f64::from(kind != BoxKind::Sphere);
            let growth = 0.5 * solid.radius * rotates * (spin * duration).min(TAU);
            add(state, growth);
            add(&solid.moved(state, *duration), growth);
        }
        swept
    }

    /// A box around the bounding sphere of a body on its path from a time on.
    pub(super) fn swept_sphere(&self, solid: &Solid, from: f64) -> Bounds {
        let mut swept = Bounds::EMPTY;
        for piece in &self.pieces[self.piece_at(from)..] {
            let BodyState { position: start, velocity, .. } = piece.moving_state();
            let end = start + velocity * piece.duration;
            swept.min = swept.min.min(start.min(end));
            swept.max = swept.max.max(start.max(end));
        }
        // Above the margin of a contact, and the rounding of the ends.
        let size = swept.min.abs().max(swept.max.abs()).max_element() + solid.radius;
        swept.grown(solid.radius + 1e-8 * size)
    }
}

/// A first contact of two bodies within a step, which the world responded to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepImpact {
    /// The objects.
    pub pair: Pair,
    /// Seconds since the step began.
    pub time: f64,
    /// Where they touch, in the world.
    pub point: DVec3,
    /// Unit vector of the world from the first object to the second.
    pub normal: DVec3,
    /// The centres of mass of both at that time.
    pub centres: [DVec3; 2],
}

/// Paths and contacts of the last step.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct StepRecord {
    /// Index = object; empty before the first step.
    pub(super) paths: Vec<Path>,
    pub(super) impacts: Vec<StepImpact>,
    /// Objects that waited, rising.
    pub(super) waiting: Vec<u32>,
}

impl StepRecord {
    /// Copies another one. Of a world that is not continuous, which shows no paths, they are emptied instead. Memory is
    /// reused.
    pub(in super::super) fn copy_from(&mut self, other: &Self, continuous: Continuous) {
        let Self { paths, impacts, waiting } = other;
        match continuous {
            Continuous::Off => self.paths.iter_mut().for_each(|path| path.begin(DVec3::ZERO, 0.0)),
            Continuous::Bullets | Continuous::All => self.paths.clone_from(paths),
        }
        self.impacts.clone_from(impacts);
        self.waiting.clone_from(waiting);
    }

    pub(in super::super) fn heap_bytes(&self) -> usize {
        self.paths.capacity() * size_of::<Path>()
            + self.paths.iter().map(Path::heap_bytes).sum::<usize>()
            + self.impacts.capacity() * size_of::<StepImpact>()
            + self.waiting.capacity() * size_of::<u32>()
    }
}

impl Bodies {
    /// The first contacts of the step that the world responded to last, in their order of time, pairs with equal times in
    /// order. Unless the world is continuous, they are those with static bodies.
    pub fn impacts(&self) -> &[StepImpact] {
        &self.record.impacts
    }

    /// The paths in the last step of a continuous world; empty in others.
    pub(super) fn shown_paths(&self) -> &[Path] {
        if self.continuous == Continuous::Off { &[] } else { &self.record.paths }
    }

    /// A body as the last step began, and its motion then, the step's forces included: up to its first bounce or contact.
    /// `None` unless the world is continuous, and before its first step.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn start_of(&self, object: usize) -> Option<(Body<'_>, Motion)> {
        let path = self.shown_paths().get(object)?;
        let state = path.pieces().first()?.moving_state();
        let (solid, velocity) = (&self.solids[object], state.velocity);
        let spin = solid.angular_velocity(state.rotation, state.angular_momentum);
        let body = Body { pose: state.pose(), ..self.body(object) };
        Some((body, Motion { velocity, spin }))
    }

    /// Objects that waited in the last step at their last free pose, since they, or all objects together, reached a bound of
    /// the step's work. Rising.
    pub fn waiting_objects(&self) -> &[u32] {
        &self.record.waiting
    }
}
