//! Saved states of a world, to go back to.

use super::bodies::StepRecord;
use super::elements::{Listed, Recipe};
use super::{BodyState, Hold, World};
use crate::scene::DriveKeys;
use glam::Vec3;
use std::sync::Arc;

/// A moment of a world: everything that a step can change. Its memory is reused.
///
/// It belongs to the world that it was [stored](World::store) from, and to clones of that world.
#[derive(Clone, Debug, Default)]
pub struct WorldState {
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    homes: Vec<u32>,
    /// Empty where all objects are spheres.
    bodies: Vec<BodyState>,
    record: StepRecord,
    steps: u64,
    hold: Hold,
    drive: DriveKeys,
    /// Speeds of driven bodies along z.
    falls: Vec<f64>,
    /// Numbers of the sources that events had removed.
    removed: Vec<u32>,
    /// The sources that were listed: edits may change them before the state is restored.
    listed: Vec<Listed>,
    /// Shared by all moments between the same two edits; `None` before the first one is stored.
    recipe: Option<Arc<Recipe>>,
}

impl WorldState {
    /// Steps since the start of the world.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        (self.positions.capacity() + self.velocities.capacity()) * size_of::<Vec3>()
            + self.bodies.capacity() * size_of::<BodyState>()
            + (self.homes.capacity() + self.removed.capacity()) * size_of::<u32>()
            + self.falls.capacity() * size_of::<f64>()
            + self.listed.capacity() * size_of::<Listed>()
            + self.record.heap_bytes()
    }

    /// Bytes of the edited scene, unless another moment shares it.
    pub fn recipe_bytes(&self, other: Option<&Self>) -> usize {
        let of = |state: &Self| state.recipe.as_ref().map(Arc::as_ptr);
        let is_shared = other.is_some_and(|other| of(other) == of(self));
        self.recipe.as_ref().filter(|_| !is_shared).map_or(0, |recipe| recipe.bytes())
    }
}

impl World {
    /// Stores the present moment. Nothing is allocated where `state` has held one of this world.
    pub fn store(&self, state: &mut WorldState) {
        state.positions.clone_from(&self.objects.positions);
        state.velocities.clone_from(&self.objects.velocities);
        state.homes.clone_from(&self.objects.homes);
        state.bodies.clear();
        if let Some(bodies) = &self.bodies {
            bodies.store(&mut state.bodies, &mut state.record);
        }
        state.steps = self.steps;
        state.hold = self.hold;
        state.drive = self.drive;
        state.falls.clone_from(&self.driver.falls);
        state.removed.clear();
        state.removed.extend_from_slice(&self.elements.removed);
        state.listed.clear();
        state.listed.extend(self.elements.boxes());
        state.recipe = Some(self.elements.recipe.clone());
    }

    /// [Restores](Self::restore) a moment with the sources, obstacles and forces that the world had in it: the motion from
    /// there on is bit for bit what it was up to the next edit. What can be undone stays.
    pub fn restore_with_scene(&mut self, state: &WorldState) {
        let other = |recipe: &&Arc<Recipe>| !Arc::ptr_eq(recipe, &self.elements.recipe);
        if let Some(recipe) = state.recipe.as_ref().filter(other) {
            self.set_recipe(recipe.clone());
        }
        self.restore(state);
    }

    /// Goes back, or on, to a stored moment. The motion from there on is bit for bit what it was,
    /// unless there were edits in between.
    ///
    /// Edits are no part of a moment: sources, obstacles, forces and what can be undone stay as edited.
    /// Sources that timed events have removed since are listed again. Sources that were edited since the
    /// moment was stored take hold of objects or release them, as if they were edited at the restored moment.
    ///
    /// # Panics
    ///
    /// If the state is of a world with another number of objects, or of bodies.
    pub fn restore(&mut self, state: &WorldState) {
        let bodies = self.bodies.as_ref().map_or(0, |bodies| bodies.states().len());
        let counts = [self.len(), bodies];
        let stored = [state.positions.len(), state.bodies.len()];
        assert_eq!(stored, counts, "the state is of another world");
        self.objects.positions.clone_from(&state.positions);
        self.objects.velocities.clone_from(&state.velocities);
        self.objects.homes.clone_from(&state.homes);
        if let Some(bodies) = &mut self.bodies {
            bodies.set_states(&state.bodies, &state.record);
        }
        self.counted = 0;
        self.steps = state.steps;
        self.hold = state.hold;
        self.drive = state.drive;
        self.driver.falls.clone_from(&state.falls);
        self.driver.refusals.clear();
        self.elements.set_removed(&state.removed);
        self.settle(&state.listed, true);
    }
}
