//! Fields for numbers. Refused text is reported.

use egui::emath::Numeric;
use egui::text::CCursorRange;
use egui::{DragValue, Id, Response, TextEdit, Tooltip, Ui, vec2};
use sim::scene::{shortest_number as exact, spelling_help};
use std::cell::RefCell;
use std::ops::RangeInclusive;

/// The largest number of a scene file, in magnitude.
const LARGEST: f32 = 1e12;

/// Any number that a scene file can hold.
pub(super) const ANY: RangeInclusive<f32> = -LARGEST..=LARGEST;

/// A length that a scene file can hold.
pub(super) const LENGTH: RangeInclusive<f32> = 0.0..=LARGEST;

/// A number that is dragged or typed.
///
/// Text that is no number, or one out of range, is refused: the field returns to its previous number, and says why until the
/// next click or number.
pub(super) struct NumberField<'a, N> {
    name: &'a str,
    value: &'a mut N,
    range: RangeInclusive<N>,
    speed: f64,
    prefix: &'a str,
    suffix: &'a str,
    width: f32,
    late: bool,
    held: bool,
}

/// State of a field that is edited, or whose text was refused. It is kept by egui.
#[derive(Clone, Default)]
struct Typing {
    /// Its number before.
    before: f64,
    /// Why its text is refused.
    refusal: Option<String>,
}

impl<'a, N: Numeric> NumberField<'a, N> {
    /// A field of this name, in messages and for screen readers.
    pub(super) fn new(name: &'a str, value: &'a mut N, range: RangeInclusive<N>) -> Self {
        let (width, late, held) = (0.0, false, false);
        Self { name, value, range, speed: 0.01, prefix: "", suffix: "", width, late, held }
    }

    /// Change of the number per point of dragging.
    pub(super) fn speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    /// Text before the number while it is not edited.
    pub(super) fn prefix(self, prefix: &'a str) -> Self {
        Self { prefix, ..self }
    }

    /// Text after the number while it is not edited.
    pub(super) fn suffix(self, suffix: &'a str) -> Self {
        Self { suffix, ..self }
    }

    /// Minimum width in points.
    pub(super) fn width(self, width: f32) -> Self {
        Self { width, ..self }
    }

    /// Takes typed numbers once the field is left, instead of at each key.
    pub(super) fn when_left(self) -> Self {
        Self { late: true, ..self }
    }

    /// Takes a dragged number once it is released, too.
    pub(super) fn when_released(self) -> Self {
        Self { late: true, held: true, ..self }
    }

    /// Lays the field out.
    pub(super) fn show(self, ui: &mut Ui) -> Response {
        let Self { name, value, range, speed, prefix, suffix, width, late, held } = self;
        let (id, before) = (ui.next_auto_id(), value.to_f64());
        let dragged = ui.data_mut(|data| data.remove_temp(id.with("dragged")));
        let mut shown = dragged.map_or(*value, N::from_f64);
        let parsed = RefCell::new(None);
        let context = ui.ctx().clone();
        let mut field = DragValue::new(&mut shown)
            .range(range.clone())
            .speed(speed)
            .prefix(prefix)
            .suffix(suffix)
            .min_size(vec2(width, ui.spacing().interact_size.y))
            .clip_text(true)
            .update_while_editing(!late)
            .custom_parser(|text| {
                let number = parse(text, &range);
                let found = number.as_ref().ok().copied();
                parsed.replace(Some(number.err()));
                found
            });
        if !N::INTEGRAL {
            // All digits while the field is edited: untouched text must keep its number.
            let edited = move || context.memory(|memory| memory.has_focus(id));
            field = field.custom_formatter(move |number, _| {
                let number = number as f32;
                if edited() { exact(number) } else { short(number) }
            });
        }
        let response = ui.add(field);
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(name));
        if held && response.dragged() {
            ui.data_mut(|data| data.insert_temp(id.with("dragged"), shown.to_f64()));
            return response;
        }
        // That drag ended while the field was not laid out.
        if dragged.is_some() && !response.drag_stopped() {
            return response;
        }
        *value = shown;
        if response.clicked() && !N::INTEGRAL {
            select_all(ui, id, &exact(value.to_f64() as f32));
        }
        let known = ui.data_mut(|data| data.remove_temp::<Typing>(id));
        let begun = response.gained_focus().then_some(Typing { before, refusal: None });
        let Some(mut typing) = begun.or(known) else { return response };
        typing.refusal = parsed.into_inner().unwrap_or(typing.refusal);
        let is_edited = response.has_focus();
        if let Some(refusal) = typing.refusal.as_ref().filter(|_| !is_edited) {
            if response.lost_focus() {
                *value = N::from_f64(typing.before);
            }
            let kept = exact(value.to_f64() as f32);
            let message = format!("{name}: {refusal}; {kept} is kept");
            let color = ui.visuals().warn_fg_color;
            Tooltip::for_widget(&response).show(|ui| ui.colored_label(color, message));
        }
        let is_new = value.to_f64() != before || ui.input(|input| input.pointer.any_pressed());
        if is_edited || response.lost_focus() || (typing.refusal.is_some() && !is_new) {
            ui.data_mut(|data| data.insert_temp(id, typing));
        }
        response
    }
}

