//! Why a function failed: a status with its text.

use crate::{BpStatus, environment, last_error};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a function failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("`{0}` is null")]
    Null(&'static str),
    #[error("`{name}` is not aligned to {alignment} bytes")]
    Misaligned { name: &'static str, alignment: usize },
    #[error("`{name}` is not UTF-8: {error}")]
    Text { name: &'static str, error: std::str::Utf8Error },
    #[error("{0}; bp_algorithm_id lists the ids")]
    UnknownAlgorithm(String),
    #[error("{0}")]
    Settings(String),
    #[error("`{name}` is {length}, but at most {most} are possible")]
    Length { name: &'static str, length: usize, most: usize },
    #[error("{0}")]
    Box(String),
    #[error("layer {object}: its group is {group}, but the last group is {last}")]
    Layer { object: usize, group: u8, last: u8 },
    #[error("{0}")]
    Query(String),
    #[error("`count` is {count}, but the last frame had {expected} boxes")]
    OtherFrame { count: usize, expected: usize },
    #[error("the result does not fit into memory")]
    Memory,
    #[error("another thread is in a call on this instance")]
    InUse,
    #[error("the library panicked: {0}; destroy the instance")]
    Panic(String),
    #[error("an earlier call on this instance panicked; destroy it")]
    EarlierPanic,
}

impl Failure {
    fn status(&self) -> BpStatus {
        match self {
            Failure::Null(_) | Failure::Misaligned { .. } => BpStatus::InvalidPointer,
            Failure::Text { .. } => BpStatus::InvalidText,
            Failure::UnknownAlgorithm(_) => BpStatus::UnknownAlgorithm,
            Failure::Settings(_) => BpStatus::InvalidSettings,
            Failure::Length { .. } => BpStatus::InvalidLength,
            Failure::Box(_) => BpStatus::InvalidBox,
            Failure::Layer { .. } => BpStatus::InvalidLayer,
            Failure::Query(_) | Failure::OtherFrame { .. } => BpStatus::InvalidQuery,
            Failure::Memory => BpStatus::OutOfMemory,
            Failure::InUse => BpStatus::InUse,
            Failure::Panic(_) | Failure::EarlierPanic => BpStatus::Panicked,
        }
    }
}

/// Runs a function's body in the default floating-point environment. A failure, or a panic, becomes its status, and the
/// thread's last error.
pub(crate) fn status_of(body: impl FnOnce() -> Result<(), Failure>) -> BpStatus {
    let _of_caller = environment::OfCaller::replace();
    // An instance whose call panicked has a poisoned lock, and nothing else is shared between calls.
    let result = catch_unwind(AssertUnwindSafe(body))
        .unwrap_or_else(|payload| Err(Failure::Panic(message(&*payload).to_owned())));
    match result {
        Ok(()) => BpStatus::Ok,
        Err(failure) => {
            last_error::keep(&failure.to_string());
            failure.status()
        }
    }
}

/// The message of a panic.
fn message(payload: &(dyn Any + Send)) -> &str {
    let formatted = payload.downcast_ref::<String>().map(String::as_str);
    formatted.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}
