//! The frames of many worlds, and their search in a loop.

use crate::failure::Failure;
use broadphase::registry::{Settings, find};
use broadphase::{Aabb, BroadPhase, Frame, Layer, Limits, Pair, WorldBoxes, WorldPairs, Worlds};
use measure::{Case, PairBound, PairsError, available_memory};
use sim::GeneratedBoxes;

/// Worlds of generated boxes, each of a seed of its own: that of `case` and the following ones.
#[derive(Clone, Debug)]
pub(crate) struct WorldsSpec {
    /// The first world: generated boxes, or a cell of the atlas.
    pub(crate) case: Case,
    pub(crate) worlds: u32,
}

impl WorldsSpec {
    /// Tests of brute force on all frames.
    pub(super) fn tests(&self) -> u64 {
        let objects = self.case.n as u64;
        let of_world = (objects * objects / 2).saturating_mul(u64::from(self.worlds));
        of_world.saturating_mul(u64::from(self.case.total_frames()))
    }
}

/// The frames, one after the other.
pub(super) struct Frames {
    bodies: Vec<GeneratedBoxes>,
    boxes: Vec<Aabb>,
    starts: Vec<u32>,
    layers: Vec<Layer>,
    one: Vec<Aabb>,
}

impl Frames {
    pub(super) fn new(spec: &WorldsSpec) -> Self {
        let worlds = 0..u64::from(spec.worlds);
        let bodies: Vec<GeneratedBoxes> =
            worlds.filter_map(|world| spec.case.generator(world)).collect();
        let layers = bodies.iter().flat_map(|bodies| bodies.layers()).copied().collect();
        let starts = (0..=bodies.len()).map(|world| (world * spec.case.n) as u32).collect();
        Self { bodies, boxes: Vec::new(), starts, layers, one: Vec::new() }
    }

    /// Goes on to the next frame, at first to the first.
    pub(super) fn advance(&mut self) {
        self.boxes.clear();
        for bodies in &mut self.bodies {
            bodies.next_frame(&mut self.one);
            self.boxes.extend_from_slice(&self.one);
        }
    }

    /// All worlds.
    pub(super) fn worlds(&self) -> WorldBoxes<'_> {
        WorldBoxes::new(&self.boxes, &self.starts).layered(&self.layers)
    }

    /// Each world.
    fn each(&self) -> impl Iterator<Item = Frame<'_>> {
        self.starts.windows(2).map(|ends| {
            let range = ends[0] as usize..ends[1] as usize;
            let layers = self.layers.get(range.clone()).unwrap_or_default();
            Frame::new(&self.boxes[range]).layered(layers)
        })
    }
}

/// A running method: one call for all worlds, or an algorithm in a loop with an instance for each world or one for all.
pub(super) struct Search {
    worlds: Option<Worlds>,
    found: WorldPairs,
    instances: Vec<Box<dyn BroadPhase>>,
    pairs: Vec<Pair>,
    starts: Vec<usize>,
    bound: PairBound,
}

impl Search {
    pub(super) fn of_worlds() -> Self {
        Self { worlds: Some(Worlds::default()), ..Self::of_instances(Vec::new()) }
    }

    fn of_instances(instances: Vec<Box<dyn BroadPhase>>) -> Self {
        // The checked pairs are there beside the found ones.
        let bound = PairBound::within(available_memory(), 2);
        let (worlds, found) = (None, WorldPairs::default());
        Self { worlds, found, instances, pairs: Vec::new(), starts: Vec::new(), bound }
    }

    /// # Errors
    ///
    /// Why it cannot run: the instances might not fit into memory.
    pub(super) fn of_loop(id: &str, instances: usize, spec: &WorldsSpec) -> Result<Self, String> {
        let entry = find(id).ok_or_else(|| format!("there is no algorithm `{id}`"))?;
        // An instance of few objects holds some kilobytes in any case.
        let of_each = (entry.memory)(spec.case.n as u64) + (16 << 10);
        let needed = of_each.saturating_mul(instances as u64);
        if needed > available_memory() / 2 {
            return Err(format!(
                "may take {} MiB, more than half of the free memory",
                needed >> 20
            ));
        }
        let settings = Settings::new(spec.case.n);
        let create = |_| entry.create(&settings).map_err(|error| error.to_string());
        let instances = (0..instances).map(create).collect::<Result<_, _>>()?;
        Ok(Self::of_instances(instances))
    }

    /// The pairs of a frame, and for each world the position of the first, then their number.
    pub(super) fn find(&mut self, frames: &Frames) -> Result<(&[Pair], &[usize]), Failure> {
        let limit = self.bound.limit();
        let too_many = |error: PairsError| Failure::Running(error.to_string());
        if let Some(worlds) = &mut self.worlds {
            let bounded = frames.worlds().within(Limits::NONE.most_pairs(&limit));
            let result = worlds.find_pairs(&bounded, &mut self.found);
            result.map_err(|error| Failure::Running(error.to_string()))?;
            self.bound.check(&limit).map_err(too_many)?;
            return Ok((self.found.pairs(), self.found.starts()));
        }
        self.pairs.clear();
        self.starts.clear();
        for (world, frame) in frames.each().enumerate() {
            let instance = world % self.instances.len();
            self.starts.push(self.pairs.len());
            let frame = frame.most_pairs(&limit);
            self.instances[instance].update(&frame);
            self.instances[instance].find_pairs(&frame, &mut self.pairs);
        }
        self.bound.check(&limit).map_err(too_many)?;
        self.starts.push(self.pairs.len());
        Ok((&self.pairs, &self.starts))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let instances = self.instances.iter().map(|instance| instance.heap_bytes());
        instances.sum::<usize>() + self.worlds.as_ref().map_or(0, Worlds::heap_bytes)
    }
}
