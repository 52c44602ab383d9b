//! Memory that is kept between frames.

/// Empties a list for the next frame, and makes sure that it has room for half as many elements
/// again as the frame before had.
///
/// How many there are differs a little from frame to frame. With this much to spare, a list grows
/// while the scene changes, and a steady frame finds room.
pub(crate) fn renew<T>(list: &mut Vec<T>) {
    renew_for(list, list.len());
}

/// As [`renew`], where the frame before had `len` elements at the most, in a list that is filled
/// several times a frame.
pub(crate) fn renew_for<T>(list: &mut Vec<T>, len: usize) {
    let wanted = len + len / 2 + 64;
    list.clear();
    if list.capacity() < wanted {
        // Twice, so that the next small growth is not another allocation.
        list.reserve(2 * wanted);
    }
}

/// What the tasks of a search have needed of a list at the most.
///
/// Which task finds how much changes as the objects move. So each keeps room for what any has
/// needed: then a steady frame finds room, whoever does the work. But only up to a bound: what one
/// crowd needs would else be asked for by every task.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SharedRoom(usize);

impl SharedRoom {
    /// Elements that all tasks have room for because one needed them, at the most.
    const BOUND: usize = 1 << 14;

    /// Takes over what a task has needed.
    pub(crate) fn learn(&mut self, len: usize) {
        self.0 = self.0.max(len.min(Self::BOUND));
    }

    /// How much that was, up to the bound.
    pub(crate) fn elements(self) -> usize {
        self.0
    }

    /// As [`renew_for`], for what this list itself has needed or any other has.
    pub(crate) fn renew<T>(self, list: &mut Vec<T>, len: usize) {
        renew_for(list, len.max(self.elements()));
    }
}

/// Gives a list a length; where it has to grow, half as much again.
pub(crate) fn resize_roomy<T: Clone>(list: &mut Vec<T>, len: usize, fill: T) {
    if list.capacity() < len {
        list.reserve_exact(len + len / 2 + 64 - list.len());
    }
    list.resize(len, fill);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_has_room_for_what_one_needed_up_to_a_bound() {
        let mut room = SharedRoom::default();
        room.learn(1000);
        room.learn(10);
        let mut list = vec![0; 3];
        room.renew(&mut list, 3);
        assert!(list.is_empty() && list.capacity() >= 1500);
        room.learn(usize::MAX);
        room.renew(&mut list, 3);
        assert!((SharedRoom::BOUND..5 * SharedRoom::BOUND).contains(&list.capacity()));
    }

    #[test]
    fn a_list_that_varies_by_a_third_stays_where_it_is() {
        let mut list = vec![0; 1000];
        renew(&mut list);
        let room = list.capacity();
        for len in [1300, 700, 1333, 1000, 1400] {
            list.resize(len, 0);
            renew(&mut list);
        }
        assert_eq!((list.len(), list.capacity()), (0, room));
    }
}
