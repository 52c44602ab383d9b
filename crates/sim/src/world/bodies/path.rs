//! The path of a body in a step.

use super::impacts::StepImpact;
use super::solid::{BodyState, Solid};
use super::touch::margin;
use broadphase::{Aabb, Pair};
use glam::DVec3;
use narrowphase::{Body, Bounds, BoxKind, Shape};
use std::mem::take;

/// Bytes of the path of a body, with the room that its lists have once the body has met others a few times, and of its box,
/// counters and listings in the search for later contacts. An upper bound where bodies have a few contacts in a step:
/// measured continuous worlds take 0.6 to 0.8 of it.
pub const BYTES_PER_PATH: usize = size_of::<Path>()
    + 8 * size_of::<PathPiece>()
    + 4 * size_of::<PathBounce>()
    + 2 * size_of::<Aabb>()
    + 16 * size_of::<u32>();

/// Bounces of a body in one step, off other bodies too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bounces {
    pub(super) number: u16,
    /// Bounces in a row from which the body hardly moved on.
    pub(super) stalls: u16,
    /// Energy that bounces gave the body.
    pub(super) gained: f64,
}

/// How a body moves in a piece of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Along a line, with a free rotation.
    Free,
    /// Along a line, without rotation: it is too fast to be followed.
    Stiff,
    /// Not at all.
    Still,
}

/// A part of a path without a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathPiece {
    /// Seconds since the step began.
    pub(super) start: f64,
    pub(super) duration: f64,
    /// At the start.
    pub(super) state: BodyState,
    pub(super) manner: Manner,
    /// Bounces before this piece.
    pub(super) bounces: Bounces,
}

impl PathPiece {
    /// The centre at a time, and its velocity.
    pub(super) fn center_at(&self, time: f64) -> (DVec3, DVec3) {
        let BodyState { position, velocity, .. } = self.state;
        match self.manner {
            Manner::Still => (position, DVec3::ZERO),
            Manner::Free | Manner::Stiff => (position + velocity * (time - self.start), velocity),
        }
    }

    /// The state at the start, without the velocities that a body has where it does not move.
    pub(super) fn moving_state(&self) -> BodyState {
        let (velocity, angular_momentum) = (DVec3::ZERO, DVec3::ZERO);
        match self.manner {
            Manner::Still => BodyState { velocity, angular_momentum, ..self.state },
            Manner::Free | Manner::Stiff => self.state,
        }
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
    /// So far.
    pub(super) bounces: Bounces,
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
    pub(super) fn push(&mut self, state: BodyState, duration: f64, manner: Manner) {
        let (start, bounces) = (self.end, self.bounces);
        self.end += duration;
        self.pieces.push(PathPiece { start, duration, state, manner, bounces });
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
        let PathPiece { start, state, manner, .. } = self.pieces[piece];
        let elapsed = time - start;
        match manner {
            Manner::Free => solid.moved(&state, elapsed),
            Manner::Stiff => solid.stiff().moved(&state, elapsed),
            Manner::Still => {
                let fall = self.acceleration * elapsed * solid.linear;
                BodyState { velocity: state.velocity - fall, ..state }
            }
        }
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
        self.bounces = last.bounces;
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
        for piece in &self.pieces {
            let PathPiece { duration, state, manner, .. } = piece;
            let angle = if *manner == Manner::Free && kind != BoxKind::Sphere {
                // A tenth more, for the error of the integration.
                1.1 * solid.rotor(state).speed_bound(state.rotation) * duration
            } else {
                0.0
            };
            let growth = solid.radius * angle.min(std::f64::consts::TAU) * 0.5;
            add(state, growth);
            match manner {
                Manner::Free => add(&solid.moved(state, *duration), growth),
                Manner::Stiff => add(&solid.stiff().moved(state, *duration), 0.0),
                Manner::Still => {}
            }
        }
        swept
    }

    /// A box around the bounding sphere of a body on its path from a time on.
    pub(super) fn swept_sphere(&self, solid: &Solid, from: f64) -> Bounds {
        let mut swept = Bounds::EMPTY;
        for piece in &self.pieces[self.piece_at(from)..] {
            let moves = f64::from(piece.manner != Manner::Still);
            let start = piece.state.position;
            let end = start + piece.state.velocity * (piece.duration * moves);
            swept.min = swept.min.min(start.min(end));
            swept.max = swept.max.max(start.max(end));
        }
        // Above the margin of a contact, and the rounding of the ends.
        let size = swept.min.abs().max(swept.max.abs()).max_element() + solid.radius;
        swept.grown(solid.radius + 1e-8 * size)
    }
}
