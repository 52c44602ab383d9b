//! Linear and logarithmic axes of time.

/// The axis of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal distances are equal times.
    #[default]
    Linear,
    /// Equal distances are equal ratios.
    Log,
}

/// Least time on a logarithmic axis, in ms: 0 has no logarithm.
const MIN_MS: f64 = 1e-6;

impl Scale {
    /// Place of a time on the axis.
    pub(super) fn place(self, ns: u64) -> f64 {
        let ms = ns as f64 / 1e6;
        match self {
            Scale::Linear => ms,
            Scale::Log => ms.max(MIN_MS).log10(),
        }
    }

    /// The time at a place, in ms.
    pub(super) fn milliseconds_at(self, place: f64) -> f64 {
        match self {
            Scale::Linear => place,
            Scale::Log => 10f64.powf(place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_convert_back_to_times() {
        for scale in [Scale::Linear, Scale::Log] {
            for ns in [2_000, 1_000_000, 750_000_000] {
                let back = 1e6 * scale.milliseconds_at(scale.place(ns));
                assert!((back - ns as f64).abs() < 1e-9 * ns as f64, "{ns} became {back}");
            }
        }
        assert!(Scale::Log.place(0).is_finite());
    }
}
