//! Bodies that a user drives.

use super::World;

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
    /// No key.
    pub const NONE: Self = Self { left: false, right: false, up: false, down: false, jump: false };

    /// Whether no key is held.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

impl World {
    /// Holds keys that drive bodies, from the next step on until they are changed. While none is held, the scene's own keys
    /// are.
    pub fn set_drive(&mut self, keys: DriveKeys) {
        self.drive = keys;
    }

    /// The keys that [`set_drive`](Self::set_drive) holds.
    pub fn drive(&self) -> DriveKeys {
        self.drive
    }
}
