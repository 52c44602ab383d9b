//! The ruler as a plotters coordinate.

use crate::scale::Ruler;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

impl Ranged for Ruler {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, place: &f64, limit: (i32, i32)) -> i32 {
        let share = (place - self.low) / (self.high - self.low);
        let [from, to] = [limit.0, limit.1].map(f64::from);
        (from + share * (to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { self.minor.clone() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Ruler {
    fn format(place: &f64) -> String {
        // Not used: the panel formats labels with the ruler itself, which knows its scale.
        place.to_string()
    }
}
