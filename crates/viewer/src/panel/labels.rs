//! Labels at their places in the scene: numbers of objects in leaves or cells, names of the rails,
//! both ends of the curve.

use super::legend::diagram;
use super::widgets::MIN_TEXT;
use crate::camera::{OrbitCamera, corners};
use crate::composer::{rails, shows_sweeps, sweep_rails, within};
use crate::simulation::{Picked, Snapshot, Sweeps};
use crate::view::View;
use broadphase::Aabb;
use broadphase::inspect::{Outcome, Overlay, Region, Rotation, TreeBox};
use egui::{Align2, Color32, FontId, Painter, Rect, Ui, vec2};
use glam::{Vec2, Vec3};
use std::cmp::Reverse;

/// Maximum of numbers, those of the fullest regions: more of them would be illegible.
const MAX_LABELS: usize = 100;

/// Most objects that have their numbers, where the legend names them.
const MAX_OBJECTS: usize = 16;

/// Most objects that have their places on a curve.
const MAX_PLACES: usize = 64;

/// Distance of the numbers of boxes that share a corner, in points.
const STEP_ALONG: f32 = 18.0;

/// Maximum of numbered boxes.
const MAX_STEPS: usize = 63;

/// Opacity of the farthest label.
const FAINTEST: f32 = 0.3;

pub(super) fn show(ui: &Ui, scene: Rect, snapshot: &Snapshot, options: &View, camera: OrbitCamera) {
    let visuals = ui.visuals();
    let labels =
        Labels { painter: ui.painter_at(scene), scene, camera, shadow: visuals.panel_fill };
    let ink = visuals.strong_text_color();
    labels.structure(snapshot, options, ink);
    labels.lists(snapshot, options, ink);
    labels.curve(snapshot, options, ink);
}

/// The number of objects in a leaf, cell or list of a plane. Where leaves are swept on axes of their own, also which axis that
/// is, and which lists are those of planes.
fn contents(region: &Region, sweeps: &Sweeps) -> String {
    let objects = region.objects;
    match (sweeps.plane_of_list(region.index), sweeps.axis_of(region.index)) {
        (Some(plane), _) => format!("{objects} at plane {}", plane.name()),
        (None, Some(axis)) => format!("{objects}, sweep {}", axis.name()),
        (None, None) => objects.to_string(),
    }
}

/// Writes on the scene.
struct Labels {
    painter: Painter,
    scene: Rect,
    camera: OrbitCamera,
    shadow: Color32,
}

impl Labels {
    /// Numbers of objects in leaves or cells, steps of boxes, and the names of rotated subtrees.
    fn structure(&self, snapshot: &Snapshot, options: &View, ink: Color32) {
        let structure = &snapshot.structure;
        let scene_bounds = snapshot.objects.space;
        if options.shows(Overlay::Regions) {
            // Where cells have levels, most hold a single object.
            let least = if snapshot.has_levels() { 2 } else { 1 };
            for region in fullest(&structure.regions.kept, least) {
                let at = within(&snapshot.objects.occupied, &region.bounds).center();
                let color = ink.gamma_multiply(nearness(at, scene_bounds, &self.camera));
                self.write(at, &contents(region, &structure.sweeps), MIN_TEXT, color);
            }
        }
        if options.shows(Overlay::TreeBoxes) {
            for (tree_box, step) in upper_steps(&structure.tree.kept, snapshot.picked.as_ref()) {
                let near = nearness(tree_box.bounds.center(), scene_bounds, &self.camera);
                let color = ink.gamma_multiply(near);
                self.write_at_edge(tree_box, &step.to_string(), color);
            }
        }
        if options.shows(Overlay::TreeBoxes)
            && let [(Rotation { lowered, raised, .. }, _)] = snapshot.changed.rotations.fresh[..]
        {
            for (bounds, name) in [(lowered, diagram::LOWERED), (raised, diagram::RAISED)] {
                self.write(bounds.center(), name, 15.0, ink);
            }
        }
    }

