//! The choice of an algorithm: a family, and its variant.

use super::command::Command;
use super::legend::sentences;
use super::widgets::named;
use crate::simulation::Order;
use broadphase::registry::{Algorithm, Algorithms, Kind};
use egui::{Align2, AtomExt as _, Button, ComboBox, Context, RichText, TextStyle, Ui, vec2};
use std::borrow::Cow;

/// Width of the list of variants in points.
const VARIANT_WIDTH: f32 = 140.0;

/// Width of the list of families in points, and of the names in it.
const LIST_WIDTH: f32 = 660.0;
const NAME_WIDTH: f32 = 204.0;

/// Height around the list of families, in points: the gap above it, its frame, and a rim below.
const LIST_MARGIN: f32 = 24.0;

/// Minimum height of the list of families in points: in a low window it is scrolled.
const MIN_LIST_HEIGHT: f32 = 160.0;

/// The name of a variant in the panels; `None` is the first algorithm of its family.
pub fn variant_name(variant: Option<&'static str>) -> &'static str {
    match variant {
        None => "standard",
        Some("sah") => "SAH split",
        Some("scalar") => "one pair at a time",
        Some(other) => other,
    }
}

/// The algorithm of a digit key: 0 is `auto`, others are the groups of the list. The key of the present group leads to
/// the next algorithm in it. `None` without such a group.
pub fn of_key(
    algorithms: Algorithms,
    digit: usize,
    current: &Algorithm,
) -> Option<&'static Algorithm> {
    let Some(group) = digit.checked_sub(1) else {
        return algorithms.find("auto");
    };
    let kind = kinds(algorithms).nth(group)?;
    let is_available = |entry: &&Algorithm| entry.kind == kind && entry.unavailable.is_none();
    let available: Vec<_> = algorithms.families().filter(is_available).collect();
    let present = available.iter().position(|entry| entry.family == current.family);
    let next = present.map_or(0, |present| (present + 1) % available.len());
    available.get(next).copied()
}

/// The kinds of the list, each of which has a key.
pub fn kinds(algorithms: Algorithms) -> impl Iterator<Item = Kind> {
    let has = move |kind: &Kind| algorithms.families().any(|entry| entry.kind == *kind);
    Kind::ALL.into_iter().filter(has)
}

/// Offers `algorithms`; `current` may be an algorithm outside of them, as in tests.
pub(super) fn show(
    ui: &mut Ui,
    algorithms: Algorithms,
    current: &'static Algorithm,
    commands: &mut Vec<Command>,
) {
    let variants = variants(algorithms, current);
    let family = variants.first().copied().unwrap_or(current);
    ui.horizontal(|ui| {
        let gap = ui.spacing().item_spacing.x;
        let variant_width = if variants.len() > 1 { VARIANT_WIDTH + gap } else { 0.0 };
        let width = ui.available_width() - variant_width;
        let combo = ui.scope(|ui| {
            // A combo box grows with a long name up to the width available.
            ui.set_max_width(width);
            ComboBox::from_id_salt("algorithm")
                .width(width)
                .height(list_height(ui))
                .truncate()
                .selected_text(family.name)
                .show_ui(ui, |ui| families(ui, algorithms, current, commands))
        });
        named(combo.inner.response, "Algorithm").on_hover_text(format!(
            "{}\n{}\n{}\nKeys 1 to {}: the groups of the list; again: the next one of the group; 0: auto",
            sentences(current),
            current.source,
            current.id,
            kinds(algorithms).count()
        ));
        if variants.len() > 1 {
            choose_variant(ui, &variants, current, commands);
        }
    });
}

/// Lets lists be as tall as the window: egui's default height does not depend on it.
pub(super) fn allow_tall_lists(ctx: &Context) {
    let height = ctx.content_rect().height();
    if ctx.global_style().spacing.default_area_size.y != height {
        ctx.global_style_mut(|style| style.spacing.default_area_size.y = height);
    }
}

/// Height of the list of families in points: all of the window below the combo box.
fn list_height(ui: &Ui) -> f32 {
    let below = ui.ctx().content_rect().bottom() - ui.cursor().top() - ui.spacing().interact_size.y;
    (below - LIST_MARGIN).max(MIN_LIST_HEIGHT)
}

/// The families by their kinds, each as its first algorithm.
fn families(
    ui: &mut Ui,
    algorithms: Algorithms,
    current: &'static Algorithm,
    commands: &mut Vec<Command>,
) {
    // Tight, so that the whole list fits in a window of 720 points.
    ui.spacing_mut().item_spacing.y = 1.0;
    // Wider than the panel: the list extends over the scene.
    ui.set_min_width(LIST_WIDTH.min(ui.ctx().content_rect().width() - 2.0 * LIST_MARGIN));
    for (key, kind) in (1..).zip(kinds(algorithms)) {
        ui.label(RichText::new(format!("{key}  {}", kind.name())).small().weak());
        for algorithm in algorithms.families().filter(|entry| entry.kind == kind) {
            let is_chosen = algorithm.family == current.family;
            let (summary, offered) = (summary(algorithm), algorithm.unavailable.is_none());
            let entry = entry(ui, is_chosen, algorithm.name, &summary);
            if named(ui.add_enabled(offered, entry), algorithm.name).clicked() {
                commands.push(Order::Algorithm(algorithm).into());
            }
        }
    }
}

