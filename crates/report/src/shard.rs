//! Shards: parts of one plan that several processes measure, on several machines.
//!
//! A shard measures the cases whose index modulo the number of shards is its own. All algorithms and
//! numbers of threads of a case stay together, so that no ratio compares two machines.

use crate::error::ReportError;
use measure::{Machine, SummaryFile};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Key of the shard among the settings in `machine.json`.
const KEY: &str = "shard";

/// Missing shards that an error names, at most: their number comes from a file.
const MAX_NAMED: usize = 10;

/// One shard of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Its number, from 1.
    number: usize,
    /// Their number.
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts =
            text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("expected K/N, K from 1 to N".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// There are more shards than cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("--shard {shard}: the plan has only {cases} cases; take at most as many shards")]
pub struct ShardError {
    shard: Shard,
    cases: usize,
}

impl Shard {
    /// The cases of the shard, out of all cases of the plan.
    ///
    /// # Errors
    ///
    /// If there are more shards than cases.
    pub fn select<T>(self, cases: Vec<T>) -> Result<Vec<T>, ShardError> {
        if self.of > cases.len() {
            return Err(ShardError { shard: self, cases: cases.len() });
        }
        let is_ours = |(index, _): &(usize, T)| index % self.of == self.number - 1;
        Ok(cases.into_iter().enumerate().filter(is_ours).map(|(_, case)| case).collect())
    }

    /// Its folder's name.
    pub fn folder(self) -> String {
        format!("shard-{}", self.number)
    }

    /// Adds the shard to the settings of the plan.
    pub fn note(shard: Option<Self>, settings: &mut Value) {
        if let Some(shard) = shard {
            settings[KEY] = shard.to_string().into();
        }
    }
}

/// A folder of results with its `machine.json`.
pub struct ResultFolder {
    /// The folder.
    pub folder: PathBuf,
    /// Its machine.
    pub machine: Machine,
}

impl ResultFolder {
    /// Its shard; `None` for a whole plan.
    pub fn shard(&self) -> Option<Shard> {
        self.machine.settings.get(KEY)?.as_str()?.parse().ok()
    }

    /// The number of cases of the whole plan, all shards together, if it is known.
    pub fn planned(&self) -> Option<usize> {
        self.machine.settings.get("cases")?.as_array().map(Vec::len)
    }

    /// The number of cases of the shard, or of the whole plan where there are none.
    fn share(&self) -> Option<usize> {
        let all = (0..self.planned()?).collect::<Vec<_>>();
        self.shard().map_or(Some(all.len()), |shard| Some(shard.select(all).ok()?.len()))
    }

    /// Adds a warning to the machine that rows are missing, if the run was killed or still measures. Returns it.
    pub fn note_unfinished(&mut self) -> Option<String> {
        if self.machine.finished.is_some() {
            return None;
        }
        let warning = self.unfinished();
        self.machine.warnings.push(warning.clone());
        Some(warning)
    }

    fn unfinished(&self) -> String {
        let name = self.name();
        let missing = self.share().zip(self.measured());
        let missing = missing.map(|(cases, measured)| (cases.saturating_sub(measured), cases));
        match missing.filter(|(missing, _)| *missing > 0) {
            Some((missing, cases)) => format!(
                "{name}: {missing} of {cases} cases are not measured; measure the rest with --resume"
            ),
            None => format!("{name} is not complete: measure the rest of it with --resume"),
        }
    }

    /// The number of cases in its `summary.csv`: the rows of a case are written together.
    fn measured(&self) -> Option<usize> {
        let rows = SummaryFile::read(&self.folder).ok()?.rows;
        let cases = rows.iter().map(|row| (&row.input, row.n, row.seed));
        Some(cases.collect::<HashSet<_>>().len())
    }

    /// The settings that all shards of a plan share.
    fn plan(&self) -> Vec<(&String, &Value)> {
        let settings = self.machine.settings.as_object();
        settings.into_iter().flatten().filter(|(key, _)| *key != KEY).collect()
    }

    fn name(&self) -> std::path::Display<'_> {
        self.folder.display()
    }
}

/// Reads the `machine.json` in each folder, and sorts the folders by shard. Refuses folders that are not all
/// shards of one plan, each complete and given once. A whole plan must be the only folder.
///
/// # Errors
///
/// If a file cannot be read, or a folder is refused.
pub fn whole_plan(folders: &[PathBuf]) -> Result<Vec<ResultFolder>, ReportError> {
    let read = |folder: &PathBuf| {
        let machine = Machine::read(&folder.join(Machine::FILE))?;
        Ok(ResultFolder { folder: folder.clone(), machine })
    };
    let mut sources =
        folders.iter().map(read).collect::<Result<Vec<ResultFolder>, ReportError>>()?;
    check(&sources).map_err(ReportError::BadFile)?;
    sources.sort_by_key(ResultFolder::shard);
    Ok(sources)
}

fn check(sources: &[ResultFolder]) -> Result<(), String> {
    let Some(first) = sources.first() else { return Ok(()) };
    let shards: Vec<Shard> = match sources.iter().map(ResultFolder::shard).collect() {
        Some(shards) => shards,
        None if sources.len() == 1 => return Ok(()),
        None => {
            let single = sources.iter().find(|source| source.shard().is_none()).unwrap_or(first);
            return Err(format!(
                "{} is no shard of a plan: several folders belong together only if all of them are",
                single.name()
            ));
        }
    };
    for (index, (source, shard)) in sources.iter().zip(&shards).enumerate() {
        if let Some(twice) = shards[..index].iter().position(|other| other == shard) {
            let name = source.name();
            return Err(format!("{} and {name} are both shard {shard}", sources[twice].name()));
        }
        check_with((first, shards[0]), (source, *shard))?;
    }
    check_complete(first, &shards)
}

