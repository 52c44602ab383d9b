//! The entry of an algorithm: its description, its parameters, and how it is created. It knows no algorithm: each
//! algorithm defines its entries, and [`registry`](crate::registry) lists them.

mod algorithm;
mod kind;
mod parameter;
mod settings;

pub use algorithm::{Algorithm, Build, CreateError};
pub use kind::Kind;
pub use parameter::{Parameter, ParameterError};
pub use settings::Settings;

#[cfg(test)]
pub(crate) use parameter::MAX_PARAMETERS;

/// The parts of an id: that of the entry, and the values that it sets, as
/// [`with_all`](Algorithm::with_all) reads them.
///
/// ```
/// # #[cfg(feature = "families")] {
/// # use broadphase::registry::split_id;
/// assert_eq!(split_id("bsp"), ("bsp", None));
/// assert_eq!(split_id("kd-tree@depth=3@period=0.5"), ("kd-tree", Some("depth=3@period=0.5")));
/// # }
/// ```
pub fn split_id(id: &str) -> (&str, Option<&str>) {
    id.split_once('@').map_or((id, None), |(entry, values)| (entry, Some(values)))
}
