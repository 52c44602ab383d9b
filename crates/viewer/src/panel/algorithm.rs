//! The choice of an algorithm: of a family, and of its variant.

use super::{Command, named};
use crate::simulation::Order;
use broadphase::{Algorithm, Kind};
use egui::{ComboBox, Context, RectAlign, Response, RichText, Tooltip, Ui};

/// Width of the list of variants in points.
const VARIANT_WIDTH: f32 = 72.0;

/// What the list of families has around it in points: the gap above it, its frame, and a rim below.
const LIST_MARGIN: f32 = 24.0;

/// Between an entry of a list and what explains it, in points: the rim of the list and a little more.
const LIST_GAP: f32 = 12.0;

/// The list of families is at least so high, in points: in a low window it is scrolled.
const LEAST_LIST_HEIGHT: f32 = 160.0;

/// What the first row of a family is called beside its variants.
const PLAIN: &str = "plain";

/// Lets choose among `rows`; `current` may be another one, as in tests.
pub(super) fn show(
    ui: &mut Ui,
    rows: &'static [Algorithm],
    current: &'static Algorithm,
    commands: &mut Vec<Command>,
) {
    let variants = variants(rows, current);
    let family = variants.first().copied().unwrap_or(current);
    ui.horizontal(|ui| {
        let gap = ui.spacing().item_spacing.x;
        let beside = if variants.len() > 1 { VARIANT_WIDTH + gap } else { 0.0 };
        let width = ui.available_width() - beside;
        let combo = ui.scope(|ui| {
            // A combo box grows with a long name up to what its place has.
            ui.set_max_width(width);
            ComboBox::from_id_salt("algorithm")
                .width(width)
                .height(room_for_list(ui))
                .truncate()
                .selected_text(family.name)
                .show_ui(ui, |ui| families(ui, rows, current, commands))
        });
        named(combo.inner.response, "Algorithm").on_hover_text(format!(
            "{}\n{}\nKeys 1 to {}",
            current.summary,
            current.source,
            rows.len().min(9)
        ));
        if variants.len() > 1 {
            choose_variant(ui, &variants, current, commands);
        }
    });
}

/// Lets lists be as high as the window: else they end at a height that has nothing to do with it.
pub(super) fn allow_high_lists(ctx: &Context) {
    let height = ctx.content_rect().height();
    if ctx.global_style().spacing.default_area_size.y != height {
        ctx.global_style_mut(|style| style.spacing.default_area_size.y = height);
    }
}

/// Height of the list of families in points: as much as the window has below the row that opens it.
fn room_for_list(ui: &Ui) -> f32 {
    let below = ui.ctx().content_rect().bottom() - ui.cursor().top() - ui.spacing().interact_size.y;
    (below - LIST_MARGIN).max(LEAST_LIST_HEIGHT)
}

/// The families by their kinds, each by its first row.
fn families(
    ui: &mut Ui,
    rows: &'static [Algorithm],
    current: &'static Algorithm,
    commands: &mut Vec<Command>,
) {
    // Tight, so that the whole list stands in a window of 720 points.
    ui.spacing_mut().item_spacing.y = 1.0;
    let numbered = || (1..).zip(rows.iter().filter(|row| is_first(rows, row)));
    for kind in Kind::ALL {
        let of_kind = || numbered().filter(|(_, row)| row.kind == kind);
        if of_kind().next().is_none() {
            continue;
        }
        ui.label(RichText::new(kind.name()).small().weak());
        for (number, row) in of_kind() {
            // The keys reach nine; a figure space is as wide as a digit.
            let key = if number <= 9 { number.to_string() } else { "\u{2007}".to_owned() };
            let text = format!("{key}  {}", row.name);
            let chosen = ui.selectable_label(row.family == current.family, text);
            explain(&chosen, &meaning(rows, row));
            if chosen.clicked() {
                commands.push(Order::Algorithm(row).into());
            }
        }
    }
}

/// What a family does, and the variants that it has.
fn meaning(rows: &'static [Algorithm], family: &Algorithm) -> String {
    let variants: Vec<&str> = variants(rows, family).iter().filter_map(|row| row.variant).collect();
    if variants.is_empty() {
        family.summary.to_owned()
    } else {
        format!("{}\nVariants: {}", family.summary, variants.join(", "))
    }
}

/// Explains an entry of a list beside it, where no other entry is hidden by that.
fn explain(entry: &Response, text: &str) {
    entry.ctx.accesskit_node_builder(entry.id, |node| node.set_description(text));
    let mut tooltip = Tooltip::for_enabled(entry);
    tooltip.popup = tooltip.popup.align(RectAlign::LEFT);
    tooltip.gap(LIST_GAP).show(|ui| ui.label(text));
}

