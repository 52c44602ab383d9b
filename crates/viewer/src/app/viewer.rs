//! The viewer in a window or in a page: the model, its pictures, and how long they take.

use super::frame_rate::FrameRate;
use super::model::Model;
use super::scene_picture;
use super::scene_texture::SceneTexture;
use super::title::Title;
use crate::composer::{Composer, SceneKey};
use crate::gpu::Gpu;
use crate::offscreen::{Fetched, OffscreenError, Studio};
use crate::panel::NOTICEABLE;
use crate::session::{Drawing, MotionState};
use crate::simulation::Order;
use eframe::{CreationContext, Frame};
use egui::{Color32, Context, Pos2, Rect, Shape, Theme, Ui};
use egui_wgpu::SurfaceConfig;
use measure::Clock;
use std::path::PathBuf;
use std::sync::mpsc::TryRecvError;
use std::time::Duration;
use wgpu::PresentMode;

/// The next picture follows at once. After a longer time than none, egui draws one and not two.
pub(super) const SOON: Duration = Duration::from_nanos(1);

/// Time between two pictures while a long step runs, for the seconds that they show.
const BUSY_EVERY: Duration = Duration::from_millis(250);

/// The model, and the state of drawing.
pub(super) struct Viewer {
    pub(super) model: Model,
    pub(super) screen: Option<Screen>,
    pub(super) gpu: Gpu,
    adapter: String,
    composer: Composer,
    /// The state that the last picture of the scene shows; `None` once there is a newer snapshot.
    shown: Option<SceneKey>,
    /// Draws pictures for files, while they are of the same size.
    studio: Option<Studio>,
    /// The picture that the user exports, until it is drawn.
    exported: Option<(PathBuf, Fetched)>,
    frame_rate: FrameRate,
    /// When the picture was begun that [`follow`](Self::follow) has not followed.
    pub(super) begun_ns: Option<u64>,
    /// The last picture, until the time that it took is known.
    drawn: Option<Drawing>,
    title: Title,
    pub(super) clock: &'static dyn Clock,
}

/// Where it is shown.
pub(super) struct Screen {
    pub(super) context: Context,
    texture: SceneTexture,
    /// The part that the panels left to the scene, in pixels.
    scene: [u32; 2],
    set_title: Box<dyn Fn(&str)>,
}

impl Viewer {
    pub(super) fn new(model: Model, gpu: Gpu, clock: &'static dyn Clock) -> Self {
        Self {
            model,
            screen: None,
            adapter: gpu.adapter_summary().to_string(),
            gpu,
            composer: Composer::default(),
            shown: None,
            studio: None,
            exported: None,
            frame_rate: FrameRate::default(),
            begun_ns: None,
            drawn: None,
            title: Title::default(),
            clock,
        }
    }

    /// Begins on a screen that is open, but not shown yet. Returns whether eframe draws on a device.
    pub(super) fn begin(
        &mut self,
        created: &CreationContext<'_>,
        set_title: impl Fn(&str) + 'static,
    ) -> bool {
        let Some(panels) = &created.wgpu_render_state else { return false };
        self.model.offer_edits();
        let context = &created.egui_ctx;
        // egui would close the window before its last orders are carried out.
        context.options_mut(|options| options.quit_shortcuts.clear());
        // The screen is cleared in the colour of panels. Where the CPU draws, that takes much less time than to paint them: a
        // picture with all algorithms compared took 48 ms instead of 74.
        context.all_styles_mut(|style| style.visuals.panel_fill = Color32::TRANSPARENT);
        self.screen = Some(Screen {
            context: context.clone(),
            texture: SceneTexture::new(&self.gpu, panels.clone()),
            scene: [1, 1],
            set_title: Box::new(set_title),
        });
        true
    }

