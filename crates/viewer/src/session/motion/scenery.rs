//! The objects of a scene, and the moments from which its steps are taken again.

use super::Replay;
use crate::session::heat::Heat;
use crate::session::inputs::{Input, Inputs};
use crate::session::moments::{Moment, Moments};
use broadphase::benchmark::checksum;
use broadphase::{Aabb, Auto, BroadPhase as _, Frame, Pair, sort_pairs};
use sim::World;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A scene in motion.
pub(super) struct Scenery {
    pub(super) world: World,
    pub(super) heat: Heat,
    /// The pairs that the world answered in the last step, sorted: they touched at its end, or met within it.
    pub(super) contacts: Vec<Pair>,
    /// All that was before the present step: a step that is stopped is undone at once.
    before: Moment,
    pub(super) moments: Moments,
    /// Finds the pairs of steps that are taken again, to which the world responds.
    finder: Auto,
    found: Vec<Pair>,
    /// The first step since the last moment that had other pairs when it was first taken.
    pub(super) differs_from: Option<u64>,
}

impl Scenery {
    pub(super) fn new(world: World, room: usize) -> Self {
        Self {
            heat: Heat::new(world.len()),
            world,
            contacts: Vec::new(),
            before: Moment::default(),
            moments: Moments::new(room),
            finder: Auto::default(),
            found: Vec::new(),
            differs_from: None,
        }
    }

    /// Stores a moment of the present step, instead of later ones.
    pub(super) fn keep_moment(&mut self) {
        let Self { world, heat, contacts, moments, .. } = self;
        moments.push(world.steps(), |moment| {
            store(world, heat, moment);
            moment.contacts.clone_from(contacts);
        });
    }

    /// Keeps all that is before a step.
    pub(super) fn keep_present(&mut self, boxes: &mut Vec<Aabb>) {
        store(&self.world, &self.heat, &mut self.before);
        std::mem::swap(&mut self.before.boxes, boxes);
        std::mem::swap(&mut self.before.contacts, &mut self.contacts);
        self.contacts.clear();
    }

    /// Goes back to the present that was kept.
    pub(super) fn undo_step(&mut self, boxes: &mut Vec<Aabb>) {
        let before = std::mem::take(&mut self.before);
        *boxes = self.come_back(before);
    }

    /// The pairs in contact before the present step, which was just taken, and after it.
    pub(super) fn contacts(&self) -> [&[Pair]; 2] {
        [&self.before.contacts, &self.contacts]
    }

    /// Moves the objects by one step. Returns whether that was done before `stop` was set.
    pub(super) fn advance(
        &mut self,
        Input { hold, pull, keys, .. }: Input,
        boxes: &mut Vec<Aabb>,
        stop: &AtomicBool,
    ) -> bool {
        pull.map(|pull| self.world.pull(pull));
        self.world.set_drive(keys);
        // Spheres move within some milliseconds.
        let is_whole = match self.world.bodies() {
            Some(_) => self.world.step_unless(hold, stop),
            None => {
                self.world.step(hold);
                true
            }
        };
        if is_whole {
            self.world.boxes(boxes);
        }
        is_whole
    }

    /// Counts the collisions of a step after the response. Returns whether that was done before `stop` was set.
    pub(super) fn count_hits(&mut self, pairs: &[Pair], stop: &AtomicBool) -> bool {
        let before = std::mem::take(&mut self.before.contacts);
        let is_done = self.count_hits_since(&before, pairs, stop);
        self.before.contacts = before;
        is_done
    }

    fn count_hits_since(&mut self, before: &[Pair], pairs: &[Pair], stop: &AtomicBool) -> bool {
        self.contacts.clear();
        if let Some(bodies) = self.world.bodies() {
            self.contacts.extend(bodies.contacts().iter().map(|contact| contact.pair));
            self.contacts.extend(bodies.impacts().iter().map(|impact| impact.pair));
            self.contacts.sort_unstable();
            self.contacts.dedup();
        }
        self.heat.step(&self.world, pairs, before, stop)
    }

