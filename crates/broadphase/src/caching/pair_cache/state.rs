//! The state of an object in the cache.

use crate::Aabb;
use crate::columns::Origin;

/// The state of an object in a frame. Without a bit, it moves within its fat AABB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct State(u8);

impl State {
    /// Moves within its fat AABB.
    pub(super) const SLOW: Self = Self(0);
    /// Rested when it was cached: its fat AABB is its box.
    pub(super) const RESTING: Self = Self(Self::RESTS);
    /// Searched for in every frame, and not cached.
    pub(super) const ESCAPED: Self = Self(Self::HAS_ESCAPED | Self::HAS_MOVED);
    const RESTS: u8 = 1;
    const HAS_ESCAPED: u8 = 2;
    /// Its entry in the built columns is stale.
    const HAS_MOVED: u8 = 4;
    /// Inserted in this frame; its candidate pairs are not yet known.
    const IS_NEW: u8 = 8;

    /// The state of an object just after its box was enlarged.
    #[inline(always)]
    pub(super) fn of(b: &Aabb, fat: &Aabb) -> Self {
        let is_cached = !fat.is_empty();
        match b.is_empty() {
            false if !is_cached => Self::ESCAPED,
            false if bytemuck::bytes_of(b) == bytemuck::bytes_of(fat) => Self::RESTING,
            _ => Self::SLOW,
        }
    }

    /// Whether it rested when it was cached.
    #[inline(always)]
    pub(super) fn was_resting(self) -> bool {
        self.0 & Self::RESTS != 0
    }

    /// Whether it is searched for in every frame.
    #[inline(always)]
    pub(super) fn has_escaped(self) -> bool {
        self.0 & Self::HAS_ESCAPED != 0
    }

    /// The origin of its entry in the columns, if it has one that is not stale.
    #[inline(always)]
    pub(super) fn entry(self) -> Option<Origin> {
        match self.0 & (Self::HAS_ESCAPED | Self::HAS_MOVED | Self::IS_NEW) {
            0 => Some(Origin::Built),
            Self::HAS_MOVED => Some(Origin::Inserted),
            _ => None,
        }
    }

    /// Whether a search finds it by its own box: as an escaped object, or as a resting one.
    #[inline(always)]
    pub(super) fn is_exact(self) -> bool {
        self.has_escaped() || self.was_resting()
    }

    /// Marks it as escaped.
    pub(super) fn escape(&mut self) {
        self.0 |= Self::HAS_ESCAPED | Self::HAS_MOVED;
    }

    /// Marks it as inserted. Its entry is skipped until [`settle`](Self::settle).
    pub(super) fn insert(&mut self, is_resting: bool) {
        self.0 = Self::HAS_MOVED | Self::IS_NEW | u8::from(is_resting);
    }

    /// Marks its candidate pairs as known.
    pub(super) fn settle(&mut self) {
        self.0 &= !Self::IS_NEW;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_is_where_the_object_was_cached_last() {
        let mut state = State::RESTING;
        assert_eq!(state.entry(), Some(Origin::Built));
        state.escape();
        assert_eq!(state.entry(), None);
        state.insert(false);
        assert_eq!(state.entry(), None, "its candidate pairs are not yet known");
        state.settle();
        assert_eq!((state.entry(), state.was_resting()), (Some(Origin::Inserted), false));
        state.escape();
        assert!(state.has_escaped() && state.entry().is_none());
    }
}
