//! Many worlds as one case: a frame has the boxes of all worlds, one after the other.

use super::MAX_TESTS_TO_PROVE;
use crate::input::{Case, CaseContent};
use broadphase::registry::{ALGORITHMS, Algorithm, CreateError, Kind, Settings, find};
use broadphase::{BroadPhase, Counters, Frame, Pair, WorldBoxes, WorldPairs, Worlds as OneCall};

/// Id of the search of all worlds in one call.
pub const ONE_CALL: &str = "worlds";

/// Id of the search by one `auto` for all worlds, one after the other.
const ONE_FOR_ALL: &str = "auto-one";

/// The methods on many worlds: one call for all; a kept `auto` for each world; one `auto` for all, one after the other.
///
/// On a case of many worlds any other algorithm is searched in a loop, with an instance for each world.
pub fn world_methods() -> [Algorithm; 3] {
    let auto = find("auto").unwrap_or(ALGORITHMS.reference());
    let call = Algorithm::new(ONE_CALL, Kind::Other, |_| Many::call(1));
    [call, Algorithm { id: "auto-each", ..*auto }, Algorithm { id: ONE_FOR_ALL, ..*auto }]
}

impl Case {
    /// Creates an algorithm that searches the frames of the case.
    ///
    /// # Errors
    ///
    /// Where the algorithm refuses.
    pub(crate) fn create(
        &self,
        algorithm: &Algorithm,
        settings: &Settings,
    ) -> Result<Box<dyn BroadPhase>, CreateError> {
        let CaseContent::Worlds { first, worlds } = &self.content else {
            return algorithm.create(settings);
        };
        let instances = match algorithm.id {
            ONE_CALL => return Ok(Many::call(*worlds)),
            ONE_FOR_ALL => 1,
            _ => u64::from(*worlds),
        };
        // An instance of few objects holds some kilobytes in any case.
        let of_each = (algorithm.memory)(first.n as u64) + (16 << 10);
        let (needed, limit) = (of_each.saturating_mul(instances), settings.memory_limit / 2);
        if needed > limit {
            let (algorithm, objects) = (algorithm.id, self.n);
            return Err(CreateError::Memory { algorithm, objects, needed, limit });
        }
        let own = Settings::new(first.n).world(first.space()).memory_limit(limit);
        let instances = (0..instances).map(|_| algorithm.create(&own)).collect::<Result<_, _>>()?;
        Ok(Box::new(Many { worlds: *worlds as usize, search: Search::Loop(instances) }))
    }

    /// Whether brute force can find the pairs of all frames within some seconds.
    pub fn is_provable(&self) -> bool {
        self.brute_force_tests(self.total_frames().into()) <= MAX_TESTS_TO_PROVE
    }

    /// Tests of brute force on a number of frames.
    pub(crate) fn brute_force_tests(&self, frames: u64) -> u64 {
        let worlds = u64::from(self.worlds());
        let objects = self.n as u64 / worlds;
        (objects / 2).saturating_mul(objects).saturating_mul(worlds).saturating_mul(frames)
    }
}

/// A pair of a world, by ids within the frame; `first` is the id of the world's first object.
fn shifted(pair: Pair, first: usize) -> Pair {
    Pair { a: pair.a + first as u32, b: pair.b + first as u32 }
}

/// The search of all worlds of a frame, each of which has as many objects.
struct Many {
    worlds: usize,
    search: Search,
}

enum Search {
    /// One call for all, with the ids of the first objects of all worlds: they are known from the first frame on.
    Call(Box<OneCall>, WorldPairs, Vec<u32>),
    /// An algorithm in a loop over the worlds, with an instance for each or one for all.
    Loop(Vec<Box<dyn BroadPhase>>),
}

impl Many {
    fn call(worlds: u32) -> Box<dyn BroadPhase> {
        let search = Search::Call(Box::default(), WorldPairs::default(), Vec::new());
        Box::new(Self { worlds: worlds as usize, search })
    }
}