    /// Takes the next step again. Returns whether that was done before it was stopped.
    fn repeat_step(
        &mut self,
        inputs: &Inputs,
        boxes: &mut Vec<Aabb>,
        Replay { bound, activity, stop }: Replay<'_>,
    ) -> Result<bool, String> {
        let step = self.world.steps() + 1;
        activity.turn_to("moving through earlier steps", None);
        if stop.load(Relaxed) || !self.advance(inputs.of(step), boxes, stop) {
            return Ok(false);
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let frame = Frame::new(boxes).layered(self.world.layers()).stopped_by(stop);
        let searched = bound.search(&frame, |frame| {
            self.finder.update(frame);
            self.finder.find_pairs(frame, &mut found);
        });
        searched.map_err(|error| format!("step {step}: {error}"))?;
        sort_pairs(&mut found);
        let before = std::mem::take(&mut self.contacts);
        let is_done = !frame.is_stopped()
            && self.world.respond_unless(&found, stop).is_some()
            && self.count_hits_since(&before, &found, stop);
        if inputs.pairs_of(step).is_some_and(|known| known != checksum(&found)) {
            self.differs_from.get_or_insert(step);
        }
        self.found = found;
        Ok(is_done)
    }

    /// Goes to the moment before a kept step, in the scene as it was then.
    fn rewind(&mut self, step: u64, boxes: &mut Vec<Aabb>) -> Result<(), String> {
        let moment = self.moments.up_to(step.saturating_sub(self.repeats()));
        let moment = moment.ok_or_else(|| format!("step {step} is not kept"))?;
        self.restore(moment.world.steps());
        self.world.boxes(boxes);
        Ok(())
    }

    /// Goes to the moment of a step, in the scene as it was then, if there is one.
    fn restore(&mut self, step: u64) {
        let moment = self.moments.up_to(step).filter(|moment| moment.world.steps() == step);
        let Some(moment) = moment else { return };
        restore(&mut self.world, &mut self.heat, moment);
        self.contacts.clone_from(&moment.contacts);
        self.differs_from = None;
    }

    /// Takes the steps up to a kept one again, from the moment before it; from the step before, if it was visited last. Returns
    /// whether that was done before it was stopped.
    pub(super) fn visit(
        &mut self,
        step: u64,
        inputs: &Inputs,
        boxes: &mut Vec<Aabb>,
        replay: Replay<'_>,
    ) -> Result<bool, String> {
        if self.world.steps() + 1 != step {
            self.rewind(step, boxes)?;
        }
        let done = self.repeat_steps(step, inputs, boxes, replay);
        if done.is_err() {
            // The world has no pairs of the step that it has taken.
            self.rewind(step, boxes)?;
        }
        done
    }

    fn repeat_steps(
        &mut self,
        last: u64,
        inputs: &Inputs,
        boxes: &mut Vec<Aabb>,
        replay: Replay<'_>,
    ) -> Result<bool, String> {
        while self.world.steps() < last {
            if !self.repeat_step(inputs, boxes, replay)? {
                return Ok(false);
            }
            // An edit may follow, or the step ended otherwise.
            self.restore(self.world.steps());
        }
        Ok(true)
    }

    /// Goes to a kept step, in the scene as it is edited now. Returns whether that was done before it was stopped: if not, all
    /// is as it was.
    pub(super) fn go_to(
        &mut self,
        step: u64,
        inputs: &Inputs,
        boxes: &mut Vec<Aabb>,
        replay: Replay<'_>,
    ) -> Result<bool, String> {
        let (present, mut reached) = (self.place(boxes), Moment::default());
        let rewound = self.rewind(step, boxes);
        let gone = rewound.and_then(|()| self.repeat_steps(step, inputs, boxes, replay));
        if gone != Ok(true) {
            *boxes = self.come_back(present);
            return gone;
        }
        store(&self.world, &self.heat, &mut reached);
        self.world.restore_with_scene(&present.world);
        self.world.restore(&reached.world);
        self.end_repeats();
        gone
    }

    /// Frees the memory of the search for pairs of steps that were taken again.
    fn end_repeats(&mut self) {
        (self.finder, self.found) = (Auto::default(), Vec::new());
    }

    /// All that is present.
    pub(super) fn place(&self, boxes: &[Aabb]) -> Moment {
        let mut place = Moment { boxes: boxes.to_vec(), ..Moment::default() };
        place.contacts.clone_from(&self.contacts);
        store(&self.world, &self.heat, &mut place);
        place
    }

    /// Goes back to what was present. Returns its boxes.
    pub(super) fn come_back(&mut self, place: Moment) -> Vec<Aabb> {
        restore(&mut self.world, &mut self.heat, &place);
        self.contacts = place.contacts;
        self.end_repeats();
        place.boxes
    }

    /// The steps that can be shown, up to `latest`.
    pub(super) fn kept(&self, latest: u64) -> RangeInclusive<u64> {
        let present = self.world.steps();
        let first = self.moments.first().unwrap_or(present);
        first.saturating_add(if first == 0 { 0 } else { self.repeats() }).min(present)..=latest
    }

    /// Steps from a moment to the first one that it can show. The boxes and contacts of bodies are those of a step.
    fn repeats(&self) -> u64 {
        u64::from(self.world.bodies().is_some())
    }
}

fn store(world: &World, heat: &Heat, moment: &mut Moment) {
    world.store(&mut moment.world);
    moment.heat.clone_from(heat);
}

/// Goes to a moment, in the scene as it was then.
fn restore(world: &mut World, heat: &mut Heat, moment: &Moment) {
    world.restore_with_scene(&moment.world);
    heat.clone_from(&moment.heat);
}
