//! The running algorithm in words: its idea, its cost, what to watch for, and what it decided in the last step.

use super::alternatives;
use super::marks::{hint, line};
use crate::panel::format::{capitalised, compact, counted};
use crate::panel::state::PanelState;
use crate::panel::widgets::named;
use crate::simulation::Snapshot;
use broadphase::registry::Algorithm;
use egui::{CollapsingHeader, RichText, Ui};

/// Idea, cost and what to watch for, in three sentences. What an entry lacks is left out.
pub(crate) fn sentences(algorithm: &Algorithm) -> String {
    let mut text = format!("{}.", capitalised(algorithm.summary));
    cost_and_watch(algorithm).for_each(|sentence| text += &format!("\n{sentence}"));
    text
}

fn cost_and_watch(algorithm: &Algorithm) -> impl Iterator<Item = String> {
    [("Time of a step: ", algorithm.cost), ("Watch for ", algorithm.watch_for)]
        .into_iter()
        .filter(|(_, part)| !part.is_empty())
        .map(|(before, part)| format!("{before}{part}."))
}

/// The work of the last step in a line: from all pairs to those that were found, then the algorithm's own kinds of work;
/// `None` before a search.
fn counts(snapshot: &Snapshot) -> Option<String> {
    let found = snapshot.search.found.filter(|_| snapshot.search.searched)?;
    let n = snapshot.objects.present as u64;
    let pairs = n * n.saturating_sub(1) / 2;
    let all = counted(pairs as usize, "pair");
    let tests = counted(found.tests as usize, "test");
    let candidates = counted(found.pairs as usize, "candidate");
    let again = if found.tests > pairs { " (a pair in several places counts in each)" } else { "" };
    let mut line = format!("This step: {all} -> {tests}{again} -> {candidates}");
    let [of_cached, copied] = snapshot.drawing.cached.map(|pairs| pairs as u64);
    let kept = found.pairs.saturating_sub(found.tests);
    if (1..=found.pairs).contains(&copied) {
        line += &format!(", {} of them of two resting objects", compact(copied as f64));
    } else if kept > 0 {
        line += &format!(", at least {} of them from earlier steps", compact(kept as f64));
    }
    if let Some(others) = found.tests.checked_sub(of_cached).filter(|_| of_cached > 0) {
        // The work of a cache has two parts.
        let [of_cached, others] = [of_cached, others].map(|number| compact(number as f64));
        return Some(format!("{line}. Tests: {of_cached} of cached pairs, {others} of searches."));
    }
    for (place, work) in snapshot.search.work.iter().enumerate() {
        let before = if place == 0 { "; " } else { ", " };
        line += &format!("{before}{}: {}", work.name, compact(work.count as f64));
    }
    Some(line + ".")
}

/// The algorithm's name, and the buttons of the guide and of the sentences.
pub(super) fn title(ui: &mut Ui, explains: bool, state: &mut PanelState, snapshot: &Snapshot) {
    // On a line of its own: variants differ in the end of the name.
    ui.label(RichText::new(snapshot.algorithm.name).strong());
    ui.horizontal(|ui| {
        let guide = named(ui.small_button("Guide"), "Guide");
        if guide.on_hover_text("All about this algorithm: idea, cost, source").clicked() {
            state.guide = !state.guide;
        }
        let (text, meaning) = match explains {
            true => ("Less", "Only the colours"),
            false => ("More", "Idea, cost and what to watch for"),
        };
        if ui.small_button(text).on_hover_text(meaning).clicked() {
            state.explains = Some(!explains);
        }
    });
}

/// The algorithm's idea, the work of the step, and what was decided in it.
pub(super) fn idea(ui: &mut Ui, snapshot: &Snapshot) {
    line(ui, format!("{}.", capitalised(snapshot.algorithm.summary)));
    if let Some(counts) = counts(snapshot) {
        hint(ui, &counts);
    }
    if snapshot.search.alternatives.is_empty() {
        remarks(ui, snapshot);
    }
}

/// The decisions in the step, with their numbers.
fn remarks(ui: &mut Ui, snapshot: &Snapshot) {
    snapshot.search.remarks.iter().for_each(|remark| hint(ui, remark));
}

/// Other ways to answer the step, cost and what to watch for.
pub(super) fn more(ui: &mut Ui, snapshot: &Snapshot) {
    ui.separator();
    let alternatives = &snapshot.search.alternatives;
    if !alternatives.is_empty() {
        // An algorithm that is none of its alternatives does nothing but choose.
        let own = snapshot.algorithm.name;
        let chooses = alternatives.iter().all(|other| !own.starts_with(other.name));
        let header = CollapsingHeader::new("Does a cache pay?").id_salt(own);
        let header = header.default_open(chooses);
        header.show(ui, |ui| {
            alternatives::show(ui, alternatives);
            remarks(ui, snapshot);
        });
    }
    cost_and_watch(snapshot.algorithm).for_each(|sentence| line(ui, sentence));
}
