//! How long the GPU takes, by its own clock.

use super::Gpu;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Pictures whose times are on their way at once. More are not timed.
const IN_FLIGHT: usize = 4;

/// Bytes of the two readings of a picture.
const READING_BYTES: u64 = 16;

/// Reads the GPU's clock before and after each picture. The times come a picture or two later.
pub struct GpuTimer {
    period_ns: f64,
    slots: Vec<Slot>,
}

/// One picture's readings.
struct Slot {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readback: wgpu::Buffer,
    state: State,
}

enum State {
    Free,
    /// Being encoded, for the picture of this tag.
    Open(u64),
    /// On its way.
    Sent(u64, Receiver<Result<(), wgpu::BufferAsyncError>>),
}

impl State {
    /// The tag of a picture whose readings have come in. Frees the slot then, and where they never
    /// will.
    fn take_arrived(&mut self) -> Option<u64> {
        let State::Sent(tag, receiver) = self else { return None };
        let arrived = match receiver.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Ok(Ok(())) => Some(*tag),
            Ok(Err(_)) | Err(TryRecvError::Disconnected) => None,
        };
        *self = State::Free;
        arrived
    }
}

impl GpuTimer {
    /// What an adapter must offer for it.
    pub const FEATURES: wgpu::Features =
        wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

    /// A timer; `None` where the device has no clock to read.
    pub fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu.device.features().contains(Self::FEATURES) {
            return None;
        }
        let slot = || {
            let queries = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("picture"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            });
            let buffer = |usage| {
                gpu.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("timestamps"),
                    size: READING_BYTES,
                    usage,
                    mapped_at_creation: false,
                })
            };
            let resolve = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
            let readback = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
            Slot {
                queries,
                resolved: buffer(resolve),
                readback: buffer(readback),
                state: State::Free,
            }
        };
        Some(Self {
            period_ns: f64::from(gpu.queue.get_timestamp_period()),
            slots: (0..IN_FLIGHT).map(|_| slot()).collect(),
        })
    }

    /// Encodes the first reading, before anything of the picture. `tag` comes back with its time.
    pub fn begin(&mut self, encoder: &mut wgpu::CommandEncoder, tag: u64) {
        if let Some(slot) = self.slots.iter_mut().find(|slot| matches!(slot.state, State::Free)) {
            encoder.write_timestamp(&slot.queries, 0);
            slot.state = State::Open(tag);
        }
    }

    /// Encodes the second reading, after everything of the picture.
    pub fn end(&mut self, encoder: &mut wgpu::CommandEncoder) {
        for slot in self.slots.iter().filter(|slot| matches!(slot.state, State::Open(_))) {
            encoder.write_timestamp(&slot.queries, 1);
            encoder.resolve_query_set(&slot.queries, 0..2, &slot.resolved, 0);
            encoder.copy_buffer_to_buffer(&slot.resolved, 0, &slot.readback, 0, READING_BYTES);
        }
    }

    /// To be called when what was encoded has been submitted.
    pub fn submitted(&mut self) {
        for slot in &mut self.slots {
            if let State::Open(tag) = slot.state {
                let (sender, receiver) = channel();
                slot.readback.map_async(wgpu::MapMode::Read, .., move |result| {
                    // A timer that is gone needs no answer.
                    let _ = sender.send(result);
                });
                slot.state = State::Sent(tag, receiver);
            }
        }
    }

    /// Calls `tell` with tag and nanoseconds of every picture whose time has come in since the last
    /// call. The device must have been polled.
    pub fn collect(&mut self, mut tell: impl FnMut(u64, u64)) {
        for slot in &mut self.slots {
            let Some(tag) = slot.state.take_arrived() else { continue };
            if let Ok(bytes) = slot.readback.get_mapped_range(..) {
                let readings: [u64; 2] = *bytemuck::from_bytes(&bytes);
                let ticks = readings[1].saturating_sub(readings[0]);
                tell(tag, (ticks as f64 * self.period_ns) as u64);
            }
            slot.readback.unmap();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_free_once_its_picture_was_answered_or_never_will_be() {
        let (sender, receiver) = channel();
        let mut state = State::Sent(7, receiver);
        assert_eq!(state.take_arrived(), None);
        assert!(matches!(state, State::Sent(7, _)), "it is still on its way");
        sender.send(Ok(())).unwrap();
        assert_eq!(state.take_arrived(), Some(7));
        assert!(matches!(state, State::Free));

        let (sender, receiver) = channel();
        sender.send(Err(wgpu::BufferAsyncError)).unwrap();
        let mut state = State::Sent(8, receiver);
        assert_eq!(state.take_arrived(), None);
        assert!(matches!(state, State::Free));

        let (sender, receiver) = channel();
        drop(sender);
        let mut state = State::Sent(9, receiver);
        assert_eq!(state.take_arrived(), None);
        assert!(matches!(state, State::Free));
    }
}
