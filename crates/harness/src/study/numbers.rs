//! Numbers as text for a page.

use measure::Ratio;
use measure::numbers::significant;

/// A ratio with its interval.
pub(crate) fn with_interval(ratio: Ratio) -> String {
    let Ratio { ratio, low, high } = ratio;
    let text = significant(ratio);
    if low == high {
        text
    } else {
        format!("{text} ({} to {})", significant(low), significant(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratio_has_its_interval_unless_that_is_empty() {
        let ratio = Ratio { ratio: 2.0, low: 1.5, high: 2.5 };
        assert_eq!(with_interval(ratio), "2.00 (1.50 to 2.50)");
        assert_eq!(with_interval(Ratio { low: 2.0, high: 2.0, ..ratio }), "2.00");
    }
}
