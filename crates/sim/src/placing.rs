//! Following the placing of many objects, which may take seconds.

/// Objects between two calls. In a crowded scene, they take milliseconds.
const OBJECTS_PER_CALL: usize = 256;

/// Steps of a search for free places until a call is due, whatever the objects: some 20 milliseconds. A single object may
/// be compared with all others 200 times.
const WORK_PER_CALL: usize = 1 << 24;

/// The placing of the objects was ended before all were placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the placing of the objects was ended")]
pub struct PlacingEnded;

/// Follows the placing of objects, and may end it.
pub struct Placing<'a> {
    watch: &'a mut dyn FnMut(usize) -> bool,
    placed: usize,
    /// Since the last call.
    work: usize,
}

impl<'a> Placing<'a> {
    /// `watch` is called again and again with the number of objects that have a place. This may fall: a crowded
    /// scene is placed several times. Placing ends when it returns `false`.
    pub fn new(watch: &'a mut dyn FnMut(usize) -> bool) -> Self {
        Self { watch, placed: 0, work: 0 }
    }

    /// Reports the number of objects that have a place.
    pub(crate) fn reached(&mut self, placed: usize) -> Result<(), PlacingEnded> {
        self.placed = placed;
        if placed > 0 && placed.is_multiple_of(OBJECTS_PER_CALL) { self.call() } else { Ok(()) }
    }

    /// Reports steps of a search that were done since the last report.
    pub(crate) fn worked(&mut self, steps: usize) -> Result<(), PlacingEnded> {
        self.work = self.work.saturating_add(steps);
        if self.work >= WORK_PER_CALL { self.call() } else { Ok(()) }
    }

    fn call(&mut self) -> Result<(), PlacingEnded> {
        self.work = 0;
        if (self.watch)(self.placed) { Ok(()) } else { Err(PlacingEnded) }
    }
}

/// Places objects without following it.
pub(crate) fn unwatched<T>(place: impl FnOnce(&mut Placing<'_>) -> Result<T, PlacingEnded>) -> T {
    match place(&mut Placing::new(&mut |_| true)) {
        Ok(placed) => placed,
        Err(PlacingEnded) => unreachable!("only its observer ends it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_search_for_few_objects_is_followed() {
        let mut calls = Vec::new();
        let mut watch = |placed| {
            calls.push(placed);
            calls.len() < 3
        };
        let mut placing = Placing::new(&mut watch);
        assert_eq!(placing.reached(7), Ok(()));
        for steps in [WORK_PER_CALL - 1, 1, 5] {
            assert_eq!(placing.worked(steps), Ok(()));
        }
        assert_eq!(placing.reached(OBJECTS_PER_CALL), Ok(()));
        assert_eq!(placing.worked(WORK_PER_CALL - 1), Ok(()), "counted from the last call on");
        assert_eq!(placing.worked(usize::MAX), Err(PlacingEnded));
        assert_eq!(calls, [7, OBJECTS_PER_CALL, OBJECTS_PER_CALL]);
    }
}
