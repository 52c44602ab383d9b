//! The world besides its objects: sources, obstacles, forces.

use super::box_grid::BoxGrid;
use crate::scene::{Action, LayerTarget, Obstacle, Scene, Source};
use broadphase::Aabb;
use std::mem::replace;
use std::sync::Arc;

/// A scene whose sources have numbers, by which objects and edits know them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Recipe {
    pub(super) scene: Scene,
    /// The number of each source. It stays the same whatever else is listed, and is given once. A new source is the last, so
    /// that the numbers rise.
    pub(super) numbers: Vec<u32>,
}

impl Recipe {
    /// Bytes of its long lists, about.
    pub(super) fn bytes(&self) -> usize {
        let Scene { obstacles, balls, placed_bodies, shapes, .. } = &self.scene;
        size_of::<Self>()
            + size_of_val(&**obstacles)
            + size_of_val(&**balls)
            + size_of_val(&**placed_bodies)
            + size_of_val(&**shapes)
    }

    /// Removes a source, and what names it.
    pub(super) fn remove_source(&mut self, index: usize) {
        let Self { scene, numbers } = self;
        scene.sources.remove(index);
        numbers.remove(index);
        let removed = index as u32 + 1;
        let keep = |place: &mut u32| {
            let is_kept = *place != removed;
            *place -= u32::from(*place > removed);
            is_kept
        };
        scene.events.retain_mut(|event| match &mut event.action {
            Action::RemoveSource(place) => keep(place),
            Action::Hold { .. } => true,
        });
        scene.layers.retain_mut(|rule| match &mut rule.target {
            LayerTarget::Source(place) => keep(place),
            LayerTarget::Balls | LayerTarget::Bodies => true,
        });
        scene.generated_bodies.retain_mut(|rule| keep(&mut rule.source));
    }
}

/// The initial scene of a world with every edit, and what timed events have left of it.
///
/// Events only ever remove sources, and edits change nothing but the recipe: so the present scene is always
/// the recipe less some sources.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    pub(super) recipe: Arc<Recipe>,
    /// A number that no source has had.
    pub(super) next_number: u32,
    /// Numbers of the sources that events have removed, rising.
    pub(super) removed: Vec<u32>,
    /// The recipe less the removed sources.
    present: Recipe,
    obstacle_grid: BoxGrid,
}

/// A listed source as objects know it: its number and its box.
pub(super) type Listed = (u32, Aabb);

impl Elements {
    /// A scene's elements, its sources numbered from 1.
    pub(super) fn new(scene: &Scene) -> Self {
        let count = scene.sources.len() as u32;
        let recipe = Recipe { scene: scene.clone(), numbers: (1..=count).collect() };
        Self {
            present: recipe.clone(),
            recipe: Arc::new(recipe),
            next_number: count + 1,
            removed: Vec::new(),
            obstacle_grid: grid_of(&scene.obstacles),
        }
    }

    pub(super) fn scene(&self) -> &Scene {
        &self.present.scene
    }

    /// The listed sources with their numbers.
    pub(super) fn sources(&self) -> impl Iterator<Item = (u32, &Source)> {
        self.present.numbers.iter().copied().zip(&self.present.scene.sources)
    }

    /// The listed source of a number.
    pub(super) fn source(&self, number: u32) -> Option<&Source> {
        let at = self.present.numbers.binary_search(&number).ok()?;
        self.present.scene.sources.get(at)
    }

    /// The listed sources' numbers and boxes, by rising numbers.
    pub(super) fn boxes(&self) -> impl Iterator<Item = Listed> {
        self.sources().map(|(number, source)| (number, source.bounds()))
    }

    /// Calls `visit` once with every obstacle whose box overlaps `region`.
    pub(super) fn for_each_obstacle_near(&self, region: &Aabb, mut visit: impl FnMut(&Obstacle)) {
        let obstacles = &self.present.scene.obstacles;
        self.obstacle_grid.for_each_near(region, |index| visit(&obstacles[index]));
    }

    /// Takes sources off the list, as events do: places of the recipe's sources, from 1.
    pub(super) fn remove(&mut self, places: &[u32]) {
        let numbers = &self.recipe.numbers;
        let number = |place: &u32| numbers.get((*place as usize).checked_sub(1)?);
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

    /// Replaces the recipe, and with it the present scene. Returns the recipe before.
    pub(super) fn set_recipe(&mut self, recipe: Arc<Recipe>) -> Arc<Recipe> {
        // The last source has the highest number.
        let after = recipe.numbers.last().map_or(0, |number| number + 1);
        self.next_number = self.next_number.max(after);
        let before = replace(&mut self.recipe, recipe);
        if before.scene.obstacles != self.recipe.scene.obstacles {
            self.obstacle_grid = grid_of(&self.recipe.scene.obstacles);
        }
        self.present.scene.clone_from(&self.recipe.scene);
        self.list_sources();
        before
    }

    /// Makes the present sources those of the recipe less the removed ones.
    fn list_sources(&mut self) {
        let Self { recipe, removed, present: Recipe { scene, numbers }, .. } = self;
        scene.sources.clear();
        numbers.clear();
        for (number, source) in recipe.numbers.iter().zip(&recipe.scene.sources) {
            if removed.binary_search(number).is_err() {
                numbers.push(*number);
                scene.sources.push(*source);
            }
        }
    }
}

fn grid_of(obstacles: &[Obstacle]) -> BoxGrid {
    BoxGrid::new(obstacles.iter().map(Obstacle::bounds).collect())
}
