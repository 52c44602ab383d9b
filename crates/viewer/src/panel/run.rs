//! Group 2: the algorithm, start and stop, and the pace.

use super::algorithm;
use super::command::Command;
use super::parameters;
use super::widgets::named;
use crate::simulation::{Order, Pace, Snapshot};
use egui::{Button, Id, Label, RichText, Slider, Ui};
use sim::Edit;

/// Tooltip of *Validate every step*.
const VALIDATION: &str = "After each update every structure, including those compared, checks \
    its invariants. Measured times exclude the check, but a step takes longer: some checks compare \
    all pairs of objects. If a check fails, the motion stops, and a message names the algorithm, \
    the step and the fault.";

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    algorithm::show(ui, snapshot.offered, snapshot.algorithm, commands);
    parameters::show(ui, snapshot, commands);
    steps(ui, snapshot, commands);
    pace(ui, snapshot, commands);
    let delay = snapshot.input.response_delay;
    if !delay.is_zero() && snapshot.motion.recording.is_none() {
        ui.label(format!("Delay of each response {} ms", delay.as_millis()))
            .on_hover_text("Added to each collision response (keys - and +)");
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
            (true, _) => ("Stop", "Keys S and space"),
            (false, false) => ("Start", "Keys S and space"),
            (false, true) => ("Replay", "Play the recording again (keys S and space)"),
        };
        let toggle = ui.add_sized([60.0, 22.0], Button::new(text));
        if toggle.on_hover_text(meaning).clicked() {
            commands.push(Order::Run(!snapshot.engine.running).into());
        }
        let mut offer = |name: &str, enabled: bool, meaning: &str, order: Order| {
            let button = ui.add_enabled(enabled, Button::new(name)).on_hover_text(meaning);
            if button.clicked() {
                commands.push(order.into());
            }
        };
        let back =
            format!("One step back (key ,); {} can be taken back", snapshot.motion.steps_back());
        offer("Back", snapshot.motion.steps_back() > 0, &back, Order::StepBack);
        offer("Step", !snapshot.engine.running && !at_end, "One step (key .)", Order::Step);
        let restart = match snapshot.motion.recording {
            None => "Restart the scene, with all edits (key R)",
            Some(_) => "Go to the first frame, with new structures (key R)",
        };
        offer("Restart", true, restart, Order::Restart);
        ui.add(Label::new(RichText::new(seconds(snapshot.motion.time)).weak()).truncate())
            .on_hover_text("Simulated seconds");
    });
}

/// Simulated time in at most seven characters. Five digits have no room for the unit.
fn seconds(time: f64) -> String {
    match time {
        ..99.995 => format!("{time:.2} s"),
        ..999.995 => format!("{time:.2}"),
        ..99_999.5 => format!("{time:.0} s"),
        _ => format!("{time:.0e} s"),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_time_is_never_cut_off() {
        let times = [0.0, 99.99, 123.94, 999.99, 1234.5, 99_999.0, 3.2e6].map(seconds);
        let expected = ["0.00 s", "99.99 s", "123.94", "999.99", "1234 s", "99999 s", "3e6 s"];
        assert_eq!(times, expected);
    }
}
