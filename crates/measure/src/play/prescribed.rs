//! Boxes whose motion does not depend on their pairs: recorded or generated.

use crate::input::{InputError, WatchedFile};
use broadphase::{Aabb, Layer};
use sim::atlas::TIME_STEP;
use sim::{GeneratedBoxes, TraceReader};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Estimated bytes of a state of generated boxes, per object: centre, half sides, velocity, home and random numbers.
const BYTES_PER_OBJECT: u64 = 96;

/// Fewest states of generated boxes that are kept.
const MIN_STATES: usize = 2;

/// Least bytes per object of generated boxes of which any frame can be shown: the present state, and those that are kept.
pub(crate) const MIN_STATE_BYTES: u64 = (MIN_STATES as u64 + 1) * BYTES_PER_OBJECT;

/// Most states that are kept: small ones would be as many as there are frames.
const MAX_STATES: usize = 1000;

/// Frames of a trace that [`Prescribed::sampled_bounds`] reads at most, and their bytes.
const SAMPLED_FRAMES: u32 = 16;
const SAMPLED_BYTES: u64 = 64 << 20;

/// Boxes whose motion does not depend on their pairs: a trace, generated boxes, a cell of the atlas, or many worlds of these,
/// of which a frame has the boxes one after the other.
///
/// [`next_frame`](Self::next_frame) plays them from the start. After `random_access`, any frame can be shown
/// again.
pub struct Prescribed {
    input: String,
    source: Source,
    layers: Vec<Layer>,
    time_step: f32,
    /// The frame that is played next, from 0.
    upcoming: u32,
}

enum Source {
    /// The generators of all worlds, which is one unless there are many.
    Generated(Vec<GeneratedBoxes>, Option<KeptStates>),
    Trace(TraceReader, WatchedFile),
}

/// States of a generator before evenly spaced frames: going back to a frame begins at the state before it, not at the
/// first frame.
struct KeptStates {
    /// Frames from one state to the next.
    every: u32,
    most: usize,
    /// Before the frames 0, `every`, 2 `every`, ...
    states: Vec<Vec<GeneratedBoxes>>,
    /// Estimated bytes of a state.
    each_bytes: u64,
}

impl KeptStates {
    fn new(memory: u64, objects: usize) -> Self {
        let each_bytes = (objects as u64).saturating_mul(BYTES_PER_OBJECT).max(1);
        let most = usize::try_from(memory / each_bytes).unwrap_or(MAX_STATES);
        let most = most.clamp(MIN_STATES, MAX_STATES);
        Self { every: 1, most, states: Vec::new(), each_bytes }
    }

    /// Keeps the state before a frame, if it is one of the spaced ones and not kept yet. When there are too many, every
    /// second one is dropped.
    fn keep(&mut self, frame: u32, worlds: &[GeneratedBoxes]) {
        if u64::from(frame) != self.states.len() as u64 * u64::from(self.every) {
            return;
        }
        if self.states.len() == self.most {
            let every_second = std::mem::take(&mut self.states).into_iter().step_by(2);
            self.states.extend(every_second);
            self.every = self.every.saturating_mul(2);
            return self.keep(frame, worlds);
        }
        self.states.push(worlds.to_vec());
    }

    /// The last state before `frame` or at it, and its frame.
    fn before(&self, frame: u32) -> Option<(u32, &Vec<GeneratedBoxes>)> {
        let place = (frame / self.every).min(self.states.len().checked_sub(1)? as u32);
        self.states.get(place as usize).map(|state| (place * self.every, state))
    }
}

impl Prescribed {
    /// A trace. It ends with an error once its file is not as it was.
    pub(super) fn of_trace(input: &str, reader: TraceReader, file: &WatchedFile) -> Self {
        let time_step = reader.dt();
        let source = Source::Trace(reader, file.clone());
        Self { input: input.to_owned(), source, layers: Vec::new(), time_step, upcoming: 0 }
    }

