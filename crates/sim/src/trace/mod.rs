//! Recorded boxes: `.bpt` files.
//!
//! Little-endian, no padding: the 8 bytes `BPTRACE1`, `u32` n, `u32` frames, `f32` dt in seconds,
//! `u32` flags (0), then frames × n boxes of six `f32` each: min x, y, z, max x, y, z. A box with
//! `min > max` stands for an object that is absent in the frame. The length of a file is exactly
//! 24 + frames × n × 24 bytes.
//!
//! Files may be larger than memory: [`TraceReader`] and [`TraceWriter`] hold one frame.

mod error;
mod header;
mod reader;
mod writer;

pub use error::TraceError;
pub use header::is_trace;
pub use reader::TraceReader;
pub use writer::TraceWriter;
