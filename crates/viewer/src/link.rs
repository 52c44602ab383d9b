//! The address of a page as a state: the options of the command line as its query, and the text of a scene that is not
//! built in.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// Characters that end a part of a query, or that programs end an address at.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'\'')
    .add(b'+')
    .add(b'<')
    .add(b'>')
    .add(b'=');

/// Longest text of a scene in a link, in bytes. Some programs cut longer addresses off.
pub const MAX_TEXT: usize = 4096;

/// The command line that the query `?scene=fer&algorithm=kd-tree&step=120` stands for, with the input first, and the text of
/// its scene, if it has that. Not checked here.
pub fn command_of(query: &str) -> (Vec<String>, Option<String>) {
    let (mut words, mut carried) = (vec!["viewer".to_owned()], None);
    let mut has_scene = false;
    let parts = query.trim_start_matches('?').split('&').filter(|part| !part.is_empty());
    for part in parts {
        let (key, value) =
            part.split_once('=').map_or((part, None), |(key, value)| (key, Some(value)));
        let [key, value] = [Some(key), value].map(|text| {
            text.map(|text| {
                percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
            })
        });
        let key = key.unwrap_or_default();
        match (key.as_str(), value) {
            ("scene", Some(name)) => {
                has_scene = true;
                let has_ending = name.contains('.');
                words.insert(1, if has_ending { name } else { format!("scenes/{name}.scene") });
            }
            ("text", value) => carried = value,
            (_, Some(value)) => words.push(format!("--{key}={value}")),
            (_, None) => words.push(format!("--{key}")),
        }
    }
    if carried.is_some() && !has_scene {
        words.insert(1, "scenes/own.scene".to_owned());
    }
    (words, carried)
}

/// The query of a command line, whose first word is the input, and of the text of its scene, if it carries that.
pub fn query_of(words: &[String], carried: Option<&str>) -> String {
    let escaped = |text: &str| utf8_percent_encode(text, ESCAPED).to_string().replace("%20", "+");
    let mut parts: Vec<String> = Vec::new();
    for word in words {
        match word.strip_prefix("--") {
            Some(option) => parts.push(match option.split_once('=') {
                Some((key, value)) => format!("{key}={}", escaped(value)),
                None => option.to_owned(),
            }),
            None if parts.is_empty() => {
                let name = word.strip_prefix("scenes/").unwrap_or(word);
                parts.push(format!(
                    "scene={}",
                    escaped(name.strip_suffix(".scene").unwrap_or(name))
                ));
            }
            None => {
                let last = parts.last_mut().expect("an option before its value");
                last.push('=');
                last.push_str(&escaped(word));
            }
        }
    }
    parts.extend(carried.map(|text| format!("text={}", escaped(text))));
    format!("?{}", parts.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn link_stands_for_the_command_that_it_is_made_from() {
        for (line, query) in [
            (
                "scenes/fer.scene --algorithm kd-tree --step 120",
                "?scene=fer&algorithm=kd-tree&step=120",
            ),
            ("own.scene --camera=-1,2,3 --legend", "?scene=own&camera=-1,2,3&legend"),
            ("--boxes gas:50 --show planes:3,regions", "?boxes=gas:50&show=planes:3,regions"),
            ("a&b/c.bpt --pick 3", "?scene=a%26b/c.bpt&pick=3"),
        ] {
            assert_eq!(query_of(&words(line), None), query);
        }
        let (command, _) =
            command_of("?scene=fer&algorithm=kd-tree&&legend&camera=-1,2&drive=a+b%20c");
        let expected =
            ["viewer", "scenes/fer.scene", "--algorithm=kd-tree", "--legend", "--camera=-1,2"];
        assert_eq!(command[..5], expected);
        assert_eq!(command[5..], ["--drive=a b c"]);
        assert_eq!(command_of("scene=a%26b/c.bpt").0[1], "a&b/c.bpt");
        assert_eq!(command_of(""), (words("viewer"), None));
    }

    #[test]
    fn text_of_a_scene_is_carried_unchanged() {
        let text = "i -1 -1 -1  2 2 2 100 t\r\n# 50 % + a=b & \"ä\"\n\tc 1\n";
        let query = query_of(&words("own.scene --step 3"), Some(text));
        assert!(query.starts_with("?scene=own&step=3&text=i+-1+-1+-1++2"), "{query}");
        assert!(query.is_ascii() && !query.contains([' ', '\n', '"', '#']), "{query}");
        let (command, carried) = command_of(&query);
        assert_eq!(command, words("viewer scenes/own.scene --step=3"));
        assert_eq!(carried.as_deref(), Some(text));
        for query in ["step=3&text=c&scene=own", "step=3&text=c"] {
            let expected = words("viewer scenes/own.scene --step=3");
            assert_eq!(command_of(query), (expected, Some("c".to_owned())));
        }
    }
}
