//! Maps values to places on an axis, and chooses the round numbers that label it.

use crate::{Axis, Numbers, Scale};

/// An axis with its ends fixed. A *place* is a value on a linear axis, its logarithm on a logarithmic one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ruler {
    scale: Scale,
    numbers: Numbers,
    /// Places of the ends.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Places that are labelled.
    pub(crate) ticks: Vec<f64>,
    /// Places between the labels that get a faint line.
    pub(crate) minor: Vec<f64>,
}

impl Ruler {
    /// Fixes the ends of an axis for values from `least` to `most`, all of which have a place on it. At most
    /// `room` labels fit.
    pub(crate) fn new(axis: &Axis, least: f64, most: f64, room: usize) -> Self {
        let (scale, numbers, fixed) = (axis.scale.clone(), axis.numbers, axis.bounds);
        let (ticks, minor) = (Vec::new(), Vec::new());
        let mut ruler = Self { scale, numbers, low: 0.0, high: 1.0, ticks, minor };
        if let Scale::Categories(names) = &axis.scale {
            // The first on top.
            (ruler.low, ruler.high) = (names.len().max(1) as f64 - 0.5, -0.5);
            ruler.ticks = (0..names.len()).map(|index| index as f64).collect();
            return ruler;
        }
        let [least, most] = fixed.unwrap_or([least, most]);
        let (low, high) = (ruler.place(least), ruler.place(most));
        match axis.scale {
            Scale::Log => ruler.fix_log(low, high, fixed.is_some(), room),
            _ => ruler.fix_linear(low, high, fixed.is_some(), room),
        }
        if let Some(values) = &axis.labelled {
            let places = values.iter().map(|&value| ruler.place(value));
            ruler.ticks = places.filter(|&place| ruler.holds(place)).collect();
            ruler.minor.clear();
        }
        ruler
    }

    /// The place of a value; not finite if it has none.
    pub(crate) fn place(&self, value: f64) -> f64 {
        if self.scale == Scale::Log { value.log10() } else { value }
    }

    /// The label at a place.
    pub(crate) fn label(&self, place: f64) -> String {
        match &self.scale {
            Scale::Categories(names) => {
                names.get(place.round() as usize).cloned().unwrap_or_default()
            }
            // A power of ten comes back from its logarithm with an error in the last digits.
            Scale::Log => self.number(round_to_digits(10f64.powf(place), 6)),
            Scale::Linear => self.number(place),
        }
    }

    /// A value in words, to four digits; a whole number of all its digits.
    pub(crate) fn value(&self, value: f64) -> String {
        let digits = |value: f64| match value.fract() == 0.0 {
            true => value.to_string(),
            false => round_to_digits(value, 4).to_string(),
        };
        match self.numbers {
            Numbers::Percent => format!("{} %", digits(100.0 * value)),
            Numbers::Plain => digits(value),
        }
    }

    fn fix_linear(&mut self, low: f64, high: f64, fixed: bool, room: usize) {
        let width = if high > low { high - low } else { low.abs().max(1.0) };
        let step = round_step(width / room.max(1) as f64);
        (self.low, self.high) = if fixed {
            (low, low + width)
        } else {
            ((low / step).floor() * step, ((low + width) / step).ceil() * step)
        };
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        self.ticks = (first..=last).map(|k| k as f64 * step).collect();
    }