    /// Names of the rails, and numbers of the objects that their lists or the matrix name.
    fn lists(&self, snapshot: &Snapshot, options: &View, ink: Color32) {
        if options.shows(Overlay::Endpoints)
            && let Some(rails) = rails(snapshot.objects.space, &self.camera)
        {
            for (rail, lanes) in
                rails.iter().zip(snapshot.structure.lists.lanes).filter(|rail| rail.1 > 0)
            {
                let name = rail.axis.name();
                self.write(rail.label(lanes), name, 15.0, ink);
            }
        }
        let has_numbers = [Overlay::Endpoints, Overlay::Matrix]
            .into_iter()
            .any(|overlay| snapshot.draws(options, overlay));
        if has_numbers && snapshot.objects.present <= MAX_OBJECTS {
            // An absent object of a recording has no box.
            for (object, center) in (0..).zip(&snapshot.objects.positions) {
                if snapshot.bounds_of(object).is_some() {
                    self.write(*center, &object.to_string(), MIN_TEXT, ink);
                }
            }
        }
        if shows_sweeps(snapshot, options)
            && let (Some(rails), Some(picked)) =
                (sweep_rails(snapshot, &self.camera), &snapshot.picked)
        {
            let sweeps = &picked.sweeps;
            for (rail, span) in rails.iter().zip(sweeps.spans) {
                let Some(span) = span else { continue };
                let rail = rail.along(span);
                let lanes = sweeps.intervals.lanes[rail.axis.index()];
                let name = rail.axis.name();
                self.write(rail.label(lanes), name, 15.0, ink);
            }
        }
    }

    /// Places on the curve, or its two ends.
    fn curve(&self, snapshot: &Snapshot, options: &View, ink: Color32) {
        match snapshot.structure.layer(Overlay::Curve).points[..] {
            _ if !options.shows(Overlay::Curve) => {}
            // The places that the diagram of the tree names.
            ref few if few.len() <= MAX_PLACES => {
                (0..).zip(few).for_each(|(place, at): (u32, _)| {
                    self.write(*at, &place.to_string(), MIN_TEXT, ink);
                });
            }
            [first, .., last] => {
                self.write(first, "first", 12.0, ink);
                self.write(last, "last", 12.0, ink);
            }
            _ => {}
        }
    }

    /// Writes at the upper left corner of a box as it is seen. Boxes below it may share that corner: the deeper, the further
    /// along the edge to the right.
    fn write_at_edge(&self, tree_box: &TreeBox, text: &str, color: Color32) {
        let scene = Vec2::new(self.scene.width(), self.scene.height());
        let seen = corners(&tree_box.bounds).map(|corner| self.camera.project(corner, scene));
        let Some(first) = upper_left(&seen) else { return };
        // The neighbours of a corner differ in one bit.
        let neighbours = [1, 2, 4].map(|bit| seen[first ^ bit]);
        let Some(from) = seen[first] else { return };
        let to_the_right = neighbours.into_iter().flatten().max_by(|a, b| a.x.total_cmp(&b.x));
        let Some(edge) = to_the_right.map(|to| to - from) else { return };
        let along = (STEP_ALONG * (tree_box.depth as f32 + 0.5)).min(0.8 * edge.length());
        let at = from + edge.normalize_or_zero() * along;
        self.write_seen(at, text, MIN_TEXT, color);
    }

    fn write(&self, at: Vec3, text: &str, size: f32, color: Color32) {
        let scene = Vec2::new(self.scene.width(), self.scene.height());
        if let Some(at) = self.camera.project(at, scene) {
            self.write_seen(at, text, size, color);
        }
    }

    /// Writes at a place in the scene's rectangle.
    fn write_seen(&self, at: Vec2, text: &str, size: f32, color: Color32) {
        let at = self.scene.min + vec2(at.x, at.y);
        let font = FontId::proportional(size);
        // An outline keeps it legible over spheres of any colour.
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            let beside = at + vec2(x, y);
            self.painter.text(beside, Align2::CENTER_CENTER, text, font.clone(), self.shadow);
        }
        self.painter.text(at, Align2::CENTER_CENTER, text, font, color);
    }
}

/// The place of the corner that is seen furthest to the upper left; `None` if none is seen.
fn upper_left(seen: &[Option<Vec2>; 8]) -> Option<usize> {
    let seen = seen.iter().enumerate().filter_map(|(place, at)| Some((place, at.as_ref()?)));
    seen.min_by(|a, b| (a.1.x + a.1.y).total_cmp(&(b.1.x + b.1.y))).map(|(place, _)| place)
}

