//! The parameters of algorithms: numbers that change their speed and never their pairs.

use super::{Algorithm, split_id};
use std::fmt;

/// A number that an algorithm is tuned by. It changes the work of a frame, never the pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name, unique within the algorithm: `cell-side`.
    pub name: &'static str,
    /// Its meaning with its unit, as the start of a sentence: `Side of a cell, in sides of most objects`.
    pub meaning: &'static str,
    /// The value that the algorithm was tuned to.
    pub default: f64,
    /// Least and greatest value.
    pub range: [f64; 2],
    /// Whether only whole numbers are values.
    pub is_whole: bool,
    /// Whether 0 leaves the choice to the algorithm.
    pub zero_is_automatic: bool,
}

impl Parameter {
    /// A parameter of any value in a range.
    pub const fn number(
        name: &'static str,
        default: f64,
        range: [f64; 2],
        meaning: &'static str,
    ) -> Self {
        Self { name, meaning, default, range, is_whole: false, zero_is_automatic: false }
    }

    /// A parameter of any whole value in a range.
    pub const fn count(
        name: &'static str,
        default: u32,
        [least, most]: [u32; 2],
        meaning: &'static str,
    ) -> Self {
        let range = [least as f64, most as f64];
        let default = default as f64;
        Self { name, meaning, default, range, is_whole: true, zero_is_automatic: false }
    }

    /// The same parameter, where 0 leaves the choice to the algorithm.
    pub(crate) const fn automatic_at_zero(self) -> Self {
        Self { zero_is_automatic: true, ..self }
    }

    /// Whether a number is a value of this parameter.
    pub fn admits(&self, value: f64) -> bool {
        let [least, most] = self.range;
        (least..=most).contains(&value) && (!self.is_whole || value.fract() == 0.0)
    }

    /// Its values in words: `a whole number from 1 to 64`.
    pub fn values(&self) -> String {
        let [least, most] = self.range;
        let kind = if self.is_whole { "a whole number" } else { "a number" };
        format!("{kind} from {least} to {most}")
    }
}

/// Upper bound on the parameters of one algorithm.
pub(crate) const MAX_PARAMETERS: usize = 4;

/// The values that replace defaults, by the names of their parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Values([Option<(&'static str, f64)>; MAX_PARAMETERS]);

impl Values {
    pub(super) const DEFAULTS: Self = Self([None; MAX_PARAMETERS]);

    pub(super) fn get(&self, parameter: &Parameter) -> f64 {
        let own = self.0.iter().flatten().find(|(name, _)| *name == parameter.name);
        own.map_or(parameter.default, |(_, value)| *value)
    }

    /// Replaces a value. The parameters of an algorithm fit: a test of the registry counts them.
    fn set(&mut self, parameter: &Parameter, value: f64) {
        let is_own = |place: &&mut Option<(&str, f64)>| {
            place.is_some_and(|(name, _)| name == parameter.name)
        };
        if let Some(own) = self.0.iter_mut().find(is_own) {
            *own = None;
        }
        let free = self.0.iter_mut().find(|place| place.is_none());
        if let Some(free) = free.filter(|_| value != parameter.default) {
            *free = Some((parameter.name, value));
        }
    }
}

impl Algorithm {
    /// The parameter with this name.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The value of one of its parameters.
    pub fn value(&self, parameter: &Parameter) -> f64 {
        self.values.get(parameter)
    }

    /// The same entry, whose instances have another value of a parameter. The id stays: see
    /// [`id_with_values`](Self::id_with_values).
    ///
    /// # Errors
    ///
    /// If the algorithm has no such parameter, or the value is outside its range.
    ///
    /// ```
    /// # #[cfg(feature = "families")] {
    /// let grid = broadphase::registry::find("grid-uniform").unwrap();
    /// let coarse = grid.with("cell-side", 4.0).unwrap();
    /// assert_eq!(coarse.id_with_values(), "grid-uniform@cell-side=4");
    /// let refusal = grid.with("cell-side", 1e9).unwrap_err().to_string();
    /// assert_eq!(refusal, "cell-side of grid-uniform must be a number from 0.5 to 32, not 1000000000");
    /// # }
    /// ```
    pub fn with(&self, name: &str, value: f64) -> Result<Algorithm, ParameterError> {
        let algorithm = self.family_and_variant();
        let Some(parameter) = self.parameter(name) else {
            let (name, known) = (name.to_owned(), self.parameters);
            return Err(ParameterError::Unknown { algorithm, name, known });
        };
        if !parameter.admits(value) {
            let value = value.to_string();
            return Err(ParameterError::Value { algorithm, parameter: *parameter, value });
        }
        let mut changed = *self;
        // -0 and 0 are one value, and so one id.
        changed.values.set(parameter, value + 0.0);
        Ok(changed)
    }

