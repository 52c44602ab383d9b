//! Following the placing of many objects, which may take seconds.

/// Objects between two calls. In a crowded scene, they take milliseconds.
const OBJECTS_PER_CALL: usize = 256;

/// The placing of the objects was ended before all were placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the placing of the objects was ended")]
pub struct PlacingEnded;

/// Follows the placing of objects, and may end it.
pub struct Placing<'a> {
    watch: &'a mut dyn FnMut(usize) -> bool,
}

impl<'a> Placing<'a> {
    /// `watch` is called again and again with the number of objects that have a place. This may fall: a crowded
    /// scene is placed several times. Placing ends when it returns `false`.
    pub fn new(watch: &'a mut dyn FnMut(usize) -> bool) -> Self {
        Self { watch }
    }

    /// Reports the number of objects that have a place.
    pub(crate) fn reached(&mut self, placed: usize) -> Result<(), PlacingEnded> {
        let is_due = placed > 0 && placed.is_multiple_of(OBJECTS_PER_CALL);
        if is_due && !(self.watch)(placed) { Err(PlacingEnded) } else { Ok(()) }
    }
}

/// Places objects without following it.
pub(crate) fn unwatched<T>(place: impl FnOnce(&mut Placing<'_>) -> Result<T, PlacingEnded>) -> T {
    match place(&mut Placing::new(&mut |_| true)) {
        Ok(placed) => placed,
        Err(PlacingEnded) => unreachable!("only its observer ends it"),
    }
}
