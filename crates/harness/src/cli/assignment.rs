//! The values of `--set`: `ID.PARAMETER=V[,V..]`.

use crate::registry;
use broadphase::registry::Algorithm;
use std::str::FromStr;

/// The entries of one `--set`, one for each value.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(super) entries: Vec<&'static Algorithm>,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self { entries: registry::offered().resolve_values(text).map_err(registry::refusal)? })
    }
}
