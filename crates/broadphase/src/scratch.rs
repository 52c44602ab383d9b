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