/// An entry of the list: a name, and beside it what the algorithm does.
fn entry<'a>(ui: &Ui, is_chosen: bool, name: &'a str, summary: &'a str) -> Button<'a> {
    let height = ui.text_style_height(&TextStyle::Button);
    let name = name.atom_size(vec2(NAME_WIDTH, height)).atom_align(Align2::LEFT_CENTER);
    let summary = RichText::new(summary).small().weak().atom_grow(true).atom_shrink(true);
    Button::selectable(is_chosen, (name, summary.atom_align(Align2::LEFT_CENTER))).truncate()
}

/// The summary of an algorithm, or why it does not run here.
fn summary(algorithm: &Algorithm) -> Cow<'static, str> {
    match algorithm.unavailable {
        None => algorithm.summary.into(),
        Some(reason) => format!("Unavailable: {reason}").into(),
    }
}

fn choose_variant(
    ui: &mut Ui,
    variants: &[&'static Algorithm],
    current: &'static Algorithm,
    commands: &mut Vec<Command>,
) {
    let name = |algorithm: &Algorithm| variant_name(algorithm.variant);
    let combo = ComboBox::from_id_salt("variant")
        .width(VARIANT_WIDTH)
        .truncate()
        .selected_text(name(current))
        .show_ui(ui, |ui| {
            for algorithm in variants {
                let is_chosen = *algorithm == current;
                let entry = Button::selectable(is_chosen, name(algorithm));
                let chosen = ui.add_enabled(algorithm.unavailable.is_none(), entry);
                let meaning = format!("{}\n{}", summary(algorithm), algorithm.id);
                let chosen = chosen.on_hover_text(&*meaning).on_disabled_hover_text(&*meaning);
                if chosen.clicked() {
                    commands.push(Order::Algorithm(algorithm).into());
                }
            }
        });
    named(combo.response, "Variant")
        .on_hover_text(format!("{}: {}\n{}", current.name, current.summary, current.id));
}

/// All algorithms of the family of `of`.
fn variants(algorithms: Algorithms, of: &Algorithm) -> Vec<&'static Algorithm> {
    algorithms.iter().filter(|algorithm| algorithm.family == of.family).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::registry::ALGORITHMS;
    use egui::accesskit::Role;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    /// All algorithms, and one that is unavailable.
    fn offered() -> Algorithms {
        let build = |_: &_| unreachable!("no algorithm is created here");
        let entry = |id, kind| Algorithm::new(id, kind, build);
        let absent = Algorithm {
            name: "Absent",
            summary: "absent",
            unavailable: Some("no adapter"),
            ..entry("gpu-j", Kind::Grid)
        };
        ALGORITHMS.with(&[absent])
    }

    struct Choice {
        current: &'static Algorithm,
        commands: Vec<Command>,
    }

    /// The choice with its list open.
    fn open(offered: Algorithms, id: &str) -> Harness<'static, Choice> {
        let mut harness = Harness::builder().with_size(egui::vec2(300.0, 900.0)).build_ui_state(
            move |ui, choice: &mut Choice| show(ui, offered, choice.current, &mut choice.commands),
            Choice { current: offered.find(id).unwrap(), commands: Vec::new() },
        );
        harness.run();
        harness.get_all_by_role(Role::ComboBox).next().unwrap().click();
        harness.run();
        harness
    }

    #[test]
    fn families_are_listed_by_kind_with_its_key() {
        let (offered, mut expected) = (offered(), Vec::new());
        let mut harness = open(offered, "bsp");
        for (key, kind) in (1..).zip(Kind::ALL) {
            harness.get_by_role_and_label(Role::Label, &format!("{key}  {}", kind.name()));
            let families = offered.families().filter(|entry| entry.kind == kind);
            expected.extend(families.map(|entry| entry.name.to_owned()));
        }
        let listed = harness.get_all_by_role(Role::Button);
        let listed: Vec<_> = listed.filter_map(|entry| entry.accesskit_node().label()).collect();
        assert_eq!(listed, expected);
        let absent = harness.get_by_role_and_label(Role::Button, "Absent");
        assert!(absent.accesskit_node().is_disabled());
        absent.click();
        harness.run();
        assert!(harness.state().commands.is_empty());
        assert_eq!(summary(offered.find("gpu-j").unwrap()), "Unavailable: no adapter");
    }

    #[test]
    fn digit_keys_reach_every_family_and_auto() {
        let offered = offered();
        let mut current = offered.reference();
        let mut reached = Vec::new();
        for digit in 1..=kinds(offered).count() {
            for _ in offered.families() {
                current = of_key(offered, digit, current).unwrap();
                reached.push(current.id);
            }
        }
        let missed: Vec<_> =
            offered.families().map(|entry| entry.id).filter(|id| !reached.contains(id)).collect();
        assert_eq!(missed, ["gpu-j"], "it is unavailable");
        assert_eq!(of_key(offered, 0, current).unwrap().id, "auto");
        assert!(of_key(offered, 9, current).is_none());
    }

    #[test]
    fn variant_has_one_name_in_all_panels() {
        for Algorithm { id, name, variant, .. } in ALGORITHMS {
            let own = variant.map(|of| format!(", {}", variant_name(Some(of))));
            assert!(own.is_none_or(|own| name.ends_with(&own)), "{id}: {name} in the legend");
        }
    }
}
