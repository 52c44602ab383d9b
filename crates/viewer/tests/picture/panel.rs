//! The panels, drawn.

use crate::common::bench::Stage;
use crate::common::{crowded, session};
use crate::pixels::assert_like_snapshot;
use egui_kittest::Harness;
use egui_kittest::wgpu::WgpuTestRenderer;
use egui_wgpu::{WgpuSetup, WgpuSetupExisting};
use viewer::gpu::Gpu;
use viewer::offscreen::Picture;
use viewer::simulation::{Notice, Order};

/// Draws a stage on a screen of the given size.
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
        .build_ui(|ui| {
            stage.show(ui);
        });
    harness.run();
    let drawn = harness.render().unwrap();
    let (width, height) = (drawn.width(), drawn.height());
    Picture { width, height, rgba: drawn.into_raw() }
}

pub(crate) fn snapshot(gpu: &Gpu) {
    let mut stage = Stage::new(session(crowded(), "kd-tree"));
    for step in 1..=20 {
        stage.step();
        stage.engine.obey(Order::Drawn { step, render_ns: 1_500_000 });
    }
    stage.panel.draw.planes = true;
    stage.look();
    stage.notices.push(Notice::Done("20 frames written".to_owned()));
    assert_like_snapshot(&draw(gpu, stage, [1280.0, 720.0]), "panel", 24, 0.001);
}