    pub(super) fn generated(input: &str, worlds: Vec<GeneratedBoxes>) -> Self {
        let layers = worlds.iter().flat_map(|world| world.layers()).copied().collect();
        let (input, source) = (input.to_owned(), Source::Generated(worlds, None));
        Self { input, source, layers, time_step: TIME_STEP, upcoming: 0 }
    }

    /// Prepares [`go_to_unless`](Self::go_to_unless), before the first frame: some states of `objects` generated boxes are
    /// kept, within this many bytes.
    pub(super) fn random_access(mut self, memory: u64, objects: usize) -> Self {
        if let Source::Generated(_, kept) = &mut self.source {
            *kept = Some(KeptStates::new(memory, objects));
        }
        self
    }

    /// Fills `boxes` with those of the next frame, index = object.
    ///
    /// # Errors
    ///
    /// Where a trace cannot be read, has a bad box in the frame, has no more frames, or was changed.
    pub fn next_frame(&mut self, boxes: &mut Vec<Aabb>) -> Result<(), InputError> {
        match &mut self.source {
            Source::Generated(worlds, kept) => {
                kept.iter_mut().for_each(|kept| kept.keep(self.upcoming, worlds));
                if let [world] = &mut worlds[..] {
                    world.next_frame(boxes);
                } else {
                    boxes.clear();
                    let mut of_world = Vec::new();
                    for world in worlds {
                        world.next_frame(&mut of_world);
                        boxes.append(&mut of_world);
                    }
                }
            }
            Source::Trace(reader, file) => {
                file.check(&self.input)?;
                // A bad frame is as bad when it is played again.
                reader.go_to(self.upcoming);
                if !reader.read_frame(boxes)? {
                    return Err(InputError::ended(&self.input, self.upcoming));
                }
            }
        }
        self.upcoming += 1;
        Ok(())
    }

    /// Makes `frame` the next one, from 0, unless `stop` is set: then a frame before it is the next one. Generated boxes are
    /// moved on to it from the nearest kept state. Returns whether it was reached.
    ///
    /// # Errors
    ///
    /// If a trace ends before it, or cannot be read.
    pub fn go_to_unless(&mut self, frame: u32, stop: &AtomicBool) -> Result<bool, InputError> {
        if self.frames().is_some_and(|frames| frame >= frames) {
            return Err(InputError::ended(&self.input, frame));
        }
        match &mut self.source {
            Source::Trace(..) => self.upcoming = frame,
            Source::Generated(worlds, kept) => {
                let state = kept.as_ref().and_then(|kept| kept.before(frame));
                if let Some((before, state)) = state
                    && (frame < self.upcoming || self.upcoming < before)
                {
                    worlds.clone_from(state);
                    self.upcoming = before;
                }
                let mut passed = Vec::new();
                while self.upcoming < frame {
                    if stop.load(Relaxed) {
                        return Ok(false);
                    }
                    self.next_frame(&mut passed)?;
                }
            }
        }
        Ok(true)
    }

    /// The number of frames; `None` for generated boxes, which move on without end.
    pub fn frames(&self) -> Option<u32> {
        match &self.source {
            Source::Trace(reader, _) => Some(reader.frames()),
            Source::Generated(..) => None,
        }
    }

    /// Simulated seconds from frame to frame.
    pub fn time_step(&self) -> f32 {
        self.time_step
    }

    /// The frame that [`next_frame`](Self::next_frame) plays, from 0.
    pub fn upcoming(&self) -> u32 {
        self.upcoming
    }

    /// Bytes of the kept states of generated boxes, as estimated.
    pub fn kept_bytes(&self) -> usize {
        match &self.source {
            Source::Generated(_, Some(kept)) => kept.states.len() * kept.each_bytes as usize,
            _ => 0,
        }
    }