impl BroadPhase for Many {
    fn update(&mut self, _: &Frame<'_>) {}

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let (worlds, objects) = (self.worlds, frame.boxes.len() / self.worlds);
        match &mut self.search {
            Search::Call(search, found, starts) => {
                if starts.is_empty() {
                    starts.extend((0..=worlds).map(|world| (world * objects) as u32));
                }
                let all = WorldBoxes::new(frame.boxes, starts).layered(frame.layers);
                let searched = search.find_pairs(&all.within(frame.limits), found);
                searched.unwrap_or_else(|error| unreachable!("{error}"));
                pairs.reserve(found.pairs().len());
                for world in 0..worlds {
                    let own = found.of(world).iter();
                    pairs.extend(own.map(|pair| shifted(*pair, world * objects)));
                }
            }
            Search::Loop(instances) => {
                for world in 0..worlds {
                    let first = world * objects;
                    let boxes = &frame.boxes[first..first + objects];
                    let layers = frame.layers.get(first..first + objects).unwrap_or_default();
                    let one = Frame::new(boxes).layered(layers).time_step(frame.time_step);
                    let (before, instance) = (pairs.len(), world % instances.len());
                    instances[instance].pairs(&one.within(frame.limits), pairs);
                    pairs[before..].iter_mut().for_each(|pair| *pair = shifted(*pair, first));
                }
            }
        }
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }

    fn heap_bytes(&self) -> usize {
        match &self.search {
            Search::Call(search, ..) => search.heap_bytes(),
            Search::Loop(instances) => instances.iter().map(|one| one.heap_bytes()).sum(),
        }
    }

    fn validate(&self, _: &Frame<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Instruments, reference};
    use crate::process::MonotonicClock;
    use crate::rows::Outcome;
    use crate::run::{Plan, measure_case};
    use broadphase::benchmark::checksum;
    use sim::atlas::{Cell, Placement};

    #[test]
    fn world_of_a_cell_has_its_properties_and_a_seed_of_its_own() {
        // Three worlds of a terrain, whose triangles have layers, and of which some objects vanish.
        let placement = Placement::Terrain;
        let cell =
            Cell { objects: 60, placement, movers: 0.1, churn: 0.02, ..Cell::plain(u64::MAX) };
        let first = Case { warmup: 1, frames: 5, ..Case::of_cell(cell) };
        let case = Case::of_worlds(first, 3).unwrap();
        let mut worlds = [u64::MAX, 0, 1].map(|seed| Cell { seed, ..cell }.start());
        let (mut seen, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..case.total_frames() {
            let mut pairs = Vec::new();
            for (at, world) in worlds.iter_mut().enumerate() {
                let mut boxes = Vec::new();
                world.next_frame(&mut boxes);
                let frame = Frame::new(&boxes).layered(world.layers());
                let mut of_world = Vec::new();
                reference().build(&Settings::new(boxes.len())).pairs(&frame, &mut of_world);
                pairs.extend(of_world.iter().map(|pair| shifted(*pair, at * boxes.len())));
                assert!(!seen.contains(&boxes), "worlds differ");
                seen.push(boxes);
            }
            expected.push(checksum(&pairs));
        }
        assert!(expected.iter().any(|checksum| *checksum != 0));
        let (methods, clock) = (world_methods(), MonotonicClock::new());
        let methods = methods.each_ref();
        let plan = Plan::new(&methods, &[1], 2);
        let measured = measure_case(&case, &plan, Instruments::new(&clock, None)).unwrap();
        assert!(measured.proven);
        for cell in measured.cells {
            assert_eq!(cell.outcome, Outcome::Ok);
            assert!(cell.samples.iter().all(|sample| sample.tests.or(sample.nodes).is_none()));
            let found: Vec<u64> = cell.samples.iter().map(|sample| sample.checksum.0).collect();
            assert_eq!(found, expected.repeat(2));
        }
    }
}
