//! The bounding volumes of all bodies.

use super::{BodyList, PARALLEL_FROM};
use broadphase::Pair;
use narrowphase::Shape;
use narrowphase::volume::{Outline, Placed, Volume, VolumeKind};
use rayon::prelude::*;

/// Bodies from which several threads place their volumes.
const PARALLEL_BODIES: usize = 512;

/// Volumes of one kind, which let candidates pass or reject them.
pub struct VolumeStage {
    kind: &'static VolumeKind,
    fitted: Box<dyn Volume>,
    /// Placed volumes, [`Volume::width`] numbers each.
    numbers: Vec<f64>,
    /// Whether each candidate passes.
    passes: Vec<bool>,
}

impl VolumeStage {
    /// Fits a volume to each shape of `bodies`.
    pub fn new(kind: &'static VolumeKind, bodies: &impl BodyList) -> Self {
        let shapes: Vec<Shape> = bodies.shapes().iter().map(|named| named.shape.clone()).collect();
        Self {
            kind,
            fitted: (kind.fit)(&shapes, bodies.is_flat()),
            numbers: Vec::new(),
            passes: Vec::new(),
        }
    }

    /// The kind of volume.
    pub fn kind(&self) -> &'static VolumeKind {
        self.kind
    }

    /// Places the volumes of all bodies, whose shapes are those that volumes were fitted to.
    pub fn place(&mut self, bodies: &impl BodyList) {
        let Self { fitted, numbers, .. } = self;
        let width = fitted.width();
        numbers.resize(bodies.count() * width, 0.0);
        let place = |(object, numbers): (usize, &mut [f64])| {
            let body = bodies.body(object);
            fitted.place(bodies.shape_of(object), body.scale, body.pose.rotation, numbers);
        };
        if bodies.count() < PARALLEL_BODIES {
            numbers.chunks_exact_mut(width).enumerate().for_each(place);
        } else {
            let each = numbers.par_chunks_exact_mut(width).enumerate();
            each.with_min_len(128).for_each(place);
        }
    }

    /// Fills `passed` with the candidates whose placed volumes overlap, in their order.
    pub fn filter(&mut self, bodies: &impl BodyList, candidates: &[Pair], passed: &mut Vec<Pair>) {
        let mut passes = std::mem::take(&mut self.passes);
        let test = |pair: &Pair| {
            let [a, b] = [pair.a, pair.b].map(|object| self.placed(bodies, object as usize));
            self.fitted.overlap(&a, &b)
        };
        passes.clear();
        if candidates.len() < PARALLEL_FROM {
            passes.extend(candidates.iter().map(test));
        } else {
            candidates.par_iter().with_min_len(128).map(test).collect_into_vec(&mut passes);
        }
        passed.clear();
        passed
            .extend(candidates.iter().zip(&passes).filter(|(_, passes)| **passes).map(|(p, _)| p));
        self.passes = passes;
    }

    /// Whether each candidate of the last [`filter`](Self::filter) passed.
    pub fn passes(&self) -> &[bool] {
        &self.passes
    }

    /// What to draw of a placed volume, in the world.
    ///
    /// # Panics
    ///
    /// If there is no such body, or its volume was not placed.
    pub fn outline(&self, bodies: &impl BodyList, object: usize) -> Outline {
        self.fitted.outline(&self.placed(bodies, object))
    }

    /// The volume of a placed volume, divided by the body's. `None` where the volume is all of space.
    ///
    /// # Panics
    ///
    /// If there is no such body, or its volume was not placed.
    pub fn ratio(&self, bodies: &impl BodyList, object: usize) -> Option<f64> {
        let body = bodies.body(object);
        let volume = self.fitted.volume(&self.placed(bodies, object))?;
        Some(volume / (body.shape.mass().volume * body.scale * body.scale * body.scale))
    }

    fn placed(&self, bodies: &impl BodyList, object: usize) -> Placed<'_> {
        let width = self.fitted.width();
        Placed {
            shape: bodies.shape_of(object),
            position: bodies.body(object).pose.position,
            numbers: &self.numbers[object * width..][..width],
        }
    }
}