    fn fix_log(&mut self, low: f64, high: f64, fixed: bool, room: usize) {
        let (low, high) = if high > low { (low, high) } else { (low - 0.3, low + 0.3) };
        // A margin, so that no marker sits on the frame.
        let margin = if fixed { 0.0 } else { 0.03 * (high - low) };
        (self.low, self.high) = (low - margin, high + margin);
        let within = |mantissas: &[f64]| -> Vec<f64> {
            let decades = self.low.floor() as i32..=self.high.floor() as i32;
            decades
                .flat_map(|d| mantissas.iter().map(move |m| f64::from(d) + m.log10()))
                .filter(|p| self.holds(*p))
                .collect()
        };
        let digits: Vec<f64> = (1..=9).map(f64::from).collect();
        let choices = [&digits[..], &[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
        let choices = choices.map(within);
        self.minor = choices[0].clone();
        if choices[0].len() < 3 {
            // A small part of a decade, in which linear steps look even.
            let [low, high] = [self.low, self.high].map(|place| 10f64.powf(place));
            let step = round_step((high - low) / room.max(1) as f64);
            let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
            self.ticks = (first..=last).map(|k| (k as f64 * step).log10()).collect();
            return;
        }
        let apart = (self.high - self.low) / room.max(1) as f64;
        let fits = |ticks: &&Vec<f64>| {
            // A label at an end of the axis extends beyond it, which leaves room.
            ticks.len() <= room && ticks.windows(2).all(|pair| pair[1] - pair[0] > 0.8 * apart)
        };
        let fitting = choices.iter().find(fits);
        self.ticks = fitting.cloned().unwrap_or_else(|| {
            let decades = &choices[3];
            let every = decades.len().div_ceil(room.max(1));
            decades.iter().copied().step_by(every).collect()
        });
    }

    /// Whether a place lies between the ends, up to rounding.
    pub(crate) fn holds(&self, place: f64) -> bool {
        let (least, most) = (self.low.min(self.high), self.low.max(self.high));
        (least - 1e-9..=most + 1e-9).contains(&place)
    }

    /// The place itself, or the nearest one between the ends.
    pub(crate) fn clamped(&self, place: f64) -> f64 {
        place.clamp(self.low.min(self.high), self.low.max(self.high))
    }

    fn number(&self, value: f64) -> String {
        match self.numbers {
            Numbers::Percent => format!("{} %", plain(100.0 * value)),
            Numbers::Plain if value.abs() >= 999_999.5 => format!("{}M", plain(value / 1e6)),
            Numbers::Plain if value.abs() >= 9_999.5 => format!("{}k", plain(value / 1e3)),
            Numbers::Plain => plain(value),
        }
    }
}

/// The least of 1, 2, 5 times a power of ten that is not below `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let mantissa = step / power;
    let round = [1.0, 2.0, 5.0].into_iter().find(|m| mantissa <= m + 1e-9).unwrap_or(10.0);
    round * power
}

/// A number without the rounding error of its last digits.
fn plain(value: f64) -> String {
    let rounded = round_to_digits(value, 6);
    // Not "-0".
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

fn round_to_digits(value: f64, digits: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10f64.powi(digits - 1 - value.abs().log10().floor() as i32);
    let rounded = (value * scale).round() / scale;
    // Scales above 1e22 are not exact powers of ten.
    if rounded.is_finite() { rounded } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, least: f64, most: f64, room: usize) -> Vec<String> {
        let ruler = Ruler::new(axis, least, most, room);
        ruler.ticks.iter().map(|&tick| ruler.label(tick)).collect()
    }

    #[test]
    fn linear_axes_are_labelled_by_round_steps_around_the_data() {
        let axis = Axis::linear("n");
        assert_eq!(labels(&axis, 0.0, 5000.0, 6), ["0", "1000", "2000", "3000", "4000", "5000"]);
        assert_eq!(labels(&axis, 0.1, 0.42, 5), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(labels(&axis, 0.0, 20_000.0, 3), ["0", "10k", "20k"]);
        assert_eq!(labels(&axis, -3.0, 3.0, 3), ["-4", "-2", "0", "2", "4"]);
    }

    #[test]
    fn shares_are_labelled_in_per_cent_from_0_to_100() {
        let labels = labels(&Axis::shares("s"), 0.3, 0.4, 5);
        assert_eq!(labels, ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
    }

    #[test]
    fn log_axes_are_labelled_as_densely_as_room_allows() {
        let axis = Axis::log("n");
        assert_eq!(
            labels(&axis, 50.0, 5000.0, 8),
            ["50", "100", "200", "500", "1000", "2000", "5000"]
        );
        assert_eq!(labels(&axis, 1e-3, 1e3, 8), ["0.001", "0.01", "0.1", "1", "10", "100", "1000"]);
        assert_eq!(labels(&axis, 1e-3, 1e3, 4), ["0.001", "0.1", "10", "1000"]);
        assert_eq!(labels(&axis, 1e4, 3e6, 6), ["10k", "30k", "100k", "300k", "1M", "3M"]);
    }

    #[test]
    fn log_axis_labels_never_overlap_and_are_never_missing() {
        let axis = Axis::log("n");
        assert_eq!(labels(&axis, 500.0, 2000.0, 9), ["500", "1000", "2000"]);
        assert_eq!(labels(&axis, 6.1, 6.8, 4), ["6.2", "6.4", "6.6", "6.8"]);
        for (least, most) in [(1.2, 1.9), (6.1, 6.11), (9.0, 11.0), (0.4, 0.9)] {
            assert!(labels(&axis, least, most, 6).len() >= 2, "{least} to {most}");
        }
    }

    #[test]
    fn axis_is_labelled_only_at_the_given_values() {
        let axis = Axis::log("threads").labelled_at(vec![1.0, 2.0, 4.0, 8.0, 16.0]);
        assert_eq!(labels(&axis, 1.0, 8.0, 9), ["1", "2", "4", "8"]);
    }

    #[test]
    fn equal_values_still_get_an_axis_around_them() {
        for axis in [Axis::linear("n"), Axis::log("n")] {
            let ruler = Ruler::new(&axis, 7.0, 7.0, 5);
            let place = ruler.place(7.0);
            assert!(ruler.low <= place && place <= ruler.high && ruler.low < ruler.high);
            assert!(!ruler.ticks.is_empty());
        }
        let nothing = Ruler::new(&Axis::linear("n"), 0.0, 0.0, 5);
        assert!(nothing.high > nothing.low);
    }

    #[test]
    fn values_in_words_are_not_shortened_to_thousands() {
        let plain = Ruler::new(&Axis::log("n"), 1.0, 10.0, 5);
        let words = [1_234_567.0, 0.123_456, 12.0, 0.0].map(|value| plain.value(value));
        assert_eq!(words, ["1234567", "0.1235", "12", "0"]);
        let share = Ruler::new(&Axis::shares("s"), 0.0, 1.0, 5);
        assert_eq!([0.5, 1.0 / 3.0].map(|value| share.value(value)), ["50 %", "33.33 %"]);
    }

    #[test]
    fn category_names_are_centred() {
        let ruler = Ruler::new(&Axis::categories("", vec!["a".into(), "b".into()]), 0.0, 0.0, 1);
        assert_eq!((ruler.low, ruler.high), (1.5, -0.5));
        assert_eq!(ruler.label(ruler.ticks[1]), "b");
    }
}
