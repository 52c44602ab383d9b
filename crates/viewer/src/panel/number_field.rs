//! Fields for numbers. Refused text is reported.

use egui::emath::Numeric;
use egui::{DragValue, Response, Tooltip, Ui, vec2};
use sim::scene::{shortest_number as exact, spelling_help};
use std::cell::RefCell;
use std::ops::RangeInclusive;

/// The largest number of a scene file, in magnitude.
const LARGEST: f32 = 1e12;

/// Characters of a refused text in its message.
const MAX_QUOTED: usize = 24;

/// Any number that a scene file can hold.
pub(super) const ANY: RangeInclusive<f32> = -LARGEST..=LARGEST;

/// A length that a scene file can hold.
pub(super) const LENGTH: RangeInclusive<f32> = 0.0..=LARGEST;

/// A number that is dragged, or typed and taken once the field is left.
///
/// Text that is no number, or one out of range, is refused: the field keeps its number, and says why until the next click or
/// number.
pub(super) struct NumberField<'a, N> {
    pub(super) name: &'a str,
    pub(super) value: &'a mut N,
    pub(super) range: RangeInclusive<N>,
    /// Change of the number per point of dragging.
    pub(super) speed: f64,
    /// Text before the number while it is not edited.
    pub(super) prefix: &'a str,
    /// Text after the number while it is not edited.
    pub(super) suffix: &'a str,
    /// Minimum width in points.
    pub(super) width: f32,
    /// Whether a dragged number is taken once it is released.
    pub(super) held: bool,
}

impl<'a, N: Numeric> NumberField<'a, N> {
    /// A field of this name, in messages and for screen readers.
    pub(super) fn new(name: &'a str, value: &'a mut N, range: RangeInclusive<N>) -> Self {
        let (speed, width) = (0.01, 64.0);
        Self { name, value, range, speed, prefix: "", suffix: "", width, held: false }
    }

    /// Lays the field out.
    pub(super) fn show(self, ui: &mut Ui) -> Response {
        let Self { name, value, range, speed, prefix, suffix, width, held } = self;
        let (id, before) = (ui.next_auto_id(), value.to_f64());
        let dragged = ui.data_mut(|data| data.remove_temp(id.with("dragged")));
        let mut shown = dragged.map_or(*value, N::from_f64);
        let refused = RefCell::new(None);
        let mut field = DragValue::new(&mut shown)
            .range(range.clone())
            .speed(speed)
            .prefix(prefix)
            .suffix(suffix)
            .min_size(vec2(width, ui.spacing().interact_size.y))
            .clip_text(true)
            .update_while_editing(false)
            .custom_parser(|text| {
                parse(text, &range).map_err(|why| refused.replace(Some(why))).ok()
            });
        if !N::INTEGRAL {
            // All digits once it may be edited: untouched text must keep its number. A click selects the text that is shown
            // before; the focus of the keyboard comes while the field is laid out.
            let context = ui.ctx().clone();
            let is_pointed_at = context.read_response(id).is_some_and(|field| field.hovered());
            field = field.custom_formatter(move |number, _| {
                let number = number as f32;
                match is_pointed_at || context.memory(|memory| memory.has_focus(id)) {
                    true => exact(number),
                    false => rounded(number),
                }
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
        let is_over = value.to_f64() != before || ui.input(|input| input.pointer.any_pressed());
        let known = ui.data_mut(|data| data.remove_temp::<String>(id)).filter(|_| !is_over);
        if let Some(refusal) = refused.into_inner().or(known) {
            let kept = exact(value.to_f64() as f32);
            let message = format!("{name}: {refusal}; {kept} is kept");
            let color = ui.visuals().warn_fg_color;
            Tooltip::for_widget(&response).show(|ui| ui.colored_label(color, message));
            ui.data_mut(|data| data.insert_temp(id, refusal));
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
        let begin: String = text.chars().take(MAX_QUOTED).collect();
        let found = if text.is_empty() { "nothing".to_owned() } else { format!("“{begin}”") };
        let help = spelling_help(text, N::INTEGRAL).filter(|_| number.is_none());
        let help = help.map_or(String::new(), |help| format!(" ({help})"));
        format!("expected a {kind} from {least} to {most}, found {found}{help}")
    })
}

/// At most eight characters, for a number that is not edited.
pub(super) fn rounded(number: f32) -> String {
    let exact = exact(number);
    if exact.len() <= 8 {
        return exact;
    }
    let decimals = match number.abs() {
        size if !(1e-3..1e6).contains(&size) => return format!("{number:.1e}"),
        size if size < 100.0 => 3,
        size if size < 1e4 => 1,
        _ => return format!("{number:.0}"),
    };
    let rounded = format!("{number:.decimals$}");
    rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
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
            (-9.123_456, "-9.123"),
            (-123.456_79, "-123.5"),
            (-1e12, "-1e12"),
            (1.234_567_9e-10, "1.2e-10"),
            (-345_678.9, "-345679"),
        ] {
            assert_eq!(rounded(number), shown);
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