fn choose_variant(
    ui: &mut Ui,
    variants: &[&'static Algorithm],
    current: &'static Algorithm,
    commands: &mut Vec<Command>,
) {
    let name = |row: &Algorithm| row.variant.unwrap_or(PLAIN);
    let combo = ComboBox::from_id_salt("variant")
        .width(VARIANT_WIDTH)
        .truncate()
        .selected_text(name(current))
        .show_ui(ui, |ui| {
            for row in variants {
                let chosen = ui.selectable_label(std::ptr::eq(*row, current), name(row));
                explain(&chosen, row.summary);
                if chosen.clicked() {
                    commands.push(Order::Algorithm(row).into());
                }
            }
        });
    named(combo.response, "Variant")
        .on_hover_text(format!("{}: {}", current.name, current.summary));
}

/// All rows of the family that an algorithm belongs to.
fn variants(rows: &'static [Algorithm], of: &Algorithm) -> Vec<&'static Algorithm> {
    rows.iter().filter(|row| row.family == of.family).collect()
}

fn is_first(rows: &[Algorithm], row: &Algorithm) -> bool {
    let first = rows.iter().find(|other| other.family == row.family);
    first.is_some_and(|first| std::ptr::eq(first, row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::accesskit::Role;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    const fn row(id: &'static str, name: &'static str, kind: Kind) -> Algorithm {
        let build = |_: &_| unreachable!("nothing runs here");
        Algorithm { name, summary: name, source: "this test", ..Algorithm::new(id, kind, build) }
    }

    const fn variant(
        id: &'static str,
        variant: &'static str,
        name: &'static str,
        of: &Algorithm,
    ) -> Algorithm {
        Algorithm { id, variant: Some(variant), name, summary: name, ..*of }
    }

    const A: Algorithm = row("bvh-a", "A", Kind::BoxTree);
    const G: Algorithm = row("sap-g", "G", Kind::Sorting);
    const H: Algorithm = row("new-h", LONG, Kind::Other);

    /// A name that is wider than any panel.
    const LONG: &str = "H, which is called by all its names, and by those of its makers";

    static ROWS: [Algorithm; 14] = [
        row("brute-force", "Brute force", Kind::AllPairs),
        A,
        variant("bvh-a+fast", "fast", "A, fast", &A),
        variant("bvh-a+slow", "slow", "A, slow", &A),
        row("grid-b", "B", Kind::Grid),
        row("sap-c", "C", Kind::Sorting),
        row("sap-d", "D", Kind::Sorting),
        row("bsp-e", "E", Kind::SpaceTree),
        row("bvh-f", "F", Kind::BoxTree),
        G,
        variant("sap-g+x", "x", "G, x", &G),
        H,
        variant("new-h+x", "x", "H, x", &H),
        row("new-i", "I", Kind::Other),
    ];

    struct Choice {
        current: &'static Algorithm,
        commands: Vec<Command>,
    }

    fn harness(current: usize) -> Harness<'static, Choice> {
        let mut harness = Harness::builder().with_size(egui::vec2(300.0, 600.0)).build_ui_state(
            |ui, choice: &mut Choice| show(ui, &ROWS, choice.current, &mut choice.commands),
            Choice { current: &ROWS[current], commands: Vec::new() },
        );
        harness.run();
        harness
    }

    fn open(harness: &mut Harness<'static, Choice>, name: &str) {
        let found = harness.get_all_by_role(Role::ComboBox);
        let combo = found.into_iter().find(|c| c.accesskit_node().label().as_deref() == Some(name));
        combo.unwrap().click();
        harness.run();
    }

    fn chosen(harness: &mut Harness<'static, Choice>, entry: &str) -> &'static str {
        harness.get_by_role_and_label(Role::Button, entry).click();
        harness.run();
        match harness.state_mut().commands.pop() {
            Some(Command::Order(Order::Algorithm(row))) => row.id,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn families_stand_under_their_kinds_with_their_keys() {
        let mut harness = harness(0);
        open(&mut harness, "Algorithm");
        let texts: Vec<String> = harness
            .get_all_by_role(Role::Button)
            .filter_map(|button| button.accesskit_node().label())
            .collect();
        let long = format!("9  {LONG}");
        let expected = [
            "1  Brute force",
            "4  C",
            "5  D",
            "8  G",
            "3  B",
            "6  E",
            "2  A",
            "7  F",
            &long,
            "\u{2007}  I",
        ];
        assert_eq!(texts, expected);
        for kind in Kind::ALL {
            harness.get_by_role_and_label(Role::Label, kind.name());
        }
        assert_eq!(chosen(&mut harness, "2  A"), "bvh-a");
    }

    #[test]
    fn variants_are_offered_where_the_family_has_any() {
        let mut alone = harness(0);
        assert_eq!(alone.get_all_by_role(Role::ComboBox).count(), 1);
        alone.state_mut().current = &ROWS[2];
        alone.run();
        let values: Vec<_> =
            alone.get_all_by_role(Role::ComboBox).map(|combo| combo.value().unwrap()).collect();
        assert_eq!(values, ["A", "fast"], "the family by its first row");
        open(&mut alone, "Variant");
        assert_eq!(chosen(&mut alone, "slow"), "bvh-a+slow");
        open(&mut alone, "Variant");
        assert_eq!(chosen(&mut alone, "plain"), "bvh-a");
    }

    #[test]
    fn the_choice_is_as_wide_as_its_panel_however_long_a_name_is() {
        for current in [0, 2, 11] {
            let harness = harness(current);
            let boxes = harness.get_all_by_role(Role::ComboBox).map(|combo| combo.rect());
            let all = boxes.reduce(|a, b| a | b).unwrap();
            assert_eq!((all.left(), all.right()), (8.0, 292.0), "{}", ROWS[current].id);
        }
    }
}
