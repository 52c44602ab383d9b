//! Any frames read back bit by bit, and any damage is an error.

// Clippy does not see the helpers of an integration test as tests.

use crate::trace_files::{bytes, folder, frames, read, read_bytes, write};
use broadphase::Aabb;
use glam::Vec3;
use proptest::prelude::*;
use sim::TraceError;

fn any_box() -> impl Strategy<Value = Aabb> {
    let value =
        proptest::num::f32::NORMAL | proptest::num::f32::SUBNORMAL | proptest::num::f32::ZERO;
    let corner = [value, value, value].prop_map(Vec3::from);
    prop_oneof![
        1 => Just(Aabb::EMPTY),
        4 => (corner.clone(), corner).prop_map(|(a, b)| Aabb::new(a.min(b), a.max(b))),
    ]
}

proptest! {
    #[test]
    fn any_frames_read_back_bit_by_bit(
        frames in (1usize..6).prop_flat_map(|objects| {
            let frame = proptest::collection::vec(any_box(), objects);
            proptest::collection::vec(frame, 1..5)
        }),
    ) {
        let (_folder, path) = folder();
        write(&path, &frames);
        let bits = |frames: &[Vec<Aabb>]| -> Vec<u32> {
            let values = frames.concat().into_iter().flat_map(|b| {
                b.min.to_array().into_iter().chain(b.max.to_array())
            });
            values.map(f32::to_bits).collect()
        };
        prop_assert_eq!(bits(&read(&path).unwrap()), bits(&frames));
    }

    #[test]
    fn any_truncation_is_an_error(length in 0usize..168) {
        prop_assert!(read_bytes(&bytes()[..length]).is_err());
    }

    #[test]
    fn flipped_header_bit_matters_except_in_the_time_step(bit in 0usize..192) {
        let mut bytes = bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let read = read_bytes(&bytes);
        if (16..20).contains(&(bit / 8)) {
            let consistent = read.map_or(true, |read| read == frames());
            prop_assert!(consistent);
        } else {
            prop_assert!(read.is_err());
        }
    }

    #[test]
    fn arbitrary_boxes_are_read_or_named(tail in proptest::collection::vec(any::<u8>(), 144)) {
        let mut bytes = bytes();
        bytes[24..].copy_from_slice(&tail);
        if let Err(error) = read_bytes(&bytes) {
            prop_assert!(matches!(error, TraceError::BadBox { .. }), "{}", error);
        }
    }
}
