//! The world besides its spheres: sources, obstacles, forces.

use super::change::Change;
use super::obstacle_grid::ObstacleGrid;
use crate::scene::{Scene, Source};
use broadphase::Aabb;
use std::collections::HashSet;

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
    /// Numbers of the sources that events have removed.
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

    /// The listed sources' numbers and boxes.
    pub(super) fn boxes(&self) -> impl Iterator<Item = Listed> {
        self.sources().map(|(number, source)| (number, source.bounds()))
    }

    /// Numbers of the sources that events have removed.
    pub(super) fn removed(&self) -> &[u32] {
        &self.removed
    }

    /// A number that no source has had.
    pub(super) fn take_number(&mut self) -> u32 {
        let number = self.next_number;
        self.next_number += 1;
        number
    }

    /// Takes sources off the list, as events do: numbers of the recipe's sources, from 1.
    pub(super) fn remove(&mut self, sources: &[u32]) {
        let mut removed: HashSet<u32> = self.removed.iter().copied().collect();
        for source in sources {
            let place = (*source as usize).checked_sub(1);
            if let Some(number) = place.and_then(|place| self.numbers.get(place))
                && removed.insert(*number)
            {
                self.removed.push(*number);
            }
        }
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
        if of_obstacles {
            self.obstacles = ObstacleGrid::new(&self.recipe.obstacles);
        }
        self.list();
        inverse
    }

    /// Makes the scene the recipe less the removed sources.
    fn list(&mut self) {
        self.scene.clone_from(&self.recipe);
        self.list_sources();
    }

    /// [`list`](Self::list), where all but the sources is as in the recipe.
    fn list_sources(&mut self) {
        let removed: HashSet<u32> = self.removed.iter().copied().collect();
        self.scene.sources.clear();
        self.listed.clear();
        for (number, source) in self.numbers.iter().zip(&self.recipe.sources) {
            if !removed.contains(number) {
                self.listed.push(*number);
                self.scene.sources.push(*source);
            }
        }
    }
}
