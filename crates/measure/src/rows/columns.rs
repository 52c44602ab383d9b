//! The columns of a table, from the fields of its rows.

use serde::de::value::Error;
use serde::de::{Deserializer, Error as _, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};

/// The names of the fields of `R`, in their order: the columns of its table. Empty unless `R` is a
/// struct that derives `Deserialize`.
pub fn columns<'de, R: Deserialize<'de>>() -> &'static [&'static str] {
    let mut fields: &'static [&'static str] = &[];
    // The names are known once the struct asks for its fields. No value is ever made.
    let _ = R::deserialize(FieldNames(&mut fields));
    fields
}

/// Notes the fields that a struct asks for, and gives it none.
struct FieldNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        Err(Error::custom("only the names of the fields are asked for"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::custom("no struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{FrameRow, StageRow, SummaryRow};

    #[test]
    fn documentation_lists_the_columns_of_every_table() {
        let page = include_str!("../../../../docs/output-files.md");
        let tables = [
            ("frames.csv", columns::<FrameRow>()),
            ("summary.csv", columns::<SummaryRow>()),
            ("stages.csv", columns::<StageRow>()),
        ];
        for (table, columns) in tables {
            let sections =
                page.split("\n## ").filter(|text| text.starts_with(&format!("`{table}`")));
            let lists =
                sections.filter_map(|text| text.lines().find(|line| line.starts_with("`run_id")));
            let expected = format!("`{}`", columns.join(", "));
            assert_eq!(lists.collect::<Vec<_>>(), [expected], "{table}");
        }
    }
}
