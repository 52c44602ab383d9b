//! When policies are not simulated, since none was worth its cost lately.

/// The forecast sleeps after no policy was worth its cost for this many frames.
const AWAKE: u32 = 12;

/// Frames for which it sleeps: the first time, and at most where no policy pays after it wakes.
const ASLEEP: u32 = 32;
const MAX_ASLEEP: u32 = 128;

/// It wakes where the mean speed of the sampled objects falls below this share of what it was.
const SLOWER: f32 = 0.6;

/// Weight of the present frame in the mean speed.
const SPEED_NOW: f32 = 0.2;

/// The work of a forecast in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Asleep,
    /// It simulates again, after frames in which it did not.
    Wakes,
    Awake,
}

/// Decides when a forecast sleeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Sleep {
    /// Frames since a policy was worth its cost.
    useless_for: u32,
    /// Frames since the forecast fell asleep, 0 while it is awake; and for how many it sleeps.
    asleep_for: u32,
    asleep: u32,
    /// How fast the sampled objects are, and were when it fell asleep: sums, units a frame.
    speed: f32,
    fell_asleep_at: f32,
}

impl Sleep {
    /// Takes over a frame: how fast the sampled objects are, and whether any policy was worth its
    /// cost in the last one.
    pub(super) fn step(&mut self, speed: f32, is_any_useful: bool) -> Phase {
        self.speed += (speed - self.speed) * SPEED_NOW;
        if self.asleep_for > 0 {
            self.asleep_for += 1;
            let is_slower = self.speed < SLOWER * self.fell_asleep_at;
            if self.asleep_for <= self.asleep && !is_slower {
                return Phase::Asleep;
            }
            if is_slower {
                self.asleep = 0;
            }
            (self.asleep_for, self.useless_for) = (0, 0);
            return Phase::Wakes;
        }
        if is_any_useful {
            (self.useless_for, self.asleep) = (0, 0);
        } else {
            self.useless_for += 1;
        }
        if self.useless_for > AWAKE {
            (self.asleep_for, self.fell_asleep_at) = (1, self.speed);
            self.asleep = (2 * self.asleep).clamp(ASLEEP, MAX_ASLEEP);
        }
        Phase::Awake
    }
}
