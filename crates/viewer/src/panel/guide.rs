//! Windows with parts of `docs/algorithms.md`: the algorithm's section, and the introduction.

use super::state::PanelState;
use crate::simulation::Snapshot;
use broadphase::registry::Algorithm;
use egui::{Align2, ScrollArea, Ui, Window};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};

/// The page, as it was when the program was built.
const PAGE: &str = include_str!("../../../../docs/algorithms.md");

/// Title of the introduction, and text of the buttons that open it.
pub(super) const INTRODUCTION: &str = "What is a broad phase?";

/// Width of the window in points.
const WIDTH: f32 = 460.0;

/// Height around the text, in points: the title, the frame, and a gap to the window's edges.
const MARGIN: f32 = 90.0;

pub(super) fn show(ui: &Ui, state: &mut PanelState, snapshot: &Snapshot) {
    let algorithm = snapshot.algorithm;
    let title = format!("Guide: {}", algorithm.family);
    let lacking = || "docs/algorithms.md does not describe this algorithm.".to_owned();
    page(ui, "guide", &title, &mut state.guide, || section(algorithm).unwrap_or_else(lacking));
    page(ui, "introduction", INTRODUCTION, &mut state.introduction, introduction);
}

/// Shows a text in a window.
fn page(ui: &Ui, id: &str, title: &str, open: &mut bool, text: impl FnOnce() -> String) {
    if !*open {
        return;
    }
    let space = ui.ctx().content_rect();
    Window::new(title)
        .id(egui::Id::unique(id))
        .open(open)
        .pivot(Align2::LEFT_TOP)
        .default_pos(space.left_top() + egui::vec2(16.0, 16.0))
        .default_width(WIDTH.min(space.width() - 40.0))
        .resizable(true)
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            let height = (space.height() - MARGIN).max(80.0);
            // Without pictures nothing is worth keeping from one frame to the next.
            ScrollArea::vertical().max_height(height).show(ui, |ui| {
                CommonMarkViewer::new().show(ui, &mut CommonMarkCache::default(), &text());
            });
        });
}

/// The introduction: the page from its second paragraph to its first table.
fn introduction() -> String {
    let text = PAGE.split_once("\n| ").map_or(PAGE, |(before, _)| before);
    let paragraphs = text.trim().split("\n\n").skip(2);
    without_links(&paragraphs.collect::<Vec<_>>().join("\n\n"))
}

/// The section of an algorithm's family, without its heading, pictures and their captions. Links become text: their
/// targets are other pages.
fn section(algorithm: &Algorithm) -> Option<String> {
    let heading = format!("\n### `{}`\n", algorithm.family);
    let start = PAGE.find(&heading)? + heading.len();
    let text = &PAGE[start..];
    let end = ["\n### ", "\n## "].iter().filter_map(|next| text.find(next)).min();
    let is_shown = |paragraph: &&str| !paragraph.starts_with("![") && !is_caption(paragraph);
    let paragraphs = text[..end.unwrap_or(text.len())].trim().split("\n\n").filter(is_shown);
    Some(without_links(&paragraphs.collect::<Vec<_>>().join("\n\n")))
}

/// Captions are the paragraphs in italics.
fn is_caption(paragraph: &str) -> bool {
    paragraph.starts_with('*') && !paragraph.starts_with("**") && !paragraph.starts_with("* ")
}

/// Replaces each `[text](target)` by its text.
fn without_links(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some(middle) = rest.find("](") {
        let (before, after) = rest.split_at(middle);
        let (Some(open), Some(close)) = (before.rfind('['), after.find(')')) else { break };
        plain += &before[..open];
        plain += &before[open + 1..];
        rest = &after[close + 1..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::registry::ALGORITHMS;

    #[test]
    fn every_algorithm_has_a_section_without_pictures_and_links() {
        for entry in ALGORITHMS {
            let text = section(entry).unwrap_or_else(|| panic!("{} has no section", entry.id));
            for part in ["**Idea.**", "**Cost.**", "**Wins**", "**Loses**", "**Source.**"] {
                assert_eq!(text.matches(part).count(), 1, "{}: {part}", entry.id);
            }
            assert!(!text.contains("![") && !text.contains("]("), "{}: {text}", entry.id);
            assert!(!text.contains("\n#") && !text.starts_with('#'), "{}", entry.id);
        }
    }

    #[test]
    fn introduction_explains_broad_phase_and_kinds_of_algorithms() {
        let text = introduction();
        for part in ["A *broad phase*", "**Sorting**", "**Grids**", "**Trees of boxes**"] {
            assert_eq!(text.matches(part).count(), 1, "{part}: {text}");
        }
        assert!(text.starts_with("10,000 boxes") && !text.contains('|'), "{text}");
    }

    /// The window shows one section alone.
    #[test]
    fn first_sentence_of_a_section_names_no_other_algorithm() {
        // `auto` is a choice between others.
        for entry in ALGORITHMS.families().filter(|entry| entry.id != "auto") {
            let text = section(entry).unwrap();
            let idea = text.strip_prefix("**Idea.** ").unwrap().replace('\n', " ");
            let first = idea.split_once(". ").unwrap().0;
            let others =
                ALGORITHMS.families().filter(|other| first.contains(&format!("`{}`", other.id)));
            assert_eq!(others.count(), 0, "{}: {first}", entry.id);
            assert!(!first.to_lowercase().contains("the same"), "{}: {first}", entry.id);
        }
    }

    #[test]
    fn links_become_their_text() {
        assert_eq!(without_links("a [b](c) d [e](f), g"), "a b d e, g");
        assert_eq!(without_links("a[0] and (b)"), "a[0] and (b)");
    }
}
