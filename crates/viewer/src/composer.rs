//! Turns a snapshot into spheres, bodies or boxes, panes and lines for the renderer.

mod bodies;
mod objects;
mod paint;
mod rail;

pub use paint::legend;
pub use rail::Rails;

use crate::camera::OrbitCamera;
use crate::picture::{self, Group, Ink, Style};
use crate::scene_renderer::{Color, Haze, Pane, Plane, SceneView, Segment, Theme, WireBox};
use crate::simulation::Snapshot;
use crate::view::{Row, View};
use glam::Vec3;
use objects::Objects;
use paint::Paint;

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
        let rails = Rails::of(snapshot, &camera);
        let paint = Paint::new(snapshot, false, theme);
        for group in snapshot.drawing.groups(options) {
            self.add(group, options, &rails, &paint, theme, camera.eye());
        }
        let held = (snapshot.input.hold != sim::Hold::None).then_some(scene.line);
        if let Some(line) = selection.line.or(held) {
            self.compose_line(line, scene, theme);
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

    /// A group of the drawing, in the colours of a theme.
    fn add(
        &mut self,
        group: &Group,
        options: &View,
        rails: &Rails,
        paint: &Paint<'_>,
        theme: &Theme,
        eye: Vec3,
    ) {
        let color = |ink: Ink| ink.color(theme, |object| paint.color(object as usize));
        let color_of = |style: &Style| faint(color(style.ink), style.share);
        let planes = group.planes.iter().filter(|(_, _, depth, ..)| *depth <= options.plane_depth);
        self.planes.extend(planes.map(|(bounds, normal, _, share, ink)| Plane {
            bounds: *bounds,
            normal: *normal,
            alpha: share * ink.map_or(options.plane_opacity, |_| 1.0),
            color: ink.map(color),
        }));
        self.boxes.extend(group.boxes.iter().map(|(bounds, style)| WireBox {
            bounds: *bounds,
            color: color_of(style),
            width: style.width,
        }));
        let segment = |[a, b]: [Vec3; 2], style: &Style| Segment {
            a: a.to_array(),
            b: b.to_array(),
            color: color_of(style),
            width: style.width,
        };
        self.segments.extend(group.lines.iter().filter_map(|([a, b], style)| {
            Some(segment([rails.place(*a)?, rails.place(*b)?], style))
        }));
        for (center, radius, style) in &group.spheres {
            let circle = outline(*center, *radius, eye).into_iter();
            let sides = circle.flat_map(|(middle, radii)| picture::circle(middle, radii));
            self.segments.extend(sides.map(|ends| segment(ends, style)));
        }
        self.over_objects.extend(group.over.iter().map(|(ends, style)| segment(*ends, style)));
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

/// The circle that an eye sees of a sphere: its centre, and two radii at a right angle. From inside, there is none.
fn outline(center: Vec3, radius: f32, eye: Vec3) -> Option<(Vec3, [Vec3; 2])> {
    let to_eye = eye - center;
    let distance = to_eye.length();
    if distance <= radius {
        return None;
    }
    let sine = radius / distance;
    let (u, v) = (to_eye / distance).any_orthonormal_pair();
    let seen = radius * (1.0 - sine * sine).sqrt();
    Some((center + to_eye * (sine * sine), [u * seen, v * seen]))
}
