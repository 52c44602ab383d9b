//! The test of a query for each box.

use super::{Hit, QueryTree};
use crate::{Aabb, Layer};
use glam::DVec3;

/// A shape that meets boxes, and measures how near each is.
///
/// A program may implement its own: a capsule, a cone, a sound that walls damp.
pub trait Probe {
    /// The measure of an object's box, below infinity; `None` if the probe does not meet it. Never `Some` for an empty box.
    fn measure(&self, object: u32, b: &Aabb) -> Option<f64>;

    /// A number that is at most the measure of each box within a box that is not empty; infinite if the probe meets none
    /// of them. It runs for eight boxes at once: code without branches is compiled to vector instructions.
    fn bound(&self, min: DVec3, max: DVec3) -> f64;

    /// The same shape, which meets only objects that `accepts`.
    fn only<F: Fn(u32) -> bool>(&self, accepts: F) -> Only<'_, Self, F>
    where
        Self: Sized,
    {
        Only { probe: self, accepts }
    }

    /// The same shape, which meets only objects whose layer [meets](Layer::meets) `layer`. `layers` are those of
    /// [`Frame::layers`](crate::Frame::layers) or [`Space::layers`](crate::Space::layers). [`only`](Self::only)
    /// picks a group whatever the masks of its objects are.
    fn only_meeting<'a>(
        &'a self,
        layers: &'a [Layer],
        layer: Layer,
    ) -> Only<'a, Self, impl Fn(u32) -> bool + 'a>
    where
        Self: Sized,
    {
        self.only(move |object| {
            layers.get(object as usize).copied().unwrap_or_default().meets(layer)
        })
    }

    /// Searches a tree. Each shape has a copy of its own, with its `bound` inlined.
    #[doc(hidden)]
    fn search_tree(&self, tree: &QueryTree, visit: &mut dyn FnMut(Hit) -> f64) {
        tree.search_for(self, visit);
    }
}

/// A probe that meets some objects only; see [`Probe::only`].
#[derive(Clone, Copy, Debug)]
pub struct Only<'a, P, F> {
    probe: &'a P,
    accepts: F,
}

impl<P: Probe, F: Fn(u32) -> bool> Probe for Only<'_, P, F> {
    fn measure(&self, object: u32, b: &Aabb) -> Option<f64> {
        (self.accepts)(object).then(|| self.probe.measure(object, b)).flatten()
    }

    #[inline(always)]
    fn bound(&self, min: DVec3, max: DVec3) -> f64 {
        self.probe.bound(min, max)
    }
}
