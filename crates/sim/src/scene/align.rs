//! Matches the entries of an edited list with those of the old one.

/// One step from an old list to a new one; steps come in the order of both lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The old entry is the new one.
    Keep(usize, usize),
    /// The old entry was edited into the new one.
    Change(usize, usize),
    /// The old entry is gone.
    Remove(usize),
    /// The new entry was not there before.
    Insert(usize),
}

/// Most entries of the table of subsequences. Longer lists are paired entry by entry: a table would cost more
/// than it is worth.
const TABLE: usize = 4_000_000;

/// Keeps a longest common subsequence; between its entries, pairs old with new ones as edits.
pub(super) fn align<T>(old: &[T], new: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<Step> {
    let pairs = || old.iter().zip(new);
    let prefix = pairs().take_while(|(a, b)| same(a, b)).count();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let rests = old_rest.iter().rev().zip(new_rest.iter().rev());
    let suffix = rests.take_while(|(a, b)| same(a, b)).count();

    let mut steps: Vec<Step> = (0..prefix).map(|i| Step::Keep(i, i)).collect();
    let old_middle = &old_rest[..old_rest.len() - suffix];
    let new_middle = &new_rest[..new_rest.len() - suffix];
    let (mut from, mut to) = (prefix, prefix);
    for (a, b) in common(old_middle, new_middle, same) {
        edit(&mut steps, from..prefix + a, to..prefix + b);
        steps.push(Step::Keep(prefix + a, prefix + b));
        (from, to) = (prefix + a + 1, prefix + b + 1);
    }
    edit(&mut steps, from..old.len() - suffix, to..new.len() - suffix);
    steps.extend((0..suffix).map(|i| Step::Keep(old.len() - suffix + i, new.len() - suffix + i)));
    steps
}

/// Old entries become new ones in their order; what is left over is removed or inserted.
fn edit(steps: &mut Vec<Step>, old: std::ops::Range<usize>, new: std::ops::Range<usize>) {
    let both = old.len().min(new.len());
    steps.extend(old.clone().zip(new.clone()).map(|(a, b)| Step::Change(a, b)));
    steps.extend(old.skip(both).map(Step::Remove));
    steps.extend(new.skip(both).map(Step::Insert));
}

/// A longest common subsequence as pairs of indices, by the textbook table.
fn common<T>(old: &[T], new: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > TABLE {
        return Vec::new();
    }
    let width = new.len() + 1;
    // lengths[i * width + j]: of the longest one of old[i..] and new[j..].
    let mut lengths = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i * width + j] = if same(&old[i], &new[j]) {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < old.len() && j < new.len() {
        if same(&old[i], &new[j]) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_around_removed_ones_are_kept() {
        let steps = align(&['a', 'b', 'c', 'd'], &['b', 'd'], char::eq);
        let expected = [Step::Remove(0), Step::Keep(1, 0), Step::Remove(2), Step::Keep(3, 1)];
        assert_eq!(steps, expected);
    }

    #[test]
    fn edited_entry_is_changed_and_a_surplus_one_inserted() {
        let steps = align(&['a', 'b'], &['a', 'x', 'y'], char::eq);
        assert_eq!(steps, [Step::Keep(0, 0), Step::Change(1, 1), Step::Insert(2)]);
    }

    #[test]
    fn lists_too_long_for_a_table_are_still_covered() {
        let old: Vec<u32> = (0..3000).collect();
        let new: Vec<u32> = (1000..2500).map(|i| i * 7).collect();
        let steps = align(&old, &new, u32::eq);
        let changed = steps.iter().filter(|s| matches!(s, Step::Change(..))).count();
        let removed = steps.iter().filter(|s| matches!(s, Step::Remove(_))).count();
        assert_eq!((changed, removed, steps.len()), (1500, 1500, 3000));
    }
}
