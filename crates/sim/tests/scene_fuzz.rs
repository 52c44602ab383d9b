//! No content of a scene file makes the reader panic.

// Clippy does not see the helpers of an integration test as tests.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use sim::SceneDocument;

/// Tokens and separators of scene files.
const PIECES: &[&str] = &[
    "i",
    "p",
    "s",
    "#",
    "#!",
    "#!objects",
    "#!radius",
    "uniform",
    "loguniform",
    "#!speed",
    "#!seed",
    "#!dt",
    "#!gravity",
    "strong",
    "#!line",
    "#!camera",
    "#!triangles",
    "20",
    "#!shading",
    "on",
    "#!event",
    "remove-source",
    "hold",
    "o",
    "#!ball",
    "#!layer",
    "source",
    "balls",
    "group",
    "meets",
    "static",
    "0,1",
    "0",
    "1",
    "-1",
    "0.5",
    "100",
    "1e39",
    "nan",
    "t",
    "f",
    "x",
    "y",
    "z",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    " ",
    "\u{feff}",
    "č",
    "\0",
];

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_without_panic(&bytes);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,40}[\\s\\PC]{0,80}") {
        read_without_panic(text.as_bytes());
    }

    #[test]
    fn token_soup_never_panics(
        good in any::<bool>(),
        pieces in proptest::collection::vec((0..PIECES.len(), any::<bool>()), 0..60),
    ) {
        let mut text = String::from(if good { "i 0 0 0  1 1 1  100 t\n" } else { "" });
        for (index, blank) in pieces {
            text += PIECES[index];
            text += if blank { " " } else { "" };
        }
        read_without_panic(text.as_bytes());
    }

    #[test]
    fn a_damaged_line_never_panics(
        index in 0..PIECES.len(),
        line in 0usize..13,
        token in 0usize..10,
    ) {
        let lines = [
            "i -1 -1 -1  2 2 2  100 t", "p 0 0 0  1 1 0  z", "s 1", "#!objects 5",
            "#!radius uniform 0.1 0.2", "#!seed 7", "#!dt 0.01", "#!camera 1 2 3",
            "#!event 1 remove-source 1", "#!event 1 hold p 2", "#!ball 0 0 0 1 1 1 0.1",
            "#!triangles 80", "#!layer source 1 static meets 0,3 group 3",
        ];
        let damaged = lines.map(str::to_owned).into_iter().enumerate().map(|(number, text)| {
            if number != line {
                return text;
            }
            let mut tokens: Vec<_> = text.split_whitespace().collect();
            let token = token % tokens.len();
            tokens[token] = PIECES[index];
            tokens.join(" ")
        });
        read_without_panic(damaged.collect::<Vec<_>>().join("\n").as_bytes());
    }
}

/// Reads bytes; the scene or the error must be consistent.
fn read_without_panic(bytes: &[u8]) {
    match SceneDocument::parse("soup.scene", bytes) {
        Ok(document) => {
            assert_eq!(document.to_text().as_bytes(), bytes);
            let again = SceneDocument::from_scene(document.scene()).unwrap();
            assert_eq!(again.scene(), document.scene());
        }
        Err(error) => {
            let newlines = bytes.iter().filter(|&&b| b == b'\n').count();
            assert!((1..=newlines + 1).contains(&error.line().unwrap()), "{error}");
            assert!(error.column().unwrap() <= bytes.len() + 1, "{error}");
            assert!(error.to_string().contains("soup.scene:"), "{error}");
            assert!(!error.render(true).is_empty());
        }
    }
}
