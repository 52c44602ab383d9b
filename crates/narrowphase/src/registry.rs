//! Methods by id: command lines, panels, tests and documentation iterate over lists of these entries.

use std::ops::{Deref, DerefMut};

/// A method with its texts, and its properties `P`, to which it dereferences.
#[derive(Clone, Copy, Debug)]
pub struct MethodEntry<P> {
    /// Its name on command lines and in tables: that of its family, or the family, a `+` and the variant.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
    /// Its way to an answer, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Properties in which the methods of a stage differ.
    pub properties: P,
}

impl<P> MethodEntry<P> {
    /// Id of the first entry of its family: `sat` of `sat+naive`.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.id.split_once('+').map_or(self.id, |(family, _)| family)
    }

    /// The difference from the first entry of its family: `naive` of `sat+naive`.
    #[must_use]
    pub fn variant(&self) -> Option<&'static str> {
        self.id.split_once('+').map(|(_, variant)| variant)
    }
}

impl<P> Deref for MethodEntry<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.properties
    }
}

impl<P> DerefMut for MethodEntry<P> {
    fn deref_mut(&mut self) -> &mut P {
        &mut self.properties
    }
}

/// The entry of a list with this id.
#[must_use]
pub fn find<P>(list: &'static [MethodEntry<P>], id: &str) -> Option<&'static MethodEntry<P>> {
    list.iter().find(|entry| entry.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impact::TIMES_OF_IMPACT;
    use crate::narrow::NARROW_PHASES;
    use crate::volume::VOLUMES;

    /// Variants follow their family, and `docs/narrow-phase.md` describes each entry.
    fn check<P>(list: &'static [MethodEntry<P>]) {
        let page = include_str!("../../../docs/narrow-phase.md");
        for (at, entry) in list.iter().enumerate() {
            let texts = [entry.name, entry.summary, entry.source];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", entry.id);
            let is_first = list[..at].iter().all(|other| other.family() != entry.family());
            assert_eq!(is_first, entry.variant().is_none(), "{}", entry.id);
            assert!(std::ptr::eq(find(list, entry.id).unwrap(), entry), "{} is unique", entry.id);
            let family = format!("`{}`", entry.family());
            let is_section = |line: &str| line.starts_with("### ") && line.contains(&family);
            assert!(page.lines().any(is_section), "no section of {family}");
            assert!(page.contains(&format!("`{}`", entry.id)), "{}", entry.id);
        }
        assert!(find(list, "cube").is_none());
    }

    #[test]
    fn entries_are_described_and_follow_their_family() {
        check(VOLUMES);
        check(NARROW_PHASES);
        check(TIMES_OF_IMPACT);
    }
}
