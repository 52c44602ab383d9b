//! How bodies are driven: the rule that moves them, and keys that a scene holds.

use super::lines::{self, text_of};
use narrowphase::volume::{self, VolumeKind};
use std::fmt;

/// The rule by which driven bodies move, and their speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driving {
    /// The rule.
    pub rule: MoveRule,
    /// Speed along a key's direction, in units/s, above 0.
    pub speed: f32,
}

impl Default for Driving {
    /// The driving of a scene that gives none.
    fn default() -> Self {
        Self { rule: MoveRule::Slide, speed: 0.5 }
    }
}

/// The response of a driven body to things in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveRule {
    /// It stays where it is if its bounding volume would touch anything at the end of the step (004). The id of the
    /// volume, one of [`volume::VOLUMES`].
    Refuse(&'static str),
    /// It moves along walls, obstacles and static bodies, and pushes others.
    Slide,
    /// As [`Slide`](Self::Slide), but gravity pulls it, it stands on what is below, and it jumps from there. Gravity is to
    /// point along -z.
    Walk,
}

impl MoveRule {
    /// The volume of [`Refuse`](Self::Refuse); `None` for other rules, and if there is no volume of this id.
    pub fn volume(self) -> Option<&'static VolumeKind> {
        match self {
            Self::Refuse(id) => volume::find(id),
            Self::Slide | Self::Walk => None,
        }
    }
}

/// As in a scene file: `refuse sphere 0.5`.
impl fmt::Display for Driving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text_of(*self, lines::driving))
    }
}

/// Keys that a scene holds for some time; such times follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriveStep {
    /// For how long, in simulated seconds, above 0.
    pub seconds: f32,
    /// The keys.
    pub keys: DriveKeys,
}

/// The keys that drive bodies, held down in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DriveKeys {
    /// Along -x.
    pub left: bool,
    /// Along x.
    pub right: bool,
    /// Along y; in a flat world along z.
    pub up: bool,
    /// Along -y; in a flat world along -z.
    pub down: bool,
    /// A jump, where bodies walk.
    pub jump: bool,
}

impl DriveKeys {
    /// The keys that hold in the middle of a step, counted from 1: rounding moves no change of keys to another step.
    pub fn in_step(step: u64, holds: &[DriveStep], dt: f32) -> Self {
        let middle = (step as f64 - 0.5) * f64::from(dt);
        let mut end = 0.0;
        let current = holds.iter().find(|hold| {
            end += f64::from(hold.seconds);
            middle < end
        });
        current.map_or(Self::NONE, |hold| hold.keys)
    }

    /// No key.
    pub const NONE: Self = Self { left: false, right: false, up: false, down: false, jump: false };

    /// Whether no key is held.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// The keys of a text as in a scene file: `none`, or words with `+` between them, each once: `up+right`. `None` for
    /// other texts.
    pub fn parse(text: &str) -> Option<Self> {
        let mut keys = Self::NONE;
        if text == "none" {
            return Some(keys);
        }
        for word in text.split('+') {
            let (_, key) = keys.by_words().into_iter().find(|(name, _)| *name == word)?;
            if std::mem::replace(key, true) {
                return None;
            }
        }
        Some(keys)
    }

    fn by_words(&mut self) -> [(&'static str, &mut bool); 5] {
        let Self { left, right, up, down, jump } = self;
        [("left", left), ("right", right), ("up", up), ("down", down), ("jump", jump)]
    }
}

/// As in a scene file.
impl fmt::Display for DriveKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("none");
        }
        let mut keys = *self;
        let held = keys.by_words().into_iter().filter(|(_, key)| **key);
        let words: Vec<&str> = held.map(|(word, _)| word).collect();
        f.write_str(&words.join("+"))
    }
}