/// Refuses a source that is not complete, or is of another plan than the first one.
fn check_with(
    (first, first_shard): (&ResultFolder, Shard),
    (source, shard): (&ResultFolder, Shard),
) -> Result<(), String> {
    let name = source.name();
    if let Some(cases) = source.planned().filter(|cases| shard.of > *cases) {
        return Err(format!("{name} is shard {shard}, but its plan has only {cases} cases"));
    }
    if shard.of != first_shard.of {
        return Err(format!("{} is shard {first_shard}, {name} is shard {shard}", first.name()));
    }
    if source.plan() != first.plan() {
        return Err(format!(
            "{name} and {} are shards of different plans: {} differs; measure both with the \
             same options",
            first.name(),
            difference(&first.plan(), &source.plan())
        ));
    }
    if source.machine.revision() != first.machine.revision() {
        return Err(format!(
            "{name} and {} were measured by different revisions of the program; measure all \
             shards with one",
            first.name()
        ));
    }
    match source.machine.finished {
        Some(_) => Ok(()),
        None => Err(source.unfinished()),
    }
}

/// Refuses a plan of which shards are missing. Those that are there are all different.
fn check_complete(first: &ResultFolder, shards: &[Shard]) -> Result<(), String> {
    let of = shards[0].of;
    let missing = of - shards.len();
    if missing == 0 {
        return Ok(());
    }
    let named: Vec<String> = (1..=of)
        .filter(|number| shards.iter().all(|shard| shard.number != *number))
        .take(MAX_NAMED)
        .map(|number| format!("{number}/{of}"))
        .collect();
    let others = match missing - named.len() {
        0 => String::new(),
        others => format!(" and {others} others"),
    };
    Err(format!(
        "{} is shard {}, but of its plan {}{others} {} missing: give the folders of all shards",
        first.name(),
        shards[0],
        named.join(", "),
        if missing == 1 { "is" } else { "are" }
    ))
}

/// The first setting in which two plans differ.
fn difference(a: &[(&String, &Value)], b: &[(&String, &Value)]) -> String {
    let only = |these: &[(&String, &Value)], those: &[(&String, &Value)]| {
        let setting = these.iter().find(|setting| !those.contains(setting));
        setting.map(|(key, _)| format!("`{key}`"))
    };
    only(a, b).or_else(|| only(b, a)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn source(folder: &str, shard: Option<&str>, repeat: u32) -> ResultFolder {
        let mut settings = json!({ "repeat": repeat });
        Shard::note(shard.map(|shard| shard.parse().unwrap()), &mut settings);
        let finished = Some("now".to_owned());
        let machine = Machine { settings, finished, ..Machine::default() };
        ResultFolder { folder: folder.into(), machine }
    }

    #[test]
    fn shards_divide_the_cases_by_index() {
        let cases = |shard: &str| shard.parse::<Shard>().unwrap().select((0..7).collect());
        assert_eq!(cases("1/3").unwrap(), [0, 3, 6]);
        assert_eq!(cases("3/3").unwrap(), [2, 5]);
        assert_eq!(cases("7/7").unwrap(), [6]);
        let empty = cases("2/8").unwrap_err();
        assert!(empty.to_string().contains("only 7 cases"));
        for wrong in ["", "3", "0/3", "4/3", "1/0", "-1/3", "a/b", "1/3/5"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn cases_of_a_shard_are_its_own() {
        for (shard, share) in [(None, 5), (Some("1/2"), 3), (Some("2/2"), 2)] {
            let mut source = source("a", shard, 5);
            source.machine.settings["cases"] = json!([1, 2, 3, 4, 5]);
            assert_eq!(source.share(), Some(share));
        }
    }

    #[test]
    fn all_shards_of_one_plan_are_taken_in_any_order() {
        let three = [("b", "2/3"), ("c", "3/3"), ("a", "1/3")];
        assert_eq!(check(&three.map(|(folder, shard)| source(folder, Some(shard), 5))), Ok(()));
        assert_eq!(check(&[source("a", None, 5)]), Ok(()));
    }

    #[test]
    fn missing_doubled_and_foreign_shards_are_refused() {
        let a = || source("a", Some("1/3"), 5);
        let b = || source("b", Some("2/3"), 5);
        let of = |shard| source("x", shard, 5);
        let mut running = of(Some("2/3"));
        running.machine.finished = None;
        for (sources, reason) in [
            (vec![a(), b()], "of its plan 3/3 is missing"),
            (vec![a()], "2/3, 3/3 are missing"),
            (vec![of(Some("1/99999"))], "11/99999 and 99988 others are missing"),
            (vec![a(), running], "x is not complete"),
            (vec![a(), b(), of(Some("2/3"))], "b and x are both shard"),
            (vec![a(), of(Some("2/4"))], "a is shard 1/3, x is shard 2/4"),
            (vec![a(), source("b", Some("2/3"), 6)], "`repeat` differs"),
            (vec![a(), of(None)], "x is no shard"),
            (vec![of(None), b()], "x is no shard"),
        ] {
            let refusal = check(&sources).unwrap_err();
            assert!(refusal.contains(reason), "{reason}: {refusal}");
        }
    }
}