/// The number of a text, or why it is refused.
fn parse<N: Numeric>(text: &str, range: &RangeInclusive<N>) -> Result<f64, String> {
    let text = text.trim();
    let (least, most) = (range.start().to_f64(), range.end().to_f64());
    let number: Option<f64> = text.replace('−', "-").parse().ok();
    let fits =
        |number: &f64| (least..=most).contains(number) && (!N::INTEGRAL || number.fract() == 0.0);
    number.filter(fits).ok_or_else(|| {
        let kind = if N::INTEGRAL { "whole number" } else { "number" };
        let [least, most] = [least, most].map(|bound| exact(bound as f32));
        let found = if text.is_empty() { "nothing".to_owned() } else { quote(text) };
        let help = spelling_help(text, N::INTEGRAL).filter(|_| number.is_none());
        let help = help.map_or(String::new(), |help| format!(" ({help})"));
        format!("expected a {kind} from {least} to {most}, found {found}{help}")
    })
}

/// The beginning of a text, in quotation marks.
fn quote(text: &str) -> String {
    match text.char_indices().nth(24) {
        Some((end, _)) => format!("“{}…”", &text[..end]),
        None => format!("“{text}”"),
    }
}

/// At most eight characters, for a number that is not edited.
pub(super) fn short(number: f32) -> String {
    let exact = exact(number);
    if exact.len() <= 8 {
        return exact;
    }
    let decimals = match number.abs() {
        size if !(1e-3..1e6).contains(&size) => return format!("{number:.1e}"),
        size if size < 10.0 => 4,
        size if size < 100.0 => 3,
        size if size < 1e3 => 2,
        size if size < 1e4 => 1,
        _ => return format!("{number:.0}"),
    };
    let rounded = format!("{number:.decimals$}");
    rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Selects the whole text of a field before it is edited.
fn select_all(ui: &Ui, field: Id, text: &str) {
    let mut state = TextEdit::load_state(ui.ctx(), field).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::select_all_str(text)));
    state.store(ui.ctx(), field);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_numbers_are_short_and_edited_ones_exact() {
        for (number, shown) in [
            (0.0, "0"),
            (-0.935, "-0.935"),
            (0.120_000_005, "0.12"),
            (-9.123_456, "-9.1235"),
            (-123.456_79, "-123.46"),
            (-1e12, "-1e12"),
            (1.234_567_9e-10, "1.2e-10"),
            (-345_678.9, "-345679"),
        ] {
            assert_eq!(short(number), shown);
            assert_eq!(exact(number).parse(), Ok(number));
        }
    }

    #[test]
    fn invalid_text_is_refused_with_the_expectation() {
        assert_eq!(parse(" 1e3 ", &ANY), Ok(1000.0));
        assert_eq!(parse("−0.5", &ANY), Ok(-0.5));
        let help = " (a number is written as `1000`, `-0.5` or `1e3`)";
        let comma = " (a comma neither groups digits, nor begins decimals, nor separates numbers: ";
        for (text, help) in [("-1", ""), ("1,000", comma), ("1_000", help), ("1 000", help)] {
            let refusal = parse(text, &LENGTH).unwrap_err();
            let expected = format!("expected a number from 0 to 1e12, found “{text}”{help}");
            assert!(refusal.starts_with(&expected), "{refusal}");
        }
        assert_eq!(
            parse("2.5", &(1u32..=10_000_000)).unwrap_err(),
            "expected a whole number from 1 to 10000000, found “2.5”"
        );
        assert!(parse(&"ä".repeat(99), &ANY).unwrap_err().len() < 140);
    }
}
