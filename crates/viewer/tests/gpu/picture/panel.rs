//! Pictures of the panels.

use crate::common::bench::Stage;
use crate::common::{crowded, drawing, row, session};
use crate::picture::pixels::assert_like_snapshot;
use broadphase::inspect::Overlay;
use egui_kittest::Harness;
use egui_kittest::wgpu::WgpuTestRenderer;
use egui_wgpu::{WgpuSetup, WgpuSetupExisting};
use viewer::gpu::Gpu;
use viewer::offscreen::Picture;
use viewer::simulation::{Notice, Order};
use viewer::view::ColorBy;

/// Draws a stage on a virtual screen of the given size.
fn draw(gpu: &Gpu, mut stage: Stage, [width, height]: [f32; 2]) -> Picture {
    let setup = WgpuSetup::Existing(WgpuSetupExisting {
        instance: gpu.instance.clone(),
        adapter: gpu.adapter.clone(),
        device: gpu.device.clone(),
        queue: gpu.queue.clone(),
    });
    let mut harness = Harness::builder()
        .with_size(egui::vec2(width, height))
        .renderer(WgpuTestRenderer::from_setup(setup))
        .with_theme(if stage.panel.dark { egui::Theme::Dark } else { egui::Theme::Light })
        .build_ui(|ui| stage.show(ui));
    harness.run();
    let drawn = harness.render().unwrap();
    let (width, height) = (drawn.width(), drawn.height());
    Picture { width, height, rgba: drawn.into_raw() }
}

pub(crate) fn snapshot(gpu: &Gpu) {
    let mut stage = Stage::new(session(crowded(), "kd-tree"));
    for step in 1..=20 {
        stage.step();
        stage.engine.obey(Order::Drawn(drawing(step, 12 * step, 1_500_000)));
    }
    stage.panel.view.set(Overlay::Planes, true);
    stage.look();
    stage.panel.toasts.push(Notice::Done("20 frames written".to_owned()), 0);
    assert_like_snapshot(&draw(gpu, stage, [1280.0, 720.0]), "panel", 24, 0.001);
}

pub(crate) fn everything_open(gpu: &Gpu) {
    let mut stage = Stage::new(session(crowded(), "bsp"));
    stage.panel.compare.open = true;
    stage.look();
    let others = ["brute-force", "kd-tree", "sap-matrix"].map(row);
    stage.engine.obey(Order::Compare(others.to_vec()));
    for _ in 0..20 {
        stage.step();
    }
    stage.panel.dark = false;
    stage.panel.editor.open = true;
    stage.panel.view.picked = Some(7);
    stage.panel.view.color = ColorBy::Tests;
    stage.look();
    assert_like_snapshot(&draw(gpu, stage, [1280.0, 720.0]), "everything_open", 24, 0.001);
}
