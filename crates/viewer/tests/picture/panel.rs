//! The panel, drawn.

use crate::common::{crowded, session, steps};
use crate::pixels::assert_like_snapshot;
use egui_kittest::Harness;
use egui_kittest::wgpu::WgpuTestRenderer;
use egui_wgpu::{WgpuSetup, WgpuSetupExisting};
use viewer::gpu::Gpu;
use viewer::offscreen::Picture;
use viewer::panel::{self, Notice, PanelState, Status};

pub(crate) fn snapshot(gpu: &Gpu) {
    let mut session = session(crowded(), "kd-tree");
    for _ in 0..20 {
        steps(&mut session, 1);
        session.drawn(1_500_000);
    }
    let mut state = PanelState::of_scene(session.scene());
    state.draw.planes = true;
    let notice = Notice::Done("20 frames written".to_owned());
    let status = Status {
        running: true,
        vsync: false,
        adapter: "Some adapter [Vulkan, software]",
        notice: Some(&notice),
    };
    let setup = WgpuSetup::Existing(WgpuSetupExisting {
        instance: gpu.instance.clone(),
        adapter: gpu.adapter.clone(),
        device: gpu.device.clone(),
        queue: gpu.queue.clone(),
    });
    let mut harness = Harness::builder()
        .with_size(egui::vec2(panel::WIDTH, 720.0))
        .renderer(WgpuTestRenderer::from_setup(setup))
        .build_ui(|ui| panel::show(ui, &mut state, &session, &status, &mut Vec::new()));
    harness.run();
    let drawn = harness.render().unwrap();
    let (width, height) = (drawn.width(), drawn.height());
    let picture = Picture { width, height, rgba: drawn.into_raw() };
    assert_like_snapshot(&picture, "panel", 24, 0.001);
}
