//! First contacts within a step: whether there are any, and the method that finds them.

use super::bodies::{choice, scientific};
use super::command::Command;
use super::format::{capitalised, compact};
use super::number_field::{NumberField, Typed};
use super::widgets::named;
use crate::session::Methods;
use crate::simulation::{Order, Snapshot};
use egui::{RichText, Ui};
use narrowphase::impact::{Exactness, ImpactMethod, MAX_SUBSTEPS, TIMES_OF_IMPACT};
use sim::Scene;
use sim::scene::Continuous;
use sim::stages::Tally;

/// The choice of the objects that collide at their first contact. Another choice restarts the scene.
pub(super) fn continuous(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let recipe = &snapshot.input.recipe;
    ui.horizontal(|ui| {
        ui.label("Continuous").on_hover_text(
            "Whether moving objects collide at their first contact within a step, instead of where they are at its end. \
             Another choice restarts the scene; Ctrl+Z takes it back",
        );
        for choice in Continuous::ALL {
            let meaning = match choice {
                Continuous::Off => "At the end of each step only: fast objects may pass others",
                Continuous::Bullets => {
                    "Bodies marked as bullets with all others, and all with static and kinematic ones"
                }
                Continuous::All => "All objects",
            };
            let button = ui.selectable_label(recipe.continuous == choice, choice.word());
            let button = named(button, &format!("Continuous: {}", choice.word()));
            if button.on_hover_text(meaning).clicked() && recipe.continuous != choice {
                let scene = Scene { continuous: choice, ..(**recipe).clone() };
                commands.push(Order::Generate(Box::new(scene)).into());
            }
        }
    });
}

/// The choice of the method, a row of the grid of methods.
pub(super) fn method(
    ui: &mut Ui,
    methods: Methods,
    typed: &mut Typed,
    commands: &mut Vec<Command>,
) {
    let chosen = methods.impact;
    let all = TIMES_OF_IMPACT.iter().map(|kind| {
        let exact = match kind.exactness {
            Exactness::Never => "\nInexact: what it misses is counted.",
            Exactness::Translation => "\nExact for bodies that do not rotate.",
            Exactness::ToTolerance => "",
        };
        let meaning = format!("{}.{exact}\n{}", capitalised(kind.summary), kind.source);
        (kind.name, kind.id, meaning, kind)
    });
    let mut now = chosen;
    if let Some(kind) = choice(ui, "First contact", chosen.kind.id, all) {
        now = ImpactMethod { kind, ..chosen };
    }
    if chosen.kind.has_substeps {
        ui.label("Substeps");
        let field = NumberField::new("Substeps", &mut now.substeps, 1..=MAX_SUBSTEPS);
        field.speed(0.1).when_left().show(ui, typed).on_hover_text("Static tests of a step");
        ui.end_row();
    }
    if now != chosen {
        commands.push(Order::Methods(Methods { impact: now, ..methods }).into());
    }
}

/// Figures of the method in the present step.
pub(super) fn figures(ui: &mut Ui, snapshot: &Snapshot) {
    let stages = snapshot.search.found.and_then(|found| found.stages);
    let tally = stages.and_then(|stages| Some((stages.impact?.tally, stages.times.impact_ns)));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let figures =
            tally.map_or(["–"; 4].map(str::to_owned), |(tally, ns)| of_tally(&tally, ns));
        for ((name, meaning), figure) in FIGURES.into_iter().zip(figures) {
            let text = RichText::new(format!("{name} {figure}")).small();
            ui.label(text).on_hover_text(format!("{meaning}, in this step"));
        }
    });
}

/// Names and meanings of a method's figures.
const FIGURES: [(&str, &str); 4] = [
    ("missed", "Contacts that the method does not find"),
    ("false", "Contacts that it finds where there are none"),
    ("error", "Mean difference of its times from the right ones, in seconds"),
    ("ns/pair", "Nanoseconds for each candidate"),
];

fn of_tally(tally: &Tally, ns: u64) -> [String; 4] {
    let error = tally.errors.mean().map_or("–".to_owned(), scientific);
    let count = |number: u64| compact(number as f64);
    let each = ns.checked_div(tally.tests).map_or("–".to_owned(), count);
    [count(tally.missed), count(tally.false_passed), error, each]
}
