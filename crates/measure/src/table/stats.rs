//! Medians, percentiles, and the interval of a median.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Resamples drawn for an interval: enough that its ends vary by a few per cent of its width only.
const RESAMPLES: usize = 1000;

/// Most draws for one interval. With more values fewer resamples are taken, at least
/// [`MIN_RESAMPLES`].
const MAX_DRAWS: usize = 20_000_000;

/// Fewest resamples, however many values there are.
const MIN_RESAMPLES: usize = 200;

/// The middle value; of an even number of values the mean of the middle two, rounded down.
///
/// The values are reordered. `None` where there are none.
pub fn median(values: &mut [u64]) -> Option<u64> {
    let middle = values.len() / 2;
    let even = values.len().is_multiple_of(2);
    if values.is_empty() {
        return None;
    }
    let (below, &mut upper, _) = values.select_nth_unstable(middle);
    match below.iter().max() {
        Some(&lower) if even => Some(lower.midpoint(upper)),
        _ => Some(upper),
    }
}

/// The percentile by nearest rank: the least value that at least `percent` per cent of the values
/// do not exceed, `percent` in 1..=100.
///
/// The values are reordered. `None` where there are none.
pub fn percentile(values: &mut [u64], percent: usize) -> Option<u64> {
    let rank = (values.len() * percent).div_ceil(100);
    if values.is_empty() {
        return None;
    }
    let index = rank.clamp(1, values.len()) - 1;
    Some(*values.select_nth_unstable(index).1)
}

/// The arithmetic mean; `None` where there are no values.
pub fn mean(values: impl IntoIterator<Item = u64>) -> Option<f64> {
    let (count, sum) =
        values.into_iter().fold((0u64, 0u128), |(count, sum), v| (count + 1, sum + u128::from(v)));
    (count > 0).then(|| sum as f64 / count as f64)
}

/// The median of all values of all repetitions within its percentile-bootstrap 95 % interval (Efron 1979): lower end, median,
/// upper end. It is the same for the same seed.
///
/// Resampled in two stages (Davison, Hinkley 1997, section 3.8): repetitions first, then values
/// within each. An effect on a whole repetition (other load, a favourable memory layout) then counts
/// once. Frames resampled as independent would give an interval that a second run often misses.
/// `None` where there are no values.
pub fn median_interval(repetitions: &[Vec<u64>], seed: u64) -> Option<[u64; 3]> {
    let count: usize = repetitions.iter().map(Vec::len).sum();
    let middle = median(&mut repetitions.concat())?;
    let resamples = (MAX_DRAWS / count).clamp(MIN_RESAMPLES, RESAMPLES);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut resample = Vec::with_capacity(count);
    let mut medians: Vec<u64> = (0..resamples)
        .filter_map(|_| {
            resample.clear();
            for _ in repetitions {
                let values = &repetitions[rng.random_range(0..repetitions.len())];
                resample.extend(values.iter().map(|_| values[rng.random_range(0..values.len())]));
            }
            median(&mut resample)
        })
        .collect();
    medians.sort_unstable();
    let tail = medians.len() / 40; // 2.5 % on either side
    let high = medians.len().checked_sub(1 + tail)?;
    // Nothing forces the quantiles to lie on either side of the median.
    Some([medians[tail].min(middle), middle, medians[high].max(middle)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle_and_percentile_the_nearest_rank() {
        for (mut values, middle) in [
            (vec![], None),
            (vec![7], Some(7)),
            (vec![9, 1, 5], Some(5)),
            (vec![10, 1, 4, 100], Some(7)),
            (vec![u64::MAX, u64::MAX - 2], Some(u64::MAX - 1)),
        ] {
            assert_eq!(median(&mut values), middle);
        }
        // 0.95 * 21 = 19.95: the 20th value.
        for (count, rank) in [(100, Some(95)), (21, Some(20)), (1, Some(1)), (0, None)] {
            assert_eq!(percentile(&mut (1..=count).rev().collect::<Vec<_>>(), 95), rank);
        }
    }

    #[test]
    fn the_interval_matches_the_order_statistics_that_theory_gives() {
        // Of 101 values 0..=100 the median of a resample exceeds value k when fewer than 51 of the
        // 101 draws are <= k: binomial with p = (k + 1) / 101. That probability is 2.5 % near
        // k = 40 and 97.5 % near k = 60, by symmetry about 50.
        let values: Vec<u64> = (0..=100).collect();
        let [low, middle, high] = median_interval(&[values], 1739).unwrap();
        assert!(
            (38..=43).contains(&low) && middle == 50 && (57..=62).contains(&high),
            "{low} {high}"
        );
    }

    #[test]
    fn differences_between_repetitions_widen_the_interval() {
        // Within each repetition the values agree to 1 %, between them they differ by 20 %.
        let repetitions: Vec<Vec<u64>> =
            (0..5).map(|r| (0..100).map(|i| 1000 + 50 * r + i % 10).collect()).collect();
        let [low, _, high] = median_interval(&repetitions, 1).unwrap();
        assert!(low < 1060 && high > 1140, "{low} {high}");
        // Taken for independent, the same values would make it a third as wide.
        let [pooled_low, _, pooled_high] = median_interval(&[repetitions.concat()], 1).unwrap();
        assert!(pooled_high - pooled_low < (high - low) / 2, "{pooled_low} {pooled_high}");
    }
}
