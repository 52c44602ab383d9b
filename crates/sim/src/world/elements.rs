//! The world besides its spheres: sources, obstacles, forces.

use super::change::Change;
use super::obstacle_grid::ObstacleGrid;
use crate::scene::{Scene, Source};
use broadphase::Aabb;

/// The initial scene of a world with every edit, and what timed events have left of it.
///
/// Events only ever remove sources, and edits change nothing but the recipe: so the present scene is always
/// the recipe less some sources.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    recipe: Scene,
    /// The number of each of the recipe's sources, by which spheres and edits know it. It stays the
    /// same whatever else is listed, and is given once. A new source is the last, so that the numbers rise.
    numbers: Vec<u32>,
    next_number: u32,
    /// Numbers of the sources that events have removed, rising.
    removed: Vec<u32>,
    /// The recipe less the removed sources.
    scene: Scene,
    /// The number of each of `scene.sources`.
    listed: Vec<u32>,
    obstacles: ObstacleGrid,
}

/// A listed source as spheres know it: its number and its box.
pub(super) type Listed = (u32, Aabb);

impl Elements {
    /// A scene's elements, its sources numbered from 1.
    pub(super) fn new(scene: &Scene) -> Self {
        let count = scene.sources.len() as u32;
        let numbers: Vec<u32> = (1..=count).collect();
        Self {
            recipe: scene.clone(),
            listed: numbers.clone(),
            numbers,
            next_number: count + 1,
            removed: Vec::new(),
            scene: scene.clone(),
            obstacles: ObstacleGrid::new(&scene.obstacles),
        }
    }

    pub(super) fn recipe(&self) -> &Scene {
        &self.recipe
    }

    pub(super) fn scene(&self) -> &Scene {
        &self.scene
    }

    pub(super) fn obstacles(&self) -> &ObstacleGrid {
        &self.obstacles
    }

    /// Numbers of the recipe's sources, in its order.
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Numbers of the listed sources, in the order of `scene().sources`.
    pub(super) fn listed(&self) -> &[u32] {
        &self.listed
    }

    /// The listed sources with their numbers.
    pub(super) fn sources(&self) -> impl Iterator<Item = (u32, &Source)> {
        self.listed.iter().copied().zip(&self.scene.sources)
    }

    /// The listed source of a number.
    pub(super) fn source(&self, number: u32) -> Option<&Source> {
        let at = self.listed.binary_search(&number).ok()?;
        self.scene.sources.get(at)
    }

    /// The listed sources' numbers and boxes, by rising numbers.
    pub(super) fn boxes(&self) -> impl Iterator<Item = Listed> {
        self.sources().map(|(number, source)| (number, source.bounds()))
    }

    /// Numbers of the sources that events have removed.
    pub(super) fn removed(&self) -> &[u32] {
        &self.removed
    }

    /// A number that no source has had.
    pub(super) fn next_number(&self) -> u32 {
        self.next_number
    }

    /// Takes sources off the list, as events do: places of the recipe's sources, from 1.
    pub(super) fn remove(&mut self, places: &[u32]) {
        let number = |place: &u32| self.numbers.get((*place as usize).checked_sub(1)?);
        self.removed.extend(places.iter().filter_map(number));
        self.removed.sort_unstable();
        self.removed.dedup();
        self.list_sources();
    }

    /// Takes the sources of these numbers, and no others, off the list.
    pub(super) fn set_removed(&mut self, removed: &[u32]) {
        if self.removed != removed {
            self.removed.clear();
            self.removed.extend_from_slice(removed);
            self.list_sources();
        }
    }

    /// Changes the recipe, and with it the present scene. Returns the inverse change.
    pub(super) fn apply(&mut self, change: Change) -> Change {
        let of_obstacles = matches!(change, Change::Obstacles { .. });
        let inverse = change.apply(&mut self.recipe, &mut self.numbers);
        // The last source has the highest number.
        let after = self.numbers.last().map_or(0, |number| number + 1);
        self.next_number = self.next_number.max(after);
        if of_obstacles {
            self.obstacles = ObstacleGrid::new(&self.recipe.obstacles);
        }
        self.scene.clone_from(&self.recipe);
        self.list_sources();
        inverse
    }

    /// Makes the sources of the scene those of the recipe less the removed ones.
    fn list_sources(&mut self) {
        self.scene.sources.clear();
        self.listed.clear();
        for (number, source) in self.numbers.iter().zip(&self.recipe.sources) {
            if self.removed.binary_search(number).is_err() {
                self.listed.push(*number);
                self.scene.sources.push(*source);
            }
        }
    }
}
