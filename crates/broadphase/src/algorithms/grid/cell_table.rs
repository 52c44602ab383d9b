//! A hash table from cells to their numbers, emptied every frame without a write to its slots.

use crate::inspect::HashSlot;
use crate::memory::scratch_memory;
use crate::mix::mix;
use crate::regions::Cell;

/// A cell of a level of grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellKey {
    pub(super) cell: Cell,
    pub(super) level: i32,
}

impl CellKey {
    /// The hash of Teschner et al. 2003, with a fourth prime for the level. It gives neighbours similar numbers,
    /// which would cluster in a table with linear probing. So it is mixed.
    #[inline]
    fn hash(self) -> u64 {
        let [x, y, z] = self.cell.map(|coordinate| u64::from(coordinate as u32));
        let level = self.level as u64 * 50_331_653;
        mix((x * 73_856_093) ^ (y * 19_349_663) ^ (z * 83_492_791) ^ level)
    }
}

/// A slot of the table. It is occupied where its stamp is the table's.
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: CellKey,
    number: u32,
    stamp: u32,
}

const FREE: Slot = Slot { key: CellKey { cell: [0; 3], level: 0 }, number: 0, stamp: 0 };

const MIN_SLOTS: usize = 64;

/// Cells and their numbers, from 0 in the order of their first insertion.
///
/// Open addressing with linear probing. At least a quarter of the slots is free. A slot with an old stamp is
/// free, so a new stamp empties the table.
#[derive(Clone, Debug, Default)]
pub(super) struct CellTable {
    /// Their number is a power of two.
    slots: Vec<Slot>,
    stamp: u32,
    /// The cells by number.
    pub(super) keys: Vec<CellKey>,
}

scratch_memory!(CellTable: slots, keys);

impl CellTable {
    /// Removes all cells, and makes room for those of a number of objects.
    pub(super) fn renew(&mut self, objects: usize) {
        self.keys.clear();
        // There are seldom more cells than one and a half times the objects.
        let slots = (2 * objects).next_power_of_two().max(MIN_SLOTS);
        if self.slots.len() < slots {
            self.slots.clear();
            self.slots.resize(slots, FREE);
        }
        self.keys.reserve(self.most_cells() + 1);
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // After 2^32 frames an old stamp would be valid again.
            self.slots.fill(FREE);
            self.stamp = 1;
        }
    }

    /// The number of a cell, which is inserted if it is new.
    #[inline]
    pub(super) fn insert(&mut self, key: CellKey) -> u32 {
        let slot = self.slot(key);
        if self.slots[slot].stamp == self.stamp {
            return self.slots[slot].number;
        }
        let number = self.keys.len() as u32;
        self.slots[slot] = Slot { key, number, stamp: self.stamp };
        self.keys.push(key);
        if self.keys.len() > self.most_cells() {
            self.grow();
        }
        number
    }

    /// The number of a cell, if it has one.
    #[inline]
    pub(super) fn find(&self, key: CellKey) -> Option<u32> {
        if self.keys.is_empty() {
            return None;
        }
        let slot = &self.slots[self.slot(key)];
        (slot.stamp == self.stamp).then_some(slot.number)
    }

    /// The slot of the cell with a number; for inspection.
    pub(super) fn slot_of(&self, number: usize) -> HashSlot {
        let key = self.keys[number];
        let home = key.hash() as usize & (self.slots.len() - 1);
        HashSlot { cell: key.cell, slot: self.slot(key), home, slots: self.slots.len() }
    }

    /// Most cells before the table grows.
    fn most_cells(&self) -> usize {
        self.slots.len() / 4 * 3
    }

    /// The slot of a cell, or the free slot for it.
    #[inline]
    fn slot(&self, key: CellKey) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key.hash() as usize;
        loop {
            let slot = &self.slots[at & mask];
            if slot.stamp != self.stamp || slot.key == key {
                return at & mask;
            }
            at = at.wrapping_add(1);
        }
    }

    /// Four times the slots, so that the next growth is far off.
    fn grow(&mut self) {
        let slots = 4 * self.slots.len();
        self.slots.clear();
        self.slots.resize(slots, FREE);
        self.stamp = 1;
        for number in 0..self.keys.len() {
            let slot = self.slot(self.keys[number]);
            self.slots[slot] = Slot { key: self.keys[number], number: number as u32, stamp: 1 };
        }
    }

    /// Panics unless every cell is found under its own number, and so is in the table once.
    pub(super) fn validate(&self) {
        for (number, key) in (0..).zip(&self.keys) {
            assert_eq!(self.find(*key), Some(number), "cell {key:?} is found under another number");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(i: i32) -> CellKey {
        let cell = i / 5;
        CellKey { cell: [cell * 7 - 900, -cell, cell / 3], level: i % 5 }
    }

    #[test]
    fn cells_keep_their_numbers_until_the_table_is_renewed() {
        let mut table = CellTable::default();
        assert_eq!(table.find(key(0)), None);
        for cells in [1000, 10, 3000] {
            table.renew(0);
            assert_eq!(table.find(key(3)), None);
            for i in 0..cells {
                assert_eq!(table.insert(key(i)), i as u32);
                assert_eq!(table.insert(key(i / 2)), i as u32 / 2);
            }
            assert_eq!((table.keys.len(), table.find(key(cells))), (cells as usize, None));
            table.validate();
            assert!(4 * table.keys.len() <= 3 * table.slots.len());
        }
    }

    #[test]
    fn stamp_overflow_clears_the_table() {
        let mut table = CellTable::default();
        table.renew(0);
        table.insert(key(1));
        table.stamp = u32::MAX;
        table.renew(0);
        assert_eq!(table.find(key(1)), None);
        table.insert(key(2));
        table.validate();
    }

    #[test]
    #[should_panic(expected = "under another number")]
    fn validate_catches_a_cell_in_the_wrong_slot() {
        let mut table = CellTable::default();
        table.renew(0);
        table.insert(key(1));
        table.insert(key(2));
        table.keys.swap(0, 1);
        table.validate();
    }
}