    /// Draws the view into a picture of its own, with smooth edges.
    fn draw_picture(&mut self) -> Result<Fetched, OffscreenError> {
        let Some(screen) = &self.screen else {
            return Err(OffscreenError::Gpu("the window is not open".to_owned()));
        };
        let panel = &self.model.panel;
        let (size, factor) = panel.picture.size_of(screen.scene);
        let key = self.model.scene_key(screen.context.pixels_per_point() * factor);
        let studio = match &mut self.studio {
            Some(studio) if studio.size() == size => studio,
            other => other.insert(Studio::new(&self.gpu, size)?),
        };
        let (composer, snapshot) = (&mut self.composer, &self.model.snapshot);
        let legend = panel.picture.legend;
        Ok(scene_picture::draw(studio, composer, snapshot, key, panel, legend))
    }

    /// Draws the picture that the user exports, and that of the step of a sequence.
    fn export_pictures(&mut self) {
        // One at a time: pictures of a size share the buffer that they are fetched by.
        if self.exported.is_none()
            && let Some(path) = self.model.picture_path.take()
        {
            match self.draw_picture() {
                Ok(drawn) => self.exported = Some((path, drawn)),
                Err(error) => self.model.write_picture(&path, Err(error.to_string())),
            }
            // A page cannot wait. An error is that of the picture, which is fetched below.
            #[cfg(not(target_family = "wasm"))]
            let _ = self.gpu.device.poll(wgpu::PollType::wait_indefinitely());
        }
        if let Some((path, drawn)) = self.exported.take() {
            match (drawn.try_recv(), &self.screen) {
                (Err(TryRecvError::Empty), Some(screen)) => {
                    // It is fetched by the work of a later picture of the page.
                    screen.context.request_repaint_after(SOON);
                    self.exported = Some((path, drawn));
                }
                (drawn, _) => {
                    let drawn = drawn.map_err(|error| error.to_string());
                    let picture = drawn.and_then(|of| of.map_err(|error| error.to_string()));
                    self.model.write_picture(&path, picture);
                }
            }
        }
        if self.model.is_picture_due() {
            let drawn = self.draw_picture();
            let picture = drawn.and_then(|drawn| match &self.studio {
                Some(studio) => studio.finish(&drawn),
                None => Err(OffscreenError::Gpu("the picture was not drawn".to_owned())),
            });
            self.model.add_picture(picture.map_err(|error| error.to_string()));
        } else if !self.model.records_pictures() {
            self.studio = None;
        }
    }

    /// Draws one picture: the newest snapshot with the panels.
    pub(super) fn picture(&mut self, ui: &mut Ui, frame: &mut Frame) {
        self.begun_ns.get_or_insert(self.clock.now_ns());
        if let Some(drawing) = self.drawn.take() {
            self.report_drawing(drawing, frame);
        }
        self.model.obey_all();
        if self.model.take_snapshot() {
            self.shown = None;
        }
        self.model.finish_files();
        // Before the panels, which say how that ended.
        self.export_pictures();
        self.draw(ui, frame);
    }

    /// Reports how long the last picture took. The scene's own time on the GPU may be that of one before.
    fn report_drawing(&mut self, drawing: Drawing, frame: &Frame) {
        let (Some(screen), Some(seconds)) = (&self.screen, frame.info().cpu_usage) else {
            return;
        };
        let render_ns = (f64::from(seconds) * 1e9) as u64 + screen.texture.gpu_ns();
        self.model.simulation.order(Order::Drawn(Drawing { render_ns, ..drawing }));
    }

    /// Draws the panels, and the scene if its picture has changed.
    fn draw(&mut self, ui: &mut Ui, frame: &mut Frame) {
        ui.ctx().set_theme(if self.model.panel.dark { Theme::Dark } else { Theme::Light });
        frame.set_wgpu_surface_config(surface(self.model.settings.vsync));
        let now_ns = self.clock.now_ns();
        self.model.camera.ease(now_ns);
        let fps = self.frame_rate.per_second(now_ns);
        // Below all that is laid out.
        let place = ui.painter().add(Shape::Noop);
        let scale = ui.pixels_per_point();
        let rect = self.model.show(ui, fps, &self.adapter);
        let Some(screen) = &mut self.screen else { return };
        let window = ui.ctx().viewport_rect().size() * scale;
        let rect = in_pixels(rect, scale, [window.x, window.y].map(|side| side.round() as u32));
        screen.scene = [rect.width() as u32, rect.height() as u32];
        let key = self.model.scene_key(scale);
        if self.shown != Some(key) || screen.texture.is_lost(screen.scene) {
            self.shown = Some(key);
            let scene = self.composer.view(&self.model.snapshot, &key);
            screen.texture.draw(screen.scene, &scene);
        }
        ui.painter().set(place, screen.texture.shape(rect / scale));
        self.model.update_view();
    }

