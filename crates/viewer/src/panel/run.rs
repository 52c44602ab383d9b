//! Group 2: the algorithm, start and stop, and the pace.

use super::algorithm;
use super::command::Command;
use super::format::compact;
use super::keys;
use super::parameters;
use super::widgets::named;
use crate::simulation::{Order, Pace, Snapshot};
use egui::{Button, Id, Label, RichText, Slider, Ui};
use sim::Edit;

/// Tooltip of *Validate every step*.
const VALIDATION: &str = "After each update every structure, including those compared, checks \
    its invariants. Measured times exclude the check, but it evicts the caches: rows of the step are \
    warm-up. Some checks compare all pairs of objects. If a check fails, the motion stops, and a message names the algorithm, \
    the step and the fault.";

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    algorithm::show(ui, snapshot.offered, snapshot.algorithm, commands);
    parameters::show(ui, snapshot, commands);
    steps(ui, snapshot, commands);
    pace(ui, snapshot, commands);
    let delay = snapshot.input.response_delay;
    if !delay.is_zero() && snapshot.motion.recording.is_none() {
        ui.label(format!("Delay of each response {} ms", delay.as_millis()))
            .on_hover_text(format!("Added to each collision response{}", keys::hint(keys::SLOWER)));
    }
    ui.horizontal(|ui| {
        let mut validate = snapshot.search.validate;
        let validate_box = ui.checkbox(&mut validate, "Validate every step");
        if validate_box.on_hover_text(VALIDATION).changed() {
            commands.push(Order::Validate(validate).into());
        }
        if let Some(recording) = snapshot.motion.recording {
            let mut loops = snapshot.engine.loops;
            let meaning =
                "Play the recording again after its last frame. Rows and charts are of one turn";
            if recording.frames.is_some()
                && ui.checkbox(&mut loops, "Loop").on_hover_text(meaning).changed()
            {
                commands.push(Order::Loop(loops).into());
            }
            return;
        }
        let mut strict = snapshot.input.scene.strict;
        let strict_box = ui.checkbox(&mut strict, "Objects strictly inside");
        if strict_box.on_hover_text("All objects stay inside the first source").changed() {
            commands.push(Order::Edit(Edit::Strict(strict)).into());
        }
    });
}

fn steps(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let at_end = snapshot.motion.recording.is_some_and(|recording| recording.at_end);
        let (text, meaning) = match (snapshot.engine.running, at_end) {
            (true, _) => ("Stop", "Stop the motion"),
            (false, false) => ("Start", "Start the motion"),
            (false, true) => ("Replay", "Play the recording again"),
        };
        let meaning = format!("{meaning}{}", keys::hint(keys::RUN));
        let toggle = ui.add_sized([60.0, 22.0], Button::new(text));
        if toggle.on_hover_text(meaning).clicked() {
            commands.push(Order::Run(!snapshot.engine.running).into());
        }
        let mut offer = |name: &str, enabled: bool, meaning: &str, key: &str, order: Order| {
            let button = ui.add_enabled(enabled, Button::new(name));
            let button = button.on_hover_text(format!("{meaning}{}", keys::hint(key)));
            if button.clicked() {
                commands.push(order.into());
            }
        };
        let steps_back = snapshot.motion.steps_back();
        let back = format!("One step back of {}", compact(steps_back as f64));
        offer("Back", steps_back > 0, &back, keys::BACK, Order::StepBack);
        let may_step = !snapshot.engine.running && !at_end;
        offer("Step", may_step, "One step", keys::STEP, Order::Step);
        let restart = match snapshot.motion.recording {
            None => "Restart the scene, with all edits",
            Some(_) => "Go to the first frame, with new structures",
        };
        offer("Restart", true, restart, keys::RESTART, Order::Restart);
        // Five digits have no room for decimals.
        let time = snapshot.motion.time;
        let time = if time < 99.995 { format!("{time:.2} s") } else { format!("{time:.0} s") };
        ui.add(Label::new(RichText::new(time).weak()).truncate())
            .on_hover_text("Simulated seconds");
    });
}

fn pace(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let unlimited = snapshot.engine.pace == Pace::Unlimited;
        // The chosen speed outlives a time without a limit.
        let chosen = Id::unique("chosen speed");
        let mut times = match snapshot.engine.pace {
            Pace::Times(times) => times,
            Pace::Unlimited => ui.data(|data| data.get_temp(chosen)).unwrap_or(1.0),
        };
        ui.data_mut(|data| data.insert_temp(chosen, times));
        ui.spacing_mut().item_spacing.x = 5.0;
        ui.spacing_mut().slider_width = 60.0;
        let shown = if unlimited { "–".to_owned() } else { format!("{times:.2}x") };
        ui.label(format!("Speed {shown}"));
        let slider = Slider::new(&mut times, Pace::RANGE).logarithmic(true).show_value(false);
        let slider = named(ui.add_enabled(!unlimited, slider), "Speed of time").on_hover_text(
            "Simulated seconds per second: slow motion to 4 times as fast, where the algorithm is \
             fast enough",
        );
        let slider = slider.on_disabled_hover_text("No limit: steps are taken as fast as possible");
        if slider.changed() {
            commands.push(Order::Pace(Pace::Times(times)).into());
        }
        let mut wanted = unlimited;
        if ui.checkbox(&mut wanted, "as fast as possible").changed() {
            let pace = if wanted { Pace::Unlimited } else { Pace::Times(times) };
            commands.push(Order::Pace(pace).into());
        }
    });
}
