//! Corrects the forecast by the counted costs.

use super::policy::POLICIES;

/// Share of the mean costs that remains after each frame.
const MEMORY: f32 = 1.0 - 1.0 / 12.0;

/// The bias of a policy that is not in use decays by this share in each frame: the motion may change.
const FORGOTTEN: f32 = 1.0 / 64.0;

/// The counted cost of each policy in relation to the forecast: a sample may not represent all objects.
#[derive(Clone, Debug)]
pub(super) struct Bias {
    ratios: [f32; POLICIES],
    /// The policy in use, and its mean costs in the last frames: counted, and forecast.
    policy: usize,
    counted: f32,
    forecast: f32,
}

impl Default for Bias {
    fn default() -> Self {
        Self { ratios: [1.0; POLICIES], policy: 0, counted: 1.0, forecast: 1.0 }
    }
}

impl Bias {
    pub(super) fn ratio(&self, policy: usize) -> f32 {
        self.ratios[policy]
    }

    /// Takes over what a frame with a policy cost.
    ///
    /// Movers too few to appear in the sample cost the same with any policy. So costs above the forecast, up to
    /// `unseen`, do not count.
    pub(super) fn learn(&mut self, policy: usize, counted: f32, forecast: f32, unseen: f32) {
        let counted = counted.min(forecast.max(counted - unseen));
        if policy != self.policy {
            self.policy = policy;
            (self.counted, self.forecast) = (forecast * self.ratios[policy], forecast);
        }
        for (mean, cost) in [(&mut self.counted, counted), (&mut self.forecast, forecast)] {
            *mean = *mean * MEMORY + cost * (1.0 - MEMORY);
        }
        let ratio = self.counted / self.forecast.max(f32::MIN_POSITIVE);
        // The others are simulated with the same sample, so part of the error applies to them, too.
        let of_others = ratio.sqrt();
        for (other, of_other) in self.ratios.iter_mut().enumerate() {
            if other == policy {
                *of_other = ratio;
            } else {
                *of_other += (of_others - *of_other) * FORGOTTEN;
            }
        }
    }

    /// Takes over a frame that was answered without a cache.
    pub(super) fn forget(&mut self) {
        self.policy = usize::MAX;
        self.ratios.iter_mut().for_each(|ratio| *ratio += (1.0 - *ratio) * FORGOTTEN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_that_the_sample_can_hide_are_ignored() {
        let after = |counted: f32| {
            let mut bias = Bias::default();
            (0..100).for_each(|_| bias.learn(3, counted, 10.0, 8.0));
            [bias.ratio(3), bias.ratio(0)]
        };
        assert_eq!(after(17.0), [1.0, 1.0], "too few movers for the sample");
        assert!(after(38.0)[0] > 2.9, "{:?}: 20 more than the sample can hide", after(38.0));
        assert!(after(5.0)[0] < 0.6, "{:?}: less than forecast", after(5.0));
    }
}
