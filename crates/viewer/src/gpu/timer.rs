//! GPU time of each picture, by the GPU's own clock.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Pictures that are timed at once; further ones are not timed. Times arrive one or two pictures
/// later.
const IN_FLIGHT: usize = 4;

/// Bytes of a picture's two timestamps.
const TIMESTAMP_BYTES: u64 = 16;

/// Reads the GPU's clock before and after each picture. The times arrive one or two pictures later.
pub struct GpuTimer {
    period_ns: f64,
    slots: Vec<Slot>,
}

/// The two timestamps of one picture.
struct Slot {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readback: wgpu::Buffer,
    state: State,
}

enum State {
    Free,
    /// Being encoded, for the picture with this tag.
    Open(u64),
    /// Submitted, and being copied back.
    Sent(u64, Receiver<Result<(), wgpu::BufferAsyncError>>),
}

impl State {
    /// The tag of a picture whose timestamps have arrived. Frees the slot then, and if they never
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
    /// The features that an adapter must offer.
    pub const FEATURES: wgpu::Features =
        wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

    /// A timer; `None` if the device has no clock to read.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Self> {
        if !device.features().contains(Self::FEATURES) {
            return None;
        }
        let slot = || {
            let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("picture"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            });
            let buffer = |usage| {
                device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("timestamps"),
                    size: TIMESTAMP_BYTES,
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
            period_ns: f64::from(queue.get_timestamp_period()),
            slots: (0..IN_FLIGHT).map(|_| slot()).collect(),
        })
    }

    /// Encodes the first timestamp, before the picture. `tag` is returned with its time.
    pub fn begin(&mut self, encoder: &mut wgpu::CommandEncoder, tag: u64) {
        if let Some(slot) = self.slots.iter_mut().find(|slot| matches!(slot.state, State::Free)) {
            encoder.write_timestamp(&slot.queries, 0);
            slot.state = State::Open(tag);
        }
    }

    /// Encodes the second timestamp, after the picture.
    pub fn end(&mut self, encoder: &mut wgpu::CommandEncoder) {
        for slot in self.slots.iter().filter(|slot| matches!(slot.state, State::Open(_))) {
            encoder.write_timestamp(&slot.queries, 1);
            encoder.resolve_query_set(&slot.queries, 0..2, &slot.resolved, 0);
            encoder.copy_buffer_to_buffer(&slot.resolved, 0, &slot.readback, 0, TIMESTAMP_BYTES);
        }
    }

    /// Requests the timestamps; to be called after the commands were submitted.
    pub fn submitted(&mut self) {
        for slot in &mut self.slots {
            if let State::Open(tag) = slot.state {
                let (sender, receiver) = channel();
                slot.readback.map_async(wgpu::MapMode::Read, .., move |result| {
                    // A dropped timer needs no answer.
                    let _ = sender.send(result);
                });
                slot.state = State::Sent(tag, receiver);
            }
        }
    }

    /// Calls `report` with tag and nanoseconds of every picture whose time has arrived since the
    /// last call. The device must have been polled.
    pub fn collect(&mut self, mut report: impl FnMut(u64, u64)) {
        for slot in &mut self.slots {
            let Some(tag) = slot.state.take_arrived() else { continue };
            if let Ok(bytes) = slot.readback.get_mapped_range(..) {
                let timestamps: [u64; 2] = *bytemuck::from_bytes(&bytes);
                let ticks = timestamps[1].saturating_sub(timestamps[0]);
                report(tag, (ticks as f64 * self.period_ns) as u64);
            }
            slot.readback.unmap();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slot_is_freed_by_an_answer_or_a_failure() {
        let (sender, receiver) = channel();
        let mut state = State::Sent(7, receiver);
        assert_eq!(state.take_arrived(), None);
        assert!(matches!(state, State::Sent(7, _)), "no answer yet");
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