    /// The objects' layers, the same in every frame; empty where every pair is admitted, as in a trace.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The bounds of all boxes in some frames of a trace, evenly spread over it; empty for generated boxes. Frames
    /// that cannot be read are left out: they are reported when they are played.
    pub fn sampled_bounds(&mut self) -> Aabb {
        let Source::Trace(reader, _) = &mut self.source else { return Aabb::EMPTY };
        let bytes = u64::from(reader.objects()) * size_of::<Aabb>() as u64;
        let most = (SAMPLED_BYTES / bytes.max(1)).clamp(1, SAMPLED_FRAMES.into());
        let last = u64::from(reader.frames() - 1);
        let number = most.min(last + 1);
        let (mut bounds, mut boxes) = (Aabb::EMPTY, Vec::new());
        for place in 0..number {
            reader.go_to((last * place / (number - 1).max(1)) as u32);
            if reader.read_frame(&mut boxes).is_ok() {
                bounds = bounds.union(&Aabb::bounds(&boxes));
            }
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Case, Input};
    use sim::TraceWriter;

    fn frames(case: &Case, numbers: &[u32], memory: u64) -> Vec<Vec<Aabb>> {
        let mut prescribed = case.prescribed(memory, &mut |_| true).unwrap().unwrap();
        let show = |frame: &u32| {
            let mut boxes = Vec::new();
            assert!(prescribed.go_to_unless(*frame, &AtomicBool::new(false)).unwrap());
            assert_eq!(prescribed.upcoming(), *frame);
            prescribed.next_frame(&mut boxes).unwrap();
            boxes
        };
        numbers.iter().map(show).collect()
    }

    #[test]
    fn generated_frame_is_the_same_whenever_it_is_shown() {
        let memory_of_five_states = 5 * 30 * BYTES_PER_OBJECT;
        for name in ["brownian:30", "statics:30", "atlas:7:12"] {
            let input = Input::boxes(name.parse().unwrap());
            let case = input.cases(&Default::default()).unwrap().remove(0);
            let order: Vec<u32> = (0..60).collect();
            let expected = frames(&case, &order, u64::MAX);
            assert!(expected[0] != expected[59], "{name}");
            for memory in [0, memory_of_five_states, u64::MAX] {
                let jumps = [59, 3, 4, 58, 0, 17, 31, 30, 1, 59];
                let shown = frames(&case, &jumps, memory);
                for (frame, shown) in jumps.into_iter().zip(shown) {
                    assert_eq!(shown, expected[frame as usize], "{name}, frame {frame}");
                }
            }
        }
    }

    #[test]
    fn bounds_are_sampled_around_a_bad_frame() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bpt");
        let mut writer = TraceWriter::create(&path, 1, 0.5).unwrap();
        let at = |x: u8| Aabb::around_sphere(glam::Vec3::X * f32::from(x), 0.5);
        (0..3).for_each(|frame| writer.write_frame(&[at(frame)]).unwrap());
        writer.finish().unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        // The first coordinate of the second frame.
        bytes[48..52].copy_from_slice(&f32::NAN.to_le_bytes());
        std::fs::write(&path, bytes).unwrap();
        let case = Input::open(&path).unwrap().cases(&Default::default()).unwrap().remove(0);
        let mut trace = case.prescribed(0, &mut |_| true).unwrap().unwrap();
        assert_eq!(trace.sampled_bounds(), at(0).union(&at(2)));
        let mut boxes = Vec::new();
        trace.next_frame(&mut boxes).unwrap();
        assert_eq!(boxes, [at(0)], "the first frame is still the next one");
        for _ in 0..2 {
            let error = trace.next_frame(&mut boxes).unwrap_err().to_string();
            assert!(error.contains("frame 1, object 0"), "{error}");
        }
        let never = AtomicBool::new(false);
        trace.go_to_unless(2, &never).unwrap();
        trace.next_frame(&mut boxes).unwrap();
        assert_eq!(boxes, [at(2)]);
        assert!(trace.go_to_unless(3, &never).is_err());
    }
}
