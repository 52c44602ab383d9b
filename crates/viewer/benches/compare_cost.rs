//! Times a frame of the window with all algorithms compared, and without any.
//!
//! ```text
//! cargo bench -p viewer --bench compare_cost -- 2000
//! ```
//!
//! The scene has as many spheres in a cube, half of it full of their boxes. A frame is a step with its snapshot, which
//! one thread of the window takes, and the panels with their triangles, which another one lays out. A line has the
//! medians in milliseconds: the step without the compared searches, the snapshot, the panels, and all of them. The
//! comparison is closed, open without other algorithms, and open with all; the three take turns, block by block.

use broadphase::registry::{ALGORITHMS, find};
use measure::{Clock, MonotonicClock};
use sim::Scene;
use sim::scene::{Radius, Source};
use std::error::Error;
use std::sync::atomic::AtomicBool;
use viewer::panel::{self, PanelState, Status};
use viewer::session::{SearchTime, Session};
use viewer::simulation::{Engine, Order, Snapshot};

/// Steps of a block, of which the first are not counted, and blocks.
const STEPS: usize = 60;
const WARMUP: usize = 15;
const BLOCKS: usize = 5;

const PARTS: [&str; 4] = ["step", "snapshot", "panels", "all"];

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` adds `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let objects = arguments.next().map_or(Ok(2000), |number| number.parse())?;
    let clock: &'static MonotonicClock = Box::leak(Box::new(MonotonicClock::new()));
    let mut frames = [
        ("closed", Frames::new(objects, false, false, clock)?),
        ("open", Frames::new(objects, true, false, clock)?),
        ("all", Frames::new(objects, true, true, clock)?),
    ];
    for _ in 0..BLOCKS {
        for (_, frames) in &mut frames {
            frames.block();
        }
    }
    print!("{objects} objects, ms a frame; {:>10}", "compare");
    PARTS.iter().for_each(|part| print!(" {part:>9}"));
    println!(" {:>9} {:>9}", "ratio", "compared");
    let closed = frames[0].1.medians()?;
    for (name, frames) in &frames {
        let medians = frames.medians()?;
        print!("{:>41}", name);
        medians[..4].iter().for_each(|ns| print!(" {:>9.3}", *ns as f64 / 1e6));
        let ratio = medians[3] as f64 / closed[3].max(1) as f64;
        println!(" {ratio:>9.2} {:>9.3}", medians[4] as f64 / 1e6);
    }
    Ok(())
}

/// A scene in the panels of a window, and the nanoseconds of the parts of its frames.
struct Frames {
    engine: Engine,
    snapshot: Box<Snapshot>,
    panel: PanelState,
    context: egui::Context,
    clock: &'static dyn Clock,
    /// Those of [`PARTS`], and the compared searches.
    times: [Vec<u64>; 5],
}

impl Frames {
    fn new(
        objects: u32,
        open: bool,
        all: bool,
        clock: &'static dyn Clock,
    ) -> Result<Self, Box<dyn Error>> {
        let source = Source {
            corner: glam::Vec3::NEG_ONE,
            size: glam::Vec3::splat(2.0),
            percent: 100.0,
            floor: true,
        };
        // A box overlaps half of another one on average: n (2 side)³ is half of the cube's volume of 8.
        let side = (0.5 / objects as f32).cbrt();
        let scene = Scene {
            objects,
            radius: Radius::Equal(0.5 * side),
            sources: vec![source],
            ..Scene::default()
        };
        let entry = find("sweep-grid").ok_or("no such algorithm")?;
        let session = Session::new("spheres", &scene, entry, clock, None)?;
        let mut panel = PanelState::of_scene(&scene);
        panel.compare.open = open;
        let snapshot = Box::new(Snapshot::of(&session, &panel.view));
        let mut engine = Engine::new(session, clock, false);
        engine.obey(Order::View(panel.view));
        engine.obey(Order::Comparing(open));
        if all {
            engine.obey(Order::Compare(ALGORITHMS.iter().collect()));
        }
        let (context, times) = (egui::Context::default(), Default::default());
        Ok(Self { engine, snapshot, panel, context, clock, times })
    }

    fn block(&mut self) {
        for step in 0..STEPS {
            let began = self.clock.now_ns();
            self.engine.obey(Order::Step);
            self.engine.advance(&AtomicBool::new(false));
            let stepped = self.clock.now_ns();
            self.engine.snapshot(&mut self.snapshot);
            let copied = self.clock.now_ns();
            self.lay_out();
            let shown = self.clock.now_ns();
            let last = |times: &[SearchTime]| times.last().map_or(0, |time| time.phases.total_ns());
            let compared = self.snapshot.compared.iter().map(|other| last(&other.times)).sum();
            if step >= WARMUP {
                let parts = [stepped - began - compared, copied - stepped, shown - copied];
                let all = parts.iter().sum();
                let [step_ns, snapshot_ns, panels_ns] = parts;
                let frame = [step_ns, snapshot_ns, panels_ns, all, compared];
                self.times.iter_mut().zip(frame).for_each(|(times, ns)| times.push(ns));
            }
        }
    }

    fn lay_out(&mut self) {
        let Self { snapshot, panel, context, .. } = self;
        let status = Status {
            vsync: true,
            present_mode: "Fifo",
            fps: Some(60.0),
            adapter: "none",
            camera: snapshot.first_camera(),
            at_work: None,
            asking: false,
            measuring: None,
            recorded_pictures: None,
            shipped_scenes: &[],
            recent_scenes: &[],
        };
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 720.0));
        let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
        let mut output = context.run_ui(input, |ui| {
            panel::window(ui, panel, snapshot, &status, &mut Vec::new());
        });
        // There is no screen to upload them to.
        output.textures_delta.clear();
        context.tessellate(output.shapes, output.pixels_per_point);
    }

    fn medians(&self) -> Result<[u64; 5], Box<dyn Error>> {
        let mut medians = [0; 5];
        for (median, times) in medians.iter_mut().zip(&self.times) {
            *median = measure::median(&mut times.clone()).ok_or("no frame")?;
        }
        Ok(medians)
    }
}
