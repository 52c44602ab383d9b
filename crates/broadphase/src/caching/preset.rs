//! The caches that an algorithm uses.

use std::fmt::Debug;

/// Which caches an algorithm may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caches {
    /// Caches resting objects only.
    Resting,
    /// Caches all objects, in every frame.
    Always,
    /// Caches all objects, where that pays.
    Any,
}

/// The caches that an algorithm uses, as a type.
pub trait Preset: Clone + Debug + Send + Sync + 'static {
    /// These caches.
    const CACHES: Caches;
}

/// Caches where that pays.
#[derive(Clone, Debug)]
pub struct WherePays;

impl Preset for WherePays {
    const CACHES: Caches = Caches::Any;
}

/// Caches all objects, in every frame.
#[derive(Clone, Debug)]
pub struct Always;

impl Preset for Always {
    const CACHES: Caches = Caches::Always;
}

/// Caches resting objects only.
#[derive(Clone, Debug)]
pub struct RestingOnly;

impl Preset for RestingOnly {
    const CACHES: Caches = Caches::Resting;
}
