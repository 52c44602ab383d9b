//! Errors that the graphics device reports on its own.

use crate::one_line::one_line;
use std::sync::{Arc, Mutex, PoisonError};

/// Faults that the device reported outside of any call: validation errors, a lost device.
#[derive(Clone, Debug, Default)]
pub struct Faults(Arc<Mutex<Option<String>>>);

impl Faults {
    /// The first fault; later ones are mostly its consequences.
    pub fn first(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn record(&self, fault: String) {
        log::error!("{fault}");
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
    }

    pub(super) fn listen_to(&self, device: &wgpu::Device) {
        let faults = self.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            faults.record(format!("graphics error: {}", one_line(&error.to_string())));
        }));
        let faults = self.clone();
        device.set_device_lost_callback(move |reason, message| {
            // Dropping the device ourselves is reported here too.
            if reason != wgpu::DeviceLostReason::Destroyed {
                faults.record(format!("the graphics device was lost: {}", one_line(&message)));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_fault_is_kept_for_every_handle() {
        let faults = Faults::default();
        let other = faults.clone();
        assert_eq!(other.first(), None);
        faults.record("cause".to_owned());
        faults.record("consequence".to_owned());
        assert_eq!(other.first().as_deref(), Some("cause"));
    }
}