    /// The same entry with `assignments`: `PARAMETER=VALUE`, several separated by `@`.
    ///
    /// # Errors
    ///
    /// As [`with`](Self::with); or if an assignment is not `PARAMETER=VALUE`, or a parameter is assigned twice.
    pub fn with_all(&self, assignments: &str) -> Result<Algorithm, ParameterError> {
        let mut changed = *self;
        let mut assigned: Vec<&str> = Vec::new();
        for assignment in assignments.split('@') {
            let algorithm = self.family_and_variant();
            let Some((name, text)) = assignment.split_once('=') else {
                let assignment = assignment.to_owned();
                return Err(ParameterError::Form { algorithm, assignment });
            };
            if assigned.contains(&name) {
                let name = name.to_owned();
                return Err(ParameterError::Twice { algorithm, name });
            }
            assigned.push(name);
            // An unknown name is reported before a value that is no number.
            let value = text.parse().unwrap_or(f64::NAN);
            changed = changed.with(name, value).map_err(|error| error.with_text(text))?;
        }
        Ok(changed)
    }

    /// Its id with the values that are not the defaults, in the order of its parameters:
    /// `grid-uniform@cell-side=4@objects-per-cell=1`. [`Algorithms::resolve`](crate::registry::Algorithms::resolve) reads it.
    pub fn id_with_values(&self) -> String {
        let mut id = self.family_and_variant().to_owned();
        for parameter in self.parameters {
            let value = self.value(parameter);
            if value != parameter.default {
                id += &format!("@{}={value}", parameter.name);
            }
        }
        id
    }

    /// Its id without values.
    fn family_and_variant(&self) -> &'static str {
        split_id(self.id).0
    }
}

/// Why a parameter was not set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// There is no algorithm of this name.
    #[error("no algorithm {0}")]
    Algorithm(String),
    /// There is no longer an algorithm of this name.
    #[error("{id} was removed: use {instead}")]
    Removed {
        /// Id of the former algorithm.
        id: &'static str,
        /// Id of the one that replaces it.
        instead: &'static str,
    },
    /// The algorithm has no such parameter.
    #[error("{algorithm} has no parameter `{name}`: it has {}", Known(known))]
    Unknown {
        /// Id of the algorithm.
        algorithm: &'static str,
        /// The unknown name.
        name: String,
        /// Its parameters.
        known: &'static [Parameter],
    },
    /// The value is no number, or outside the range.
    #[error("{} of {algorithm} must be {}, not {value}", parameter.name, parameter.values())]
    Value {
        /// Id of the algorithm.
        algorithm: &'static str,
        /// The parameter.
        parameter: Parameter,
        /// The refused value.
        value: String,
    },
    /// Something else than `PARAMETER=VALUE`.
    #[error("{algorithm}@{assignment}: expected PARAMETER=VALUE after the @, found `{assignment}`")]
    Form {
        /// Id of the algorithm.
        algorithm: &'static str,
        /// The value found.
        assignment: String,
    },
    /// Something else than `ID.PARAMETER=V[,V..]`.
    #[error("expected ID.PARAMETER=V[,V..], found `{0}`")]
    Values(String),
    /// A parameter has two values.
    #[error("{algorithm}: `{name}` is set twice")]
    Twice {
        /// Id of the algorithm.
        algorithm: &'static str,
        /// The parameter.
        name: String,
    },
}

impl ParameterError {
    /// The same error, with a value as it was written.
    fn with_text(self, text: &str) -> Self {
        match self {
            Self::Value { algorithm, parameter, .. } => {
                Self::Value { algorithm, parameter, value: format!("`{text}`") }
            }
            other => other,
        }
    }
}

/// The parameters that an error names.
struct Known<'a>(&'a [Parameter]);

impl fmt::Display for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (index, parameter) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{} ({})", parameter.name, parameter.values())?;
        }
        Ok(())
    }
}
