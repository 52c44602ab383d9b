//! Fractions of differences of `f32`, compared without rounding.

use std::cmp::Ordering;

/// The difference of two `f32`, exactly: the sum of two `f64`, the second at most half a unit of the first one's last digit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    high: f64,
    low: f64,
}

impl Difference {
    pub(super) fn new(minuend: f32, subtrahend: f32) -> Self {
        let (high, low) = two_sum(f64::from(minuend), -f64::from(subtrahend));
        Self { high, low }
    }

    const ZERO: Self = Self { high: 0.0, low: 0.0 };
    const ONE: Self = Self { high: 1.0, low: 0.0 };

    fn negated(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

/// A fraction with a denominator above 0.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    numerator: Difference,
    denominator: Difference,
}

/// Quotients of the high parts that differ by more are in the order of the fractions: each has at most three roundings of
/// 1.1e-16.
const CLEAR: f64 = 1e-14;

impl Fraction {
    fn compare(&self, other: &Self) -> Ordering {
        let [one, two] = [self, other].map(|f| f.numerator.high / f.denominator.high);
        if (one - two).abs() > CLEAR * one.abs().max(two.abs()) {
            return one.total_cmp(&two);
        }
        // The sign of the difference of the cross products.
        let mut sum = Expansion::default();
        sum.add_product(self.numerator, other.denominator);
        sum.add_product(other.numerator.negated(), self.denominator);
        sum.sign()
    }
}

/// Times that are left: a closed interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    least: Fraction,
    greatest: Fraction,
}

impl Bounds {
    /// From 0 to 1.
    pub(super) const UNIT: Self = Self {
        least: Fraction { numerator: Difference::ZERO, denominator: Difference::ONE },
        greatest: Fraction { numerator: Difference::ONE, denominator: Difference::ONE },
    };

    /// Leaves the times t with `start + speed * t <= 0`. Returns whether there are any.
    pub(super) fn limit(&mut self, start: Difference, speed: Difference) -> bool {
        let sign = speed.high.partial_cmp(&0.0);
        match sign {
            Some(Ordering::Greater) => {
                let bound = Fraction { numerator: start.negated(), denominator: speed };
                if bound.compare(&self.greatest).is_lt() {
                    self.greatest = bound;
                }
            }
            Some(Ordering::Less) => {
                let bound = Fraction { numerator: start, denominator: speed.negated() };
                if bound.compare(&self.least).is_gt() {
                    self.least = bound;
                }
            }
            _ => return start.high <= 0.0,
        }
        self.least.compare(&self.greatest).is_le()
    }
}

/// An exact sum of `f64`, as terms that do not overlap, by rising size (Shewchuk 1997, "Adaptive precision floating-point
/// arithmetic").
#[derive(Default)]
struct Expansion {
    /// Two cross products have four products each, of two terms.
    terms: [f64; 16],
    count: usize,
}

impl Expansion {
    fn add(&mut self, mut term: f64) {
        for own in &mut self.terms[..self.count] {
            (term, *own) = two_sum(term, *own);
        }
        self.terms[self.count] = term;
        self.count += 1;
    }

    fn add_product(&mut self, one: Difference, other: Difference) {
        for factor in [one.low, one.high] {
            for second in [other.low, other.high] {
                let (product, rest) = two_product(factor, second);
                self.add(rest);
                self.add(product);
            }
        }
    }

    /// Compares the sum with 0: the largest term that is not 0 decides.
    fn sign(&self) -> Ordering {
        let largest = self.terms[..self.count].iter().rev().find(|term| **term != 0.0);
        largest.map_or(Ordering::Equal, |term| term.total_cmp(&0.0))
    }
}

/// A sum as it is rounded, and the rest (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// A product as it is rounded, and the rest. Differences of `f32` and their roundings neither overflow nor underflow here.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: [f32; 2], denominator: [f32; 2]) -> Fraction {
        let difference = |[a, b]: [f32; 2]| Difference::new(a, b);
        Fraction { numerator: difference(numerator), denominator: difference(denominator) }
    }

    #[test]
    fn fractions_that_differ_in_the_last_digit_are_in_order() {
        // A third, a third written otherwise, and thirds that are greater by 1e-16 and by 1e-60.
        let third = fraction([1.0, 0.0], [3.0, 0.0]);
        assert_eq!(third.compare(&fraction([-7.0, -12.0], [20.0, 5.0])), Ordering::Equal);
        let (one, two) = (16_777_215.0, 16_777_214.0);
        // 16777215 / 16777214 and 16777216 / 16777215 differ by 3.6e-15.
        let less = fraction([16_777_216.0, 0.0], [one, 0.0]);
        assert_eq!(less.compare(&fraction([one, 0.0], [two, 0.0])), Ordering::Less);
        let greater = fraction([1.0, -1e-30], [3.0, 0.0]);
        assert_eq!(third.compare(&greater), Ordering::Less);
        assert_eq!(greater.compare(&third), Ordering::Greater);
        assert_eq!(greater.compare(&fraction([2.0, -2e-30], [6.0, 0.0])), Ordering::Equal);
    }

    #[test]
    fn extremes_of_f32_keep_all_digits() {
        let (huge, tiny) = (f32::MAX, f32::from_bits(1));
        let almost = fraction([huge, tiny], [huge, 0.0]);
        let one = fraction([huge, 0.0], [huge, 0.0]);
        assert_eq!(almost.compare(&one), Ordering::Less);
        let double = fraction([huge, -huge], [tiny, -tiny]);
        assert_eq!(double.compare(&fraction([huge, 0.0], [tiny, 0.0])), Ordering::Equal);
    }
}