/// The opacity of a label: full at the near side of the scene, faint at the far side.
fn nearness(at: Vec3, scene: Aabb, camera: &OrbitCamera) -> f32 {
    let radius = 0.5 * scene.size().length();
    if !radius.is_finite() {
        return 1.0;
    }
    let distance = camera.eye().distance(at) - camera.eye().distance(scene.center());
    let share = 0.5 - 0.5 * distance / radius.max(f32::MIN_POSITIVE);
    FAINTEST + (1.0 - FAINTEST) * share.clamp(0.0, 1.0)
}

/// The boxes nearest to the root that have a step, with it; of a picked object, only those on its way.
fn upper_steps<'a>(boxes: &'a [TreeBox], picked: Option<&Picked>) -> Vec<(&'a TreeBox, u32)> {
    let is_shown = |tree_box: &TreeBox| {
        let mut visited = picked.iter().flat_map(|picked| &picked.visited);
        picked.is_none()
            // Not by depth: boxes of a tree that is built from its leaves have their heights instead.
            || visited.any(|node| {
                node.bounds == tree_box.bounds && node.outcome != Outcome::Rejected
            })
    };
    let with_steps = boxes.iter().filter_map(|b| Some((b, b.step?)));
    let mut steps: Vec<_> = with_steps.filter(|(tree_box, _)| is_shown(tree_box)).collect();
    steps.sort_by_key(|(tree_box, _)| tree_box.depth);
    steps.truncate(MAX_STEPS);
    steps
}

/// The regions with most objects, of those that have at least some.
fn fullest(regions: &[Region], least: u32) -> Vec<&Region> {
    let mut occupied: Vec<&Region> =
        regions.iter().filter(|region| region.objects >= least).collect();
    if occupied.len() > MAX_LABELS {
        occupied.select_nth_unstable_by_key(MAX_LABELS, |region| Reverse(region.objects));
        occupied.truncate(MAX_LABELS);
    }
    occupied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_labels_are_fainter_than_near_ones() {
        let scene = Aabb::new(Vec3::NEG_ONE, Vec3::ONE);
        let camera = OrbitCamera::default();
        let toward = (camera.eye() - scene.center()).normalize();
        let [far, middle, near] = [-1.0, 0.0, 1.0].map(|at| nearness(toward * at, scene, &camera));
        assert!(far < middle && middle < near && far >= FAINTEST && near <= 1.0);
        for scene in [Aabb::EMPTY, Aabb::new(Vec3::ZERO, Vec3::ZERO)] {
            let share = nearness(Vec3::ZERO, scene, &camera);
            assert!((FAINTEST..=1.0).contains(&share), "{share}");
        }
    }

    #[test]
    fn numbers_are_at_the_upper_left_corner() {
        let bounds = Aabb::new(Vec3::ZERO, Vec3::ONE);
        // From above: x to the right, y up.
        let seen = corners(&bounds).map(|corner| Some(Vec2::new(corner.x, -corner.y)));
        let corner = upper_left(&seen).map(|place| corners(&bounds)[place]).unwrap();
        assert_eq!((corner.x, corner.y), (0.0, 1.0));
        assert_eq!(upper_left(&[None; 8]), None);
    }

    #[test]
    fn upper_boxes_are_numbered() {
        let tree_box = |depth: u32| TreeBox {
            bounds: Aabb::EMPTY,
            depth,
            is_leaf: false,
            step: Some(depth + 1),
            axis: None,
        };
        let mut boxes: Vec<TreeBox> = (0..100).rev().map(tree_box).collect();
        boxes.push(TreeBox { is_leaf: true, step: None, ..tree_box(0) });
        let steps: Vec<u32> = upper_steps(&boxes, None).into_iter().map(|(_, step)| step).collect();
        assert_eq!(steps, (1..=63).collect::<Vec<_>>());
    }

    #[test]
    fn only_the_fullest_regions_have_labels() {
        let region =
            |objects: u32| Region { index: objects, bounds: Aabb::EMPTY, depth: 0, objects };
        let regions: Vec<Region> = (0..150).map(region).collect();
        let shown = fullest(&regions, 1);
        let least = shown.iter().map(|region| region.objects).min();
        assert_eq!((shown.len(), least), (100, Some(50)));
        assert!(fullest(&regions[..1], 1).is_empty());
        assert_eq!(fullest(&regions[..4], 2).len(), 2);
    }
}
