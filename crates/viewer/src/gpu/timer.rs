//! GPU time of pictures, by the GPU's own clock.

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
    /// Being encoded.
    Open,
    /// Submitted, and being copied back.
    Sent(Receiver<Result<(), wgpu::BufferAsyncError>>),
}

impl State {
    /// Whether the timestamps have arrived. Frees the slot then, and if they never will.
    fn take_arrived(&mut self) -> bool {
        let State::Sent(receiver) = self else { return false };
        let arrived = match receiver.try_recv() {
            Err(TryRecvError::Empty) => return false,
            answer => matches!(answer, Ok(Ok(()))),
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

    /// Encodes the first timestamp, before the picture.
    pub fn begin(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(slot) = self.slots.iter_mut().find(|slot| matches!(slot.state, State::Free)) {
            encoder.write_timestamp(&slot.queries, 0);
            slot.state = State::Open;
        }
    }

    /// Encodes the second timestamp, after the picture.
    pub fn end(&mut self, encoder: &mut wgpu::CommandEncoder) {
        for slot in self.slots.iter().filter(|slot| matches!(slot.state, State::Open)) {
            encoder.write_timestamp(&slot.queries, 1);
            encoder.resolve_query_set(&slot.queries, 0..2, &slot.resolved, 0);
            encoder.copy_buffer_to_buffer(&slot.resolved, 0, &slot.readback, 0, TIMESTAMP_BYTES);
        }
    }

    /// Requests the timestamps; to be called after the commands were submitted.
    pub fn submitted(&mut self) {
        for slot in &mut self.slots {
            if let State::Open = slot.state {
                let (sender, receiver) = channel();
                slot.readback.map_async(wgpu::MapMode::Read, .., move |result| {
                    // A dropped timer needs no answer.
                    let _ = sender.send(result);
                });
                slot.state = State::Sent(receiver);
            }
        }
    }

    /// Nanoseconds of the pictures whose times have arrived since the last call. Times arrive when the device is polled, as
    /// by each submission.
    pub fn collect(&mut self) -> u64 {
        let mut sum_ns = 0;
        for slot in &mut self.slots {
            if !slot.state.take_arrived() {
                continue;
            }
            if let Ok(bytes) = slot.readback.get_mapped_range(..) {
                let timestamps: [u64; 2] = *bytemuck::from_bytes(&bytes);
                let ticks = timestamps[1].saturating_sub(timestamps[0]);
                sum_ns += (ticks as f64 * self.period_ns) as u64;
            }
            slot.readback.unmap();
        }
        sum_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slot_is_freed_by_an_answer_or_a_failure() {
        let answered = |answer: Option<Result<(), wgpu::BufferAsyncError>>| {
            let (sender, receiver) = channel();
            let mut state = State::Sent(receiver);
            assert!(!state.take_arrived() && matches!(state, State::Sent(_)), "no answer yet");
            answer.into_iter().for_each(|answer| sender.send(answer).unwrap());
            drop(sender);
            (state.take_arrived(), matches!(state, State::Free))
        };
        assert_eq!(answered(Some(Ok(()))), (true, true));
        assert_eq!(answered(Some(Err(wgpu::BufferAsyncError))), (false, true));
        assert_eq!(answered(None), (false, true));
    }
}
