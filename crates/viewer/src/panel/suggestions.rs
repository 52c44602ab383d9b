//! A strip of things to try, each by one click.

use super::command::Command;
use super::guide::INTRODUCTION;
use super::state::PanelState;
use crate::simulation::{Order, Pace, Snapshot};
use broadphase::inspect::Overlay;
use broadphase::registry::Algorithm;
use egui::Ui;

/// Deepest level of planes that shows how a tree is adjusted; deeper ones hide it.
const DEPTH: u32 = 3;

/// The pace at which a tree is seen to adjust.
const SLOW: Pace = Pace::Times(0.5);

/// The object nearest to the middle of the scene: its box overlaps most others on an axis.
fn central(snapshot: &Snapshot) -> Option<u32> {
    let center = snapshot.objects.space.center();
    let distance = |position: &glam::Vec3| position.distance_squared(center);
    let objects = (0..).zip(&snapshot.objects.positions);
    let present = objects.filter(|(object, _)| snapshot.bounds_of(*object).is_some());
    present.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))).map(|(object, _)| object)
}

pub(super) fn show(
    ui: &mut Ui,
    state: &mut PanelState,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    let offered = snapshot.offered;
    let drive = |id| offered.find(id).map(Order::Algorithm);
    let mut orders = Vec::new();
    ui.horizontal_wrapped(|ui| {
        ui.label("Try:");
        let tree = ui.button("Watch a tree adjust").on_hover_text(
            "k-d tree: its planes flash as they move to the median of the objects. Restarts the scene at half speed",
        );
        if tree.clicked() {
            state.view.set(Overlay::Planes, true);
            (state.view.plane_depth, state.view.picked) = (DEPTH, None);
            // It is seen at the beginning alone, and slowly.
            orders.extend(drive("kd-tree").into_iter().chain([Order::Pace(SLOW), Order::Restart]));
        }
        let sweep = ui.button("See a sweep").on_hover_text(
            "Sort and sweep: the intervals of a picked object and those that overlap it on the axis",
        );
        if sweep.clicked() {
            state.view.set(Overlay::Endpoints, true);
            state.view.picked = central(snapshot);
            orders.extend(drive("sap-1-axis"));
        }
        let race = ui.button("Race them all");
        let meaning = "Every algorithm on the same boxes, step by step, with its time";
        if race.on_hover_text(meaning).clicked() {
            state.compare.open = true;
            let is_other =
                |row: &&Algorithm| row.id != snapshot.algorithm.id && row.unavailable.is_none();
            orders.push(Order::Compare(offered.families().filter(is_other).collect()));
        }
        state.introduction |= ui.button(INTRODUCTION).clicked();
        let close = super::widgets::named(ui.small_button("x"), "Close suggestions");
        if close.on_hover_text("Not again; ? brings them back").clicked() {
            commands.push(Command::Suggestions(false));
        }
    });
    if !orders.is_empty() && !snapshot.engine.running {
        orders.push(Order::Run(true));
    }
    commands.extend(orders.into_iter().map(Command::from));
}
