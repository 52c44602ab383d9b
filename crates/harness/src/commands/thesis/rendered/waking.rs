//! Drawing that wakes a graphics card before a repetition.

/// How long a case is drawn before its first repetition. The clock of a graphics card that has little to do is low: of an
/// H200 it fell from 1,980 to 345 MHz while brute force searched, and was back after 3 s of drawing.
const WAKING_NS: u64 = 3_000_000_000;

/// Before the others, it is drawn until this share of the fastest drawing is reached, for as long at most.
const AWAKE: f64 = 0.9;

/// Time over which the speed of drawing is measured.
const WINDOW_NS: u64 = 100_000_000;

/// Drawing that wakes a graphics card before a repetition.
#[derive(Default)]
pub(super) struct Waking {
    /// The fastest drawing of a window, pictures a nanosecond; 0 before the first.
    fastest: f64,
}

impl Waking {
    /// Draws until that is about as fast as it ever was, or for a time.
    pub(super) fn wake<E>(
        &mut self,
        now: impl Fn() -> u64,
        mut draw: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let goal = if self.fastest > 0.0 { AWAKE * self.fastest } else { f64::INFINITY };
        let begin = now();
        loop {
            let (from, mut pictures) = (now(), 0.0);
            while now() - from < WINDOW_NS {
                draw()?;
                pictures += 1.0;
            }
            let speed = pictures / (now() - from) as f64;
            self.fastest = self.fastest.max(speed);
            if speed >= goal || now() - begin >= WAKING_NS {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn card_is_drawn_awake_before_each_repetition() {
        const MS: u64 = 1_000_000;
        let clock = Cell::new(0);
        let mut waking = Waking::default();
        // A picture takes 4 ms until the card was busy for 1.5 s, then 1 ms.
        let mut wake = |asleep_for: u64| {
            let (begin, awake_at) = (clock.get(), clock.get() + asleep_for);
            let draw = || {
                clock.set(clock.get() + if clock.get() < awake_at { 4 * MS } else { MS });
                Ok::<_, ()>(())
            };
            waking.wake(|| clock.get(), draw).unwrap();
            (clock.get() - begin) / MS
        };
        assert_eq!(wake(1_500 * MS), 3_000, "at first, its fastest is not known");
        assert_eq!(wake(0), 100, "it is awake");
        assert_eq!(wake(1_500 * MS), 1_600, "it fell asleep");
        assert_eq!(wake(u64::MAX / 2), 3_000, "it will not wake");
    }
}
