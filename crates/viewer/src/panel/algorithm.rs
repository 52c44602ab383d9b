//! The choice of an algorithm: of a family, and of its variant.

use super::{Command, named};
use crate::simulation::Order;
use broadphase::{Algorithm, Kind};
use egui::{ComboBox, RichText, Ui};

/// Width of the list of variants in points.
const VARIANT_WIDTH: f32 = 72.0;

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
    ui.horizontal(|ui| {
        let label = ui.label("Algorithm");
        let beside = if variants.len() > 1 { VARIANT_WIDTH + 48.0 } else { 0.0 };
        let family = variants.first().copied().unwrap_or(current);
        let combo = ComboBox::from_id_salt("algorithm")
            .width(ui.available_width() - beside)
            .height(480.0)
            .truncate()
            .selected_text(family.name)
            .show_ui(ui, |ui| families(ui, rows, current, commands));
        combo.response.labelled_by(label.id).on_hover_text(format!(
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

/// The families by their kinds, each by its first row.
fn families(
    ui: &mut Ui,
    rows: &'static [Algorithm],
    current: &'static Algorithm,
    commands: &mut Vec<Command>,
) {
    for kind in Kind::ALL {
        let of_kind = || (1..).zip(rows).filter(|(_, row)| row.kind() == kind);
        if of_kind().next().is_none() {
            continue;
        }
        ui.label(RichText::new(kind.name()).small().weak());
        for (number, row) in of_kind() {
            if !is_first(rows, row) {
                continue;
            }
            // The keys reach nine; a figure space is as wide as a digit.
            let key = if number <= 9 { number.to_string() } else { "\u{2007}".to_owned() };
            let text = format!("{key}  {}", row.name);
            let chosen = ui.selectable_label(row.family() == current.family(), text);
            if chosen.on_hover_text(row.summary).clicked() {
                commands.push(Order::Algorithm(row).into());
            }
        }
    }
}

fn choose_variant(
    ui: &mut Ui,
    variants: &[&'static Algorithm],
    current: &'static Algorithm,
    commands: &mut Vec<Command>,
) {
    let name = |row: &Algorithm| row.variant().unwrap_or(PLAIN);
    let combo = ComboBox::from_id_salt("variant")
        .width(VARIANT_WIDTH)
        .truncate()
        .selected_text(name(current))
        .show_ui(ui, |ui| {
            for row in variants {
                let chosen = ui.selectable_label(std::ptr::eq(*row, current), name(row));
                if chosen.on_hover_text(row.summary).clicked() {
                    commands.push(Order::Algorithm(row).into());
                }
            }
        });
    named(combo.response, "Variant")
        .on_hover_text(format!("{}: {}", current.name, current.summary));
}

/// All rows of the family that an algorithm belongs to.
fn variants(rows: &'static [Algorithm], of: &Algorithm) -> Vec<&'static Algorithm> {
    rows.iter().filter(|row| row.family() == of.family()).collect()
}

fn is_first(rows: &[Algorithm], row: &Algorithm) -> bool {
    let first = rows.iter().find(|other| other.family() == row.family());
    first.is_some_and(|first| std::ptr::eq(first, row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::accesskit::Role;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    const fn row(id: &'static str, name: &'static str) -> Algorithm {
        Algorithm {
            id,
            name,
            summary: name,
            source: "this test",
            overlays: &[],
            memory: |_| 0,
            build: |_| unreachable!("nothing runs here"),
        }
    }

    static ROWS: [Algorithm; 12] = [
        row("brute-force", "Brute force"),
        row("bvh-a", "A"),
        row("bvh-a+fast", "A, fast"),
        row("bvh-a+slow", "A, slow"),
        row("grid-b", "B"),
        row("sap-c", "C"),
        row("sap-d", "D"),
        row("bsp-e", "E"),
        row("bvh-f", "F"),
        row("sap-g", "G"),
        row("sap-g+x", "G, x"),
        row("new-h", "H"),
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
    fn families_stand_under_their_kinds_with_the_keys_of_the_registry() {
        let mut harness = harness(0);
        open(&mut harness, "Algorithm");
        let texts: Vec<String> = harness
            .get_all_by_role(Role::Button)
            .filter_map(|button| button.accesskit_node().label())
            .collect();
        let key = |row: &str| format!("\u{2007}  {row}");
        let expected = [
            "1  Brute force".to_owned(),
            "6  C".to_owned(),
            "7  D".to_owned(),
            key("G"),
            "5  B".to_owned(),
            "8  E".to_owned(),
            "2  A".to_owned(),
            "9  F".to_owned(),
            key("H"),
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
        let right = alone.get_all_by_role(Role::ComboBox).map(|combo| combo.rect().right());
        assert!(right.fold(0.0, f32::max) <= 292.0, "wider than its panel");
        open(&mut alone, "Variant");
        assert_eq!(chosen(&mut alone, "slow"), "bvh-a+slow");
        open(&mut alone, "Variant");
        assert_eq!(chosen(&mut alone, "plain"), "bvh-a");
    }
}
