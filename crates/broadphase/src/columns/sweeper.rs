//! One column: its boxes sorted and swept.

use super::bins::{Bins, ListedBox};
use crate::memory::scratch_memory;
use crate::parallel::Aligned;
use crate::radix_sort::{BucketSort, Keyed};
use crate::simd::LANES;
use crate::simd::level;
use crate::sweep::{Away, Block, Sorted};
use fearless_simd::dispatch;

/// Sorts columns, one after the other. Its scratch is as large as the longest of them,
/// and so stays in the nearer caches. A sort into buckets, two for each box, then by insertion: gas 1,000,000 55
/// to 33 ms.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweeper {
    /// Where the boxes begin on the sweep axis.
    begins: Vec<f32>,
    /// Their bin and their place in it.
    places: Vec<[u32; 2]>,
    /// Their numbers in the two lists above, by where they begin.
    order: Vec<Keyed>,
    sort: BucketSort,
    blocks: Vec<Block>,
    away: Vec<Away>,
}

scratch_memory!(Sweeper: begins, places, order, sort, blocks, away);

impl Sweeper {
    /// The boxes of a column in the order in which they begin.
    pub(super) fn sort(&mut self, column: usize, bins: &[Aligned<Bins>]) -> Sorted<'_> {
        self.gather(column, bins);
        dispatch!(level(), simd => self.sort.sort(simd, &mut self.begins, &mut self.order));
        let filled = self.fill(bins);
        Sorted { blocks: &self.blocks[..=filled], away: &self.away[..=filled] }
    }

    /// Collects the keys of a column's boxes and their places.
    fn gather(&mut self, column: usize, bins: &[Aligned<Bins>]) {
        self.begins.clear();
        self.places.clear();
        for (bin, bins) in (0..).zip(bins) {
            for (first, entries) in bins.chunks(column) {
                self.begins.extend(entries.iter().map(|entry| entry.min[0]));
                let places = first..first + entries.len() as u32;
                self.places.extend(places.map(|place| [bin, place]));
            }
        }
    }

    /// Writes the boxes into blocks in their order, and an empty block behind them. Returns the number of
    /// blocks with boxes.
    fn fill(&mut self, bins: &[Aligned<Bins>]) -> usize {
        let filled = self.order.len().div_ceil(LANES);
        if self.blocks.len() <= filled {
            self.blocks.resize(filled + 1, Block::EMPTY);
            self.away.resize(filled + 1, Away::NONE);
        }
        // The last one that has boxes may not be full.
        self.blocks[filled.saturating_sub(1)..=filled].fill(Block::EMPTY);
        let blocks = self.blocks.iter_mut().zip(&mut self.away);
        for ((block, all_away), order) in blocks.zip(self.order.chunks(LANES)) {
            let mut bits = 0;
            for (lane, keyed) in order.iter().enumerate() {
                let [bin, place] = self.places[keyed.object as usize];
                let ListedBox { min, max, object, away } = bins[bin as usize].entry(place);
                block.write(lane, *min, *max, *object);
                bits |= away.0 << lane;
            }
            *all_away = Away(bits);
        }
        filled
    }
}
