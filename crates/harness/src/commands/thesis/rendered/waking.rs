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
