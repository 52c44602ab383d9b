//! The bounding volumes of all bodies.

use super::stage::Stage;
use super::{BodyList, FramePairs, PARALLEL_FROM};
use broadphase::Pair;
use narrowphase::Shape;
use narrowphase::volume::{Outline, Placed, Volume, VolumeKind};
use rayon::prelude::*;

/// Bodies from which several threads place their volumes.
const PARALLEL_BODIES: usize = 512;

/// Volumes of one kind, which let candidates pass or reject them.
pub struct VolumeStage {
    stage: Stage<&'static VolumeKind, (), (), bool>,
    fitted: Box<dyn Volume>,
    /// Placed volumes, [`Volume::width`] numbers each.
    numbers: Vec<f64>,
}

impl VolumeStage {
    /// Fits a volume to each shape of `bodies`.
    pub fn new(kind: &'static VolumeKind, bodies: &impl BodyList) -> Self {
        let shapes: Vec<Shape> = bodies.shapes().iter().map(|named| named.shape.clone()).collect();
        let fitted = (kind.fit)(&shapes, bodies.is_flat());
        Self { stage: Stage::of(kind, |_| (), false, PARALLEL_FROM), fitted, numbers: Vec::new() }
    }

    /// The kind of volume.
    pub fn kind(&self) -> &'static VolumeKind {
        self.stage.method()
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
    pub fn filter(&mut self, of: &FramePairs<'_, impl BodyList>, passed: &mut Vec<Pair>) {
        let Self { stage, fitted, numbers } = self;
        stage.ask_all(of, |(), pair, ()| {
            let placed = |object| placed(&**fitted, numbers, of.bodies, object as usize);
            fitted.overlap(&placed(pair.a), &placed(pair.b))
        });
        passed.clear();
        let each = of.pairs.iter().zip(stage.answers());
        passed.extend(each.filter(|(_, passes)| **passes).map(|(pair, _)| pair));
    }

    /// Whether each candidate of the last [`filter`](Self::filter) passed.
    pub fn passes(&self) -> &[bool] {
        self.stage.answers()
    }

    /// Outline of a placed volume, in the world, and its volume divided by the body's. The second is `None`
    /// where the volume is all of space.
    ///
    /// # Panics
    ///
    /// If there is no such body, or its volume was not placed.
    pub fn outline(&self, bodies: &impl BodyList, object: usize) -> (Outline, Option<f64>) {
        let placed = placed(&*self.fitted, &self.numbers, bodies, object);
        let body = bodies.body(object);
        let own = body.shape.mass().volume * body.scale * body.scale * body.scale;
        (self.fitted.outline(&placed), self.fitted.volume(&placed).map(|volume| volume / own))
    }
}

/// The volume of a body among the `numbers` of all.
fn placed<'a>(
    fitted: &dyn Volume,
    numbers: &'a [f64],
    bodies: &impl BodyList,
    object: usize,
) -> Placed<'a> {
    let width = fitted.width();
    Placed {
        shape: bodies.shape_of(object),
        position: bodies.body(object).pose.position,
        numbers: &numbers[object * width..][..width],
    }
}
