//! What a session looks like: its spheres, boxes, obstacles and planes as a renderer takes them.

use crate::camera::OrbitCamera;
use crate::scene_renderer::{Color, Haze, Pane, Plane, SceneView, SphereInstance, Theme, WireBox};
use crate::session::Session;
use broadphase::{DebugDraw, SplitPlane};
use sim::scene::Triangles;

/// What is drawn, as the panel's switches say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOptions {
    /// The spheres.
    pub objects: bool,
    /// The sources' edges.
    pub sources: bool,
    /// The obstacles.
    pub obstacles: bool,
    /// The tree's planes, where the algorithm has a tree.
    pub planes: bool,
    /// Planes down to this depth; the root's has depth 0.
    pub plane_depth: u32,
    /// Spheres are lit.
    pub shading: bool,
    /// Spheres that have just hit another glow.
    pub hits: bool,
    /// How finely spheres are drawn.
    pub triangles: Triangles,
}

impl DrawOptions {
    /// Everything but the planes, in the way the scene asks for.
    pub fn of_scene(scene: &sim::Scene) -> Self {
        Self {
            objects: true,
            sources: true,
            obstacles: true,
            planes: false,
            plane_depth: 3,
            shading: scene.shading,
            hits: true,
            triangles: scene.triangles,
        }
    }
}

/// Makes what a renderer takes of what a session is; keeps its lists from frame to frame.
#[derive(Debug, Default)]
pub struct Composer {
    spheres: Vec<SphereInstance>,
    boxes: Vec<WireBox>,
    panes: Vec<Pane>,
    planes: Vec<Plane>,
}

impl Composer {
    /// Fills the lists from a session, and gives the view of them.
    pub fn view<'a>(
        &'a mut self,
        session: &Session,
        options: &DrawOptions,
        camera: OrbitCamera,
        theme: &'a Theme,
        pixels_per_point: f32,
    ) -> SceneView<'a> {
        self.spheres.clear();
        self.boxes.clear();
        self.panes.clear();
        self.planes.clear();
        let world = session.world();
        let scene = world.scene();
        if options.objects {
            let spheres = world.positions().iter().zip(world.radii()).enumerate();
            self.spheres.extend(spheres.map(|(object, (center, radius))| {
                let glow = if options.hits { session.hit_glow(object) } else { 0.0 };
                let color = mix(theme.sphere(object), theme.hit, glow);
                SphereInstance { center: center.to_array(), radius: *radius, color }
            }));
        }
        if options.sources {
            let sources = scene.sources.iter();
            self.boxes.extend(sources.map(|source| WireBox {
                bounds: source.bounds(),
                color: theme.source,
                width: 1.25,
            }));
        }
        if options.obstacles {
            let panes = scene.obstacles.iter();
            self.panes.extend(panes.map(|obstacle| Pane {
                bounds: obstacle.bounds(),
                normal: obstacle.normal,
                selected: false,
            }));
        }
        if options.planes {
            let mut collect =
                CollectPlanes { planes: &mut self.planes, deepest: options.plane_depth };
            session.structure().debug_draw(&mut collect);
        }
        SceneView {
            haze: Haze::across(scene.bounds(), &camera, theme.haze),
            pixels_per_point,
            spheres: &self.spheres,
            triangles: options.triangles,
            shading: options.shading,
            boxes: &self.boxes,
            panes: &self.panes,
            planes: &self.planes,
            ..SceneView::new(camera, theme)
        }
    }
}

struct CollectPlanes<'a> {
    planes: &'a mut Vec<Plane>,
    deepest: u32,
}

impl DebugDraw for CollectPlanes<'_> {
    fn plane(&mut self, plane: SplitPlane) {
        if plane.depth <= self.deepest {
            // Deeper planes are smaller and many: each hides less.
            let alpha = 0.2 * 0.86f32.powi(plane.depth as i32);
            self.planes.push(Plane::of_split(&plane, alpha));
        }
    }
}

/// A colour on the way from `a` to `b`.
fn mix(a: Color, b: Color, share: f32) -> Color {
    std::array::from_fn(|i| (f32::from(a[i]) * (1.0 - share) + f32::from(b[i]) * share) as u8)
}
