//! A list of algorithms: what a program offers.

use crate::entry::{Algorithm, ParameterError, split_id};
use std::ops::Deref;
use std::slice;
use std::sync::{Mutex, PoisonError};

/// A list of algorithms, which a program passes to what offers, runs or compares them. The first entry is the
/// reference. Variants follow their family.
#[derive(Clone, Copy, Debug)]
pub struct Algorithms(&'static [Algorithm]);

impl Algorithms {
    /// The list of these entries.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub const fn new(entries: &'static [Algorithm]) -> Self {
        assert!(!entries.is_empty(), "a list has a reference");
        Self(entries)
    }

    /// This list, with more entries at its end: those of another library, or of a device. It is kept until the
    /// program ends, so a program makes it once.
    ///
    /// ```
    /// use broadphase::registry::{ALGORITHMS, Algorithm, Kind};
    ///
    /// let gpu = Algorithm::new("gpu-sap", Kind::Sorting, |_| unreachable!());
    /// let gpu = Algorithm { unavailable: Some("no adapter"), ..gpu };
    /// let offered = ALGORITHMS.with(&[gpu]);
    /// assert_eq!(offered.find("gpu-sap").unwrap().unavailable, Some("no adapter"));
    /// ```
    #[must_use]
    pub fn with(self, more: &[Algorithm]) -> Self {
        match more {
            [] => self,
            _ => Self([self.0, more].concat().leak()),
        }
    }

    /// The entries in their order.
    pub fn iter(self) -> slice::Iter<'static, Algorithm> {
        self.0.iter()
    }

    /// The algorithm that the others are compared with: the first.
    pub fn reference(self) -> &'static Algorithm {
        &self.0[0]
    }

    /// The first entry of each family.
    pub fn families(self) -> impl Iterator<Item = &'static Algorithm> + Clone {
        self.iter().filter(|entry| entry.variant.is_none())
    }

    /// The algorithm with this id, which sets no parameters.
    pub fn find(self, id: &str) -> Option<&'static Algorithm> {
        self.iter().find(|entry| entry.id == id)
    }

    /// The algorithm with this id, which may set [parameters](crate::registry::Parameter): `ID@PARAMETER=VALUE`,
    /// several as `ID@A=1@B=2`.
    ///
    /// The entry's id is written in one way: parameters in their order, numbers in their shortest form, defaults left
    /// out. An entry that sets parameters is created at its first use, and kept until the program ends. Its
    /// display name has the values.
    ///
    /// # Errors
    ///
    /// If there is no such algorithm or parameter, as [`unknown`](super::unknown) says, or a value is outside its range.
    ///
    /// ```
    /// # use broadphase::registry::ALGORITHMS;
    /// let fine = ALGORITHMS.resolve("grid-uniform@cell-side=1.0")?;
    /// assert_eq!((fine.id, fine.family), ("grid-uniform@cell-side=1", "grid-uniform"));
    /// # Ok::<(), broadphase::registry::ParameterError>(())
    /// ```
    pub fn resolve(self, id: &str) -> Result<&'static Algorithm, ParameterError> {
        /// Entries that set parameters, each with the entry that it is of. By address: another list may create
        /// another algorithm for the same id. A `const` list has several addresses, and only keeps more copies.
        static CONFIGURED: Mutex<Vec<[&'static Algorithm; 2]>> = Mutex::new(Vec::new());
        let (base, assignments) = split_id(id);
        let entry = self.find(base).ok_or_else(|| super::unknown(base))?;
        let Some(assignments) = assignments else { return Ok(entry) };
        let changed = entry.with_all(assignments)?;
        let id = changed.id_with_values();
        if id == entry.id {
            return Ok(entry);
        }
        let mut known = CONFIGURED.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |[of, known]: &&[&Algorithm; 2]| std::ptr::eq(*of, entry) && known.id == id;
        if let Some([_, known]) = known.iter().find(is_same) {
            return Ok(known);
        }
        let values = id[base.len() + 1..].replace('@', ", ").replace('=', " ");
        let name = format!("{} ({values})", entry.name);
        let configured: &'static Algorithm =
            Box::leak(Box::new(Algorithm { id: id.leak(), name: name.leak(), ..changed }));
        known.push([entry, configured]);
        Ok(configured)
    }

    /// The algorithm with each of some values of a parameter: `ID.PARAMETER=V[,V..]`. One with the default value is
    /// the entry itself.
    ///
    /// # Errors
    ///
    /// As [`resolve`](Self::resolve); or if the text is something else.
    ///
    /// ```
    /// # use broadphase::registry::ALGORITHMS;
    /// let two = ALGORITHMS.resolve_values("bsp.depth=3,5")?;
    /// assert_eq!([two[0].id, two[1].id], ["bsp@depth=3", "bsp@depth=5"]);
    /// # Ok::<(), broadphase::registry::ParameterError>(())
    /// ```
    pub fn resolve_values(self, text: &str) -> Result<Vec<&'static Algorithm>, ParameterError> {
        let form = || ParameterError::Values(text.to_owned());
        let (name, values) =
            text.split_once('=').filter(|_| !text.contains('@')).ok_or_else(form)?;
        // Neither ids nor parameters contain a dot.
        let (id, parameter) = name.split_once('.').ok_or_else(form)?;
        values.split(',').map(|value| self.resolve(&format!("{id}@{parameter}={value}"))).collect()
    }
}

impl Deref for Algorithms {
    type Target = [Algorithm];

    fn deref(&self) -> &[Algorithm] {
        self.0
    }
}

impl IntoIterator for Algorithms {
    type Item = &'static Algorithm;
    type IntoIter = slice::Iter<'static, Algorithm>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
