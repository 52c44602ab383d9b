//! Bodies that a user drives.

use super::World;
use crate::scene::DriveKeys;

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
