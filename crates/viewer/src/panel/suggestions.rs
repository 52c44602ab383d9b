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

/// Something to try.
struct Suggestion {
    name: &'static str,
    meaning: &'static str,
    /// The algorithm that it is about; `None` keeps the running one.
    algorithm: Option<&'static str>,
    /// It is seen at the beginning alone, and slowly.
    restarts: bool,
    show: fn(&mut PanelState, &Snapshot),
}

const SUGGESTIONS: [Suggestion; 3] = [
    Suggestion {
        name: "Watch a tree adjust",
        meaning: "k-d tree: its planes flash as they move to the median of the objects. Restarts the scene at half speed",
        algorithm: Some("kd-tree"),
        restarts: true,
        show: |state, _| {
            state.view.set(Overlay::Planes, true);
            state.view.plane_depth = DEPTH;
            state.view.picked = None;
        },
    },
    Suggestion {
        name: "See a sweep",
        meaning: "Sort and sweep: the intervals of a picked object and those that overlap it on the axis",
        algorithm: Some("sap-1-axis"),
        restarts: false,
        show: |state, snapshot| {
            state.view.set(Overlay::Endpoints, true);
            state.view.picked = central(snapshot);
        },
    },
    Suggestion {
        name: "Race them all",
        meaning: "Every algorithm on the same boxes, step by step, with its time",
        algorithm: None,
        restarts: false,
        show: |state, _| state.compare.open = true,
    },
];

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
    ui.horizontal_wrapped(|ui| {
        ui.label("Try:");
        for suggestion in &SUGGESTIONS {
            if ui.button(suggestion.name).on_hover_text(suggestion.meaning).clicked() {
                follow(suggestion, state, snapshot, commands);
            }
        }
        state.introduction |= ui.button(INTRODUCTION).clicked();
        let close = super::widgets::named(ui.small_button("x"), "Close suggestions");
        if close.on_hover_text("Not again; ? brings them back").clicked() {
            commands.push(Command::Suggestions(false));
        }
    });
}

fn follow(
    suggestion: &Suggestion,
    state: &mut PanelState,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    (suggestion.show)(state, snapshot);
    match suggestion.algorithm.and_then(|id| snapshot.offered.find(id)) {
        Some(row) => commands.push(Order::Algorithm(row).into()),
        None => {
            let is_other =
                |row: &&Algorithm| row.id != snapshot.algorithm.id && row.unavailable.is_none();
            commands.push(
                Order::Compare(snapshot.offered.families().filter(is_other).collect()).into(),
            );
        }
    }
    if suggestion.restarts {
        commands.extend([Order::Pace(SLOW).into(), Order::Restart.into()]);
    }
    if !snapshot.engine.running {
        commands.push(Order::Run(true).into());
    }
}
