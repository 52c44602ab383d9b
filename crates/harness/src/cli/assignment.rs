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
        let form = || format!("expected ID.PARAMETER=V[,V..], found `{text}`");
        let (name, values) = text.split_once('=').ok_or_else(form)?;
        if text.contains('@') {
            return Err(form());
        }
        // Neither ids nor parameters contain a dot.
        let (id, parameter) = name.split_once('.').ok_or_else(form)?;
        let entry = |value| registry::find_configured(&format!("{id}@{parameter}={value}"));
        Ok(Self { entries: values.split(',').map(entry).collect::<Result<_, _>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_an_entry() {
        let ids = |text: &str| -> Result<Vec<&str>, String> {
            Ok(text.parse::<Assignment>()?.entries.iter().map(|entry| entry.id).collect())
        };
        // The default is the entry itself.
        let two = ["grid-uniform", "grid-uniform@cell-side=3"];
        assert_eq!(ids("grid-uniform.cell-side=1.5,3").unwrap(), two);
        assert_eq!(ids("bsp+scalar.depth=3").unwrap(), ["bsp+scalar@depth=3"]);
        for (text, problem) in [
            ("bsp", "expected ID.PARAMETER=V[,V..], found `bsp`"),
            ("bsp=3", "expected ID.PARAMETER=V[,V..]"),
            ("bsp.depth=", "must be a whole number from 0 to 12, not ``"),
            ("bsp.depth=3,,4", "not ``"),
            ("bsp.depth=3,99", "not `99`"),
            (
                "bsp.dept=3",
                "bsp has no parameter `dept`: it has depth (a whole number from 0 to 12)",
            ),
            ("fog.depth=3", "no algorithm fog"),
            ("bsp@depth=4.depth=3", "expected ID.PARAMETER=V"),
            ("kd-tree.depth=3@period=.5", "expected ID.PARAMETER=V"),
        ] {
            let refusal = ids(text).unwrap_err();
            assert!(refusal.contains(problem), "{text}: {refusal}");
        }
    }
}
