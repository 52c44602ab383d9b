//! Turns a snapshot into spheres, bodies or boxes, rectangles and lines for the renderer.

mod bodies;
mod paint;
mod rail;

pub use paint::legend;
pub use rail::Rails;

use crate::camera::OrbitCamera;
use crate::picking::is_large;
use crate::picture::{self, Group, Ink, Style};
use crate::scene_renderer::{
    BoxInstance, Color, Haze, Rectangle, SceneView, Segment, SphereInstance, Theme, WireBox,
};
use crate::simulation::Snapshot;
use crate::view::{Row, View};
use bodies::Bodies;
use glam::Vec3;
use paint::{Paint, shows_glow};

/// Share of its opacity that a source keeps beside a structure: its box would look like a part of it.
const SOURCE_ASIDE: f32 = 0.2;

/// Opacity of a plane's edges, as a multiple of that of its fill, and their highest one.
const PLANE_EDGE: f32 = 3.0;
const MAX_PLANE_EDGE: f32 = 0.8;

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

/// Everything that the picture of a snapshot depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneKey {
    /// The rows and colours to show.
    pub view: View,
    /// The elements that are drawn lighter.
    pub selection: Selection,
    /// Where it is seen from.
    pub camera: OrbitCamera,
    /// The theme.
    pub dark: bool,
    /// Physical pixels per point.
    pub pixels_per_point: f32,
}

impl SceneKey {
    /// A dark picture without a selection, a pixel a point.
    pub fn new(view: View, camera: OrbitCamera) -> Self {
        let selection = Selection::default();
        Self { view, selection, camera, dark: true, pixels_per_point: 1.0 }
    }
}

/// Composes the renderer's input from a snapshot. Its lists are reused from frame to frame.
#[derive(Debug, Default)]
pub struct Composer {
    spheres: Vec<SphereInstance>,
    bodies: Bodies,
    solid_boxes: Vec<BoxInstance>,
    outlined_boxes: Vec<BoxInstance>,
    boxes: Vec<WireBox>,
    rectangles: Vec<Rectangle>,
    segments: Vec<Segment>,
    over_objects: Vec<Segment>,
}

impl Composer {
    /// Fills the lists from a snapshot, and returns a view of them. This takes time even without drawing.
    pub fn view<'a>(&'a mut self, snapshot: &Snapshot, key: &SceneKey) -> SceneView<'a> {
        let SceneKey { view: options, selection, camera, pixels_per_point, .. } = key;
        let theme = if key.dark { &Theme::DARK } else { &Theme::LIGHT };
        self.spheres.clear();
        self.bodies.clear();
        self.solid_boxes.clear();
        self.outlined_boxes.clear();
        self.boxes.clear();
        self.rectangles.clear();
        self.segments.clear();
        self.over_objects.clear();
        if options.shows(Row::Objects) {
            self.objects(snapshot, options, theme);
        }
        self.scene(snapshot, options, *selection, theme);
        let rails = Rails::of(snapshot, camera);
        let paint = Paint::new(snapshot, false, theme);
        for group in snapshot.drawing.groups(options) {
            self.add(group, options, &rails, &paint, theme, camera.eye());
        }
        SceneView {
            haze: Haze::across(snapshot.objects.space, camera, theme.haze),
            pixels_per_point: *pixels_per_point,
            spheres: &self.spheres,
            bodies: self.bodies.view(),
            solid_boxes: &self.solid_boxes,
            outlined_boxes: &self.outlined_boxes,
            triangles: options.triangles,
            shading: options.shows(Row::Shading),
            simplified: true,
            boxes: &self.boxes,
            rectangles: &self.rectangles,
            segments: &self.segments,
            over_objects: &self.over_objects,
            ..SceneView::new(*camera, theme)
        }
    }

    /// The objects in their colours: spheres or bodies of a scene, boxes of a recording.
    fn objects(&mut self, snapshot: &Snapshot, options: &View, theme: &Theme) {
        let paint = Paint::new(snapshot, shows_glow(snapshot, options), theme);
        if let Some(bodies) = &snapshot.objects.bodies {
            return self.bodies.fill(bodies, snapshot, &paint, &mut self.spheres);
        }
        let spheres = snapshot.objects.positions.iter().zip(&snapshot.objects.radii).enumerate();
        self.spheres.extend(spheres.map(|(object, (center, radius))| SphereInstance {
            center: center.to_array(),
            radius: *radius,
            color: paint.color(object),
        }));
        // An absent object has an empty box.
        let present =
            snapshot.objects.boxes.iter().enumerate().filter(|(_, bounds)| !bounds.is_empty());
        for (object, bounds) in present {
            let (min, max) = (bounds.min.to_array(), bounds.max.to_array());
            let instance = BoxInstance { min, max, color: paint.color(object) };
            // A solid box around others would hide them.
            match options.shows(Row::Outlines) || is_large(bounds, &snapshot.objects.space) {
                true => self.outlined_boxes.push(instance),
                false => self.solid_boxes.push(instance),
            }
        }
    }

    /// The sources and obstacles of a scene, and the vertical line that attracts or repels spheres, over its height.
    fn scene(&mut self, snapshot: &Snapshot, options: &View, selection: Selection, theme: &Theme) {
        let scene = &*snapshot.input.scene;
        if options.shows(Row::Sources) {
            let sources = snapshot.input.sources.iter();
            let is_beside = sources.len() > 1 && snapshot.shows_structure(options);
            let color = faint(theme.source, if is_beside { SOURCE_ASIDE } else { 1.0 });
            self.boxes.extend(sources.map(|(number, source)| {
                let (color, width) = match selection.source == Some(*number) {
                    true => (theme.selected_pane_edge, 2.5),
                    false => (color, 1.25),
                };
                WireBox { bounds: source.bounds(), color, width }
            }));
        }
        if options.shows(Row::Obstacles) {
            self.rectangles.extend(scene.obstacles.iter().enumerate().map(|(place, obstacle)| {
                let (fill, edge) = match selection.obstacle == Some(place) {
                    true => (theme.selected_pane, theme.selected_pane_edge),
                    false => (theme.pane, theme.pane_edge),
                };
                let (bounds, normal) = (obstacle.bounds(), obstacle.normal);
                Rectangle { bounds, normal, fill, is_glass: true, edge, width: 1.25 }
            }));
        }
        let held = (snapshot.input.hold != sim::Hold::None).then_some(scene.line);
        let bounds = scene.bounds();
        if let Some([x, y]) = selection.line.or(held).filter(|_| !bounds.is_empty()) {
            let over = 0.1 * bounds.size().z;
            self.segments.push(Segment {
                a: [x, y, bounds.min.z - over],
                b: [x, y, bounds.max.z + over],
                color: theme.selected_pane_edge,
                width: 3.0,
            });
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
        self.rectangles.extend(planes.map(|(bounds, normal, _, share, ink)| {
            let alpha = share * ink.map_or(options.plane_opacity, |_| 1.0);
            let [r, g, b, _] = color(ink.unwrap_or(Ink::Plane(*normal)));
            let with = |alpha: f32| [r, g, b, (alpha.clamp(0.0, 1.0) * 255.0).round() as u8];
            Rectangle {
                bounds: *bounds,
                normal: *normal,
                fill: with(alpha),
                is_glass: false,
                edge: with((alpha * PLANE_EDGE).min(MAX_PLANE_EDGE)),
                width: 1.0,
            }
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
