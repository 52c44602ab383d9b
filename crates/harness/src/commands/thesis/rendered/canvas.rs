//! The picture that every frame is rendered into, and how spheres are drawn there.

use crate::commands::thesis::drawn::{sources, spheres};
use sim::World;
use sim::scene::Triangles;
use viewer::camera::OrbitCamera;
use viewer::gpu::Gpu;
use viewer::offscreen::{Offscreen, OffscreenError};
use viewer::scene_renderer::{Antialiasing, SceneView, SphereInstance, Theme, WireBox};

/// Size of the rendered picture, pixels: a usual window in 2008.
const WIDTH: u32 = 800;
const HEIGHT: u32 = 600;

/// How the spheres are drawn.
#[derive(Clone, Copy)]
pub(super) struct Look {
    triangles: Triangles,
    shading: bool,
}

/// The look of E1, and the baseline of E5 and E6.
pub(super) const PLAIN: Look = Look { triangles: Triangles::Twenty, shading: false };
/// The look of E5 with more triangles.
pub(super) const FINE: Look = Look { triangles: Triangles::Eighty, shading: false };
/// The look of E6 with shading.
pub(super) const SHADED: Look = Look { triangles: Triangles::Twenty, shading: true };

/// The picture that every frame is rendered into.
pub(super) struct Canvas {
    offscreen: Offscreen,
    spheres: Vec<SphereInstance>,
    boxes: Vec<WireBox>,
}

impl Canvas {
    /// Without anti-aliasing: it would count as rendering, and the thesis had none.
    pub(super) fn new(gpu: &Gpu) -> Result<Self, OffscreenError> {
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let offscreen = Offscreen::with_settings(gpu, WIDTH, HEIGHT, format, Antialiasing::Off)?;
        Ok(Self { offscreen, spheres: Vec::new(), boxes: Vec::new() })
    }

    /// Renders the world's spheres and sources, and waits until it is done.
    pub(super) fn draw(&mut self, world: &World, look: Look) -> Result<(), OffscreenError> {
        let theme = &Theme::DARK;
        self.spheres.clear();
        self.spheres.extend(spheres(world, theme));
        self.boxes.clear();
        self.boxes.extend(sources(world, theme, 1.0));
        let camera = OrbitCamera::from_pose(world.scene().camera);
        self.offscreen.submit(&SceneView {
            spheres: &self.spheres,
            boxes: &self.boxes,
            triangles: look.triangles,
            shading: look.shading,
            ..SceneView::new(camera, theme)
        });
        self.offscreen.finish()
    }
}