    /// Notes that a picture is presented, and shows its title. Returns when there is another one, unless a snapshot or an
    /// event comes first, or a panel asks for it.
    fn presented(&mut self, begun_ns: u64) -> Option<Duration> {
        let presented_ns = self.clock.now_ns();
        self.frame_rate.picture(begun_ns, presented_ns);
        let MotionState { epoch, steps: step, .. } = self.model.snapshot.motion;
        self.drawn = Some(Drawing { epoch, step, presented_ns, render_ns: 0 });
        let fps = self.frame_rate.per_second(presented_ns);
        let title = self.title.next(&self.model.snapshot, fps, presented_ns);
        if let (Some(title), Some(screen)) = (title, &self.screen) {
            (screen.set_title)(&title);
        }
        // Commands of the last picture are carried out with the next one.
        if self.model.camera.is_moving() || !self.model.commands.is_empty() {
            return Some(SOON);
        }
        let next = |busy: Duration| NOTICEABLE.saturating_sub(busy).max(BUSY_EVERY);
        let busy = self.model.simulation.at_work().map(|work| next(work.busy_for));
        // One more picture, without a frame rate: nothing is drawn after it.
        let idle = fps.and_then(|_| self.frame_rate.valid_for(presented_ns));
        [busy, idle].into_iter().flatten().min()
    }

    /// Follows pictures and files. Returns how long until this is to be called again.
    pub(super) fn follow(&mut self) -> Option<Duration> {
        let files = self.model.keep_files(self.clock.now_ns());
        // A message about them is to be seen.
        let problem = files.filter(Duration::is_zero).map(|_| SOON);
        let next = self.begun_ns.take().and_then(|begun_ns| self.presented(begun_ns));
        if let (Some(wait), Some(screen)) = (problem.or(next), &self.screen) {
            screen.context.request_repaint_after(wait);
        }
        files
    }
}

/// A rectangle of points in whole pixels, within a window of that size and never without area.
fn in_pixels(rect: Rect, scale: f32, [width, height]: [u32; 2]) -> Rect {
    let pixels = |points: f32, most: u32| (points * scale).round().clamp(0.0, most as f32);
    let left = pixels(rect.left(), width.saturating_sub(1));
    let top = pixels(rect.top(), height.saturating_sub(1));
    let (right, bottom) = (pixels(rect.right(), width), pixels(rect.bottom(), height));
    Rect::from_min_max(
        Pos2::new(left, top),
        Pos2::new(right.max(left + 1.0), bottom.max(top + 1.0)),
    )
}

/// How the surface presents, with low latency behind the mouse. Where the CPU draws, frames in advance would be slow ones.
pub(super) fn surface(vsync: bool) -> SurfaceConfig {
    // Every surface offers Fifo. The other one is a mode without waiting if there is one.
    let present_mode = if vsync { PresentMode::Fifo } else { PresentMode::AutoNoVsync };
    SurfaceConfig { present_mode, desired_maximum_frame_latency: Some(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangle_in_pixels_lies_in_the_window_and_has_an_area() {
        let rect = |x: [f32; 2], y: [f32; 2]| Rect::from_x_y_ranges(x[0]..=x[1], y[0]..=y[1]);
        for (points, scale, window, expected) in [
            (
                rect([10.0, 485.25], [0.0, 360.0]),
                2.0,
                [1280, 720],
                rect([20.0, 971.0], [0.0, 720.0]),
            ),
            (
                rect([700.0, 600.0], [-5.0, -9.0]),
                2.0,
                [1280, 720],
                rect([1279.0, 1280.0], [0.0, 1.0]),
            ),
            (rect([8.0, -7.0], [8.0, -40.0]), 1.0, [1, 1], rect([0.0, 1.0], [0.0, 1.0])),
        ] {
            assert_eq!(in_pixels(points, scale, window), expected);
        }
    }
}
