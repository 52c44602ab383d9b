//! Turns a snapshot into spheres, bodies or boxes, panes and lines for the renderer.

mod bodies;
mod contacts;
mod dashes;
mod disagreement;
mod figures;
mod impacts;
mod layers;
mod links;
mod objects;
mod paint;
mod picked;
mod rail;
mod rails;
mod structure;
mod sweep;
mod visited;

pub use contacts::contact_colors;
pub use figures::figures;
pub use layers::former_fat_boxes;
pub use paint::{Legend, legend, shows_glow};
pub use picked::drawn_tests;
pub use rail::{Rail, rails};
pub use rails::{beside, exchanged_boxes, shows_sweeps, sweep_rails};
pub use structure::{bounds_objects, level_color, within};
pub use visited::shows_visited;

use crate::camera::OrbitCamera;
use crate::scene_renderer::{Color, Haze, Pane, Plane, SceneView, Segment, Theme, WireBox};
use crate::simulation::Snapshot;
use crate::view::{Row, View};
use objects::Objects;

/// Share of its opacity that a source keeps beside a structure: its box would look like a part of it.
const SOURCE_ASIDE: f32 = 0.2;

/// Elements that are selected in the panel, drawn lighter than the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Selection {
    /// Number of a source.
    pub source: Option<u32>,
    /// Index of an obstacle in the scene.
    pub obstacle: Option<usize>,
    /// The line that attracts and repels, at this x and y.
    pub line: Option<[f32; 2]>,
}

/// Composes the renderer's input from a snapshot. Its lists are reused from frame to frame.
#[derive(Debug, Default)]
pub struct Composer {
    objects: Objects,
    boxes: Vec<WireBox>,
    panes: Vec<Pane>,
    planes: Vec<Plane>,
    segments: Vec<Segment>,
    over_objects: Vec<Segment>,
}

impl Composer {
    /// Fills the lists from a snapshot, and returns a view of them.
    pub fn view<'a>(
        &'a mut self,
        snapshot: &Snapshot,
        options: &View,
        selection: Selection,
        camera: OrbitCamera,
        theme: &'a Theme,
        pixels_per_point: f32,
    ) -> SceneView<'a> {
        self.objects.clear();
        self.boxes.clear();
        self.panes.clear();
        self.planes.clear();
        self.segments.clear();
        self.over_objects.clear();
        let scene = &*snapshot.input.scene;
        if options.shows(Row::Objects) {
            self.objects.fill(snapshot, options, theme);
        }
        self.compose_scene(snapshot, options, selection, theme);
        self.compose_overlays(snapshot, options, theme, camera);
        let held = (snapshot.input.hold != sim::Hold::None).then_some(scene.line);
        if let Some(line) = selection.line.or(held) {
            self.compose_line(line, scene, theme);
        }
        if let Some(picked) = &snapshot.picked {
            let (boxes, segments) = (&mut self.boxes, &mut self.segments);
            visited::compose(picked, snapshot, options, theme, boxes, segments);
            picked::compose(picked, snapshot, theme, boxes, segments);
        }
        structure::compose_rotations(snapshot, options, theme, &mut self.boxes);
        if let Some(pair) = disagreement::pair(snapshot) {
            disagreement::compose(pair, snapshot, theme, &mut self.boxes, &mut self.segments);
        }
        SceneView {
            haze: Haze::across(snapshot.objects.space, &camera, theme.haze),
            pixels_per_point,
            spheres: &self.objects.spheres,
            bodies: self.objects.bodies.view(),
            solid_boxes: &self.objects.solid,
            outlined_boxes: &self.objects.outlined,
            triangles: options.triangles,
            shading: options.shows(Row::Shading),
            simplified: true,
            boxes: &self.boxes,
            panes: &self.panes,
            planes: &self.planes,
            segments: &self.segments,
            over_objects: &self.over_objects,
            ..SceneView::new(camera, theme)
        }
    }

    /// The sources and obstacles of a scene.
    fn compose_scene(
        &mut self,
        snapshot: &Snapshot,
        options: &View,
        selection: Selection,
        theme: &Theme,
    ) {
        if options.shows(Row::Sources) {
            let sources = snapshot.input.sources.iter();
            let is_beside = sources.len() > 1 && snapshot.shows_structure(options);
            let share = if is_beside { SOURCE_ASIDE } else { 1.0 };
            self.boxes.extend(sources.map(|(number, source)| {
                let selected = selection.source == Some(*number);
                WireBox {
                    bounds: source.bounds(),
                    color: if selected {
                        theme.selected_pane_edge
                    } else {
                        faint(theme.source, share)
                    },
                    width: if selected { 2.5 } else { 1.25 },
                }
            }));
        }
        if options.shows(Row::Obstacles) {
            let panes = snapshot.input.scene.obstacles.iter().enumerate();
            self.panes.extend(panes.map(|(place, obstacle)| Pane {
                bounds: obstacle.bounds(),
                normal: obstacle.normal,
                selected: selection.obstacle == Some(place),
            }));
        }
    }

    /// The overlays of the structure and of bodies.
    fn compose_overlays(
        &mut self,
        snapshot: &Snapshot,
        options: &View,
        theme: &Theme,
        camera: OrbitCamera,
    ) {
        structure::compose_planes(
            snapshot,
            options,
            theme,
            &mut self.planes,
            &mut self.boxes,
            &mut self.segments,
        );
        structure::compose_regions(snapshot, options, theme, &mut self.boxes);
        structure::compose_tree(snapshot, options, theme, &mut self.boxes);
        structure::compose_curve(snapshot, options, theme, &mut self.segments);
        let (boxes, segments) = (&mut self.boxes, &mut self.segments);
        layers::compose_boxes(snapshot, options, theme, boxes, segments);
        layers::compose_pairs(snapshot, options, theme, &mut self.over_objects);
        layers::compose_partners(snapshot, options, theme, &mut self.boxes);
        contacts::compose_boxes(snapshot, options, theme, &mut self.boxes);
        // The circles of a flat scene are within its bodies.
        let is_flat = snapshot.input.scene.flat;
        let lines = if is_flat { &mut self.over_objects } else { &mut self.segments };
        contacts::compose_volumes(snapshot, options, theme, &camera, lines);
        contacts::compose_points(snapshot, options, theme, &mut self.over_objects);
        figures::compose(snapshot, options, theme, &mut self.boxes, &mut self.over_objects);
        impacts::compose(snapshot, options, theme, &mut self.over_objects);
        impacts::compose_waiting(snapshot, options, theme, &mut self.boxes);
        sweep::compose_blocks(snapshot, options, theme, &mut self.boxes);
        rails::compose_exchanged(snapshot, options, theme, &mut self.boxes);
        rails::compose(snapshot, options, theme, camera, &mut self.segments);
    }

    /// The vertical line that attracts or repels spheres, over the height of the scene.
    fn compose_line(&mut self, [x, y]: [f32; 2], scene: &sim::Scene, theme: &Theme) {
        let bounds = scene.bounds();
        if bounds.is_empty() {
            return;
        }
        let over = 0.1 * bounds.size().z;
        self.segments.push(Segment {
            a: [x, y, bounds.min.z - over],
            b: [x, y, bounds.max.z + over],
            color: theme.selected_pane_edge,
            width: 3.0,
        });
    }
}

/// A colour with a share of its opacity.
fn faint([r, g, b, a]: Color, share: f32) -> Color {
    [r, g, b, (f32::from(a) * share) as u8]
}
