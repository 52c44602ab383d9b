//! The C and C++ examples and the program of the README compile without a warning, link with the
//! static library, and print the pairs that the Rust library finds. So do the programs in the folder `programs`, which
//! test what only a C program can do.
//!
//! The compilers are `cc` and `c++`, or those named by `CC` and `CXX`; `CFLAGS` and `CXXFLAGS` are added to
//! their options. Where none is found, a test is reported as ignored, with the reason. With
//! `REQUIRE_CC=1` in the environment, as in CI, it fails instead.

use broadphase::glam::Vec3;
use broadphase::query::{Query, Scan, Sphere};
use broadphase::registry::{self, Settings};
use broadphase::{Aabb, Frame};
use libtest_mimic::{Failed, Trial};
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How programs of one language are compiled.
#[derive(Clone, Copy)]
struct Compiler {
    program: &'static str,
    /// The environment variables that name another compiler, and its additional options.
    variables: [&'static str; 2],
    standard: &'static str,
}

const C: Compiler = Compiler { program: "cc", variables: ["CC", "CFLAGS"], standard: "-std=c99" };
const CPP: Compiler =
    Compiler { program: "c++", variables: ["CXX", "CXXFLAGS"], standard: "-std=c++17" };

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// Libraries that a static library of Rust needs on the systems that have such compilers.
const SYSTEM_LIBRARIES: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

pub(crate) fn trials() -> Vec<Trial> {
    let mut tests = vec![
        trial("c_example_prints_the_pairs_of_the_library", C, || {
            expect(&run(C, &example("pairs.c"))?, &(pairs_by_frame() + &nearest_of_last_frame()))
        }),
        trial("cpp_example_prints_the_pairs_of_the_library", CPP, || {
            let refused = "refused: no algorithm has the id `no-such-algorithm`; \
                           bp_algorithm_id lists the ids\n";
            expect(&run(CPP, &example("pairs.cpp"))?, &(pairs_by_frame() + refused))
        }),
        trial("readme_program_prints_its_pair", C, || {
            let page = fs::read_to_string(folder().join("README.md"))?;
            let program = page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next());
            let folder = tempfile::tempdir()?;
            let path = folder.path().join("program.c");
            fs::write(&path, program.ok_or("no C program in the README")?)?;
            expect(&run(C, &path)?, "0 and 1 overlap\n")
        }),
        trial("every_floating_point_environment_gives_the_pairs", C, || {
            expect(&run(C, &program("environment.c"))?, "same pairs\n")
        }),
    ];
    if cfg!(target_os = "linux") {
        tests.push(trial("more_results_than_memory_are_a_status", C, || {
            expect(&run(C, &program("memory.c"))?, "out of memory, then pairs\n")
        }));
    }
    if cfg!(unix) {
        tests.push(trial("children_of_fork_find_the_pairs", C, || {
            expect(&run(C, &program("fork.c"))?, "same pairs\n")
        }));
        tests.push(trial("every_algorithm_fits_into_the_stated_stack", C, || {
            expect(&run(C, &program("stack.c"))?, "fits\n")
        }));
    }
    tests
}

/// A test that needs a compiler.
fn trial(name: &str, compiler: Compiler, test: fn() -> Result<(), Failed>) -> Trial {
    let Err(missing) = find(compiler) else { return Trial::test(name, test) };
    let required = env::var_os("REQUIRE_CC").is_some_and(|value| value == "1");
    let error = format!("{missing} cannot be started or cannot link the library");
    // `--include-ignored` runs it all the same; it must not pass then.
    Trial::test(name, move || Err(error.into()))
        .with_kind(format!("no {missing}"))
        .with_ignored_flag(!required)
}

/// The compiler's command, or its name if it cannot be used.
fn find(compiler: Compiler) -> Result<Command, String> {
    let name = env::var(compiler.variables[0]).unwrap_or_else(|_| compiler.program.to_owned());
    let starts = Command::new(&name).arg("--version").output().is_ok();
    // Its library is in Microsoft's format, which these options do not link.
    let can_link = !cfg!(target_env = "msvc");
    if starts && can_link { Ok(Command::new(name)) } else { Err(name) }
}

/// Compiles a program, runs it, and gives its output.
fn run(compiler: Compiler, source: &Path) -> Result<String, Failed> {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("program");
    let options = env::var(compiler.variables[1]).unwrap_or_default();
    let mut compile = find(compiler)?;
    compile.arg(compiler.standard).args(WARNINGS).args(options.split_whitespace());
    compile.arg("-I").arg(self::folder().join("include")).arg(source).arg(static_library()?);
    compile.arg("-o").arg(&program).args(SYSTEM_LIBRARIES);
    succeed(&mut compile)?;
    succeed(&mut Command::new(program))
}

/// The static library, which cargo builds with the tests and puts into their folder. Since the crate
/// is a shared library, too, the name has no hash.
fn static_library() -> Result<PathBuf, Failed> {
    let path = env::current_exe()?.with_file_name("libbroadphase_c.a");
    if path.exists() { Ok(path) } else { Err(format!("no {}", path.display()).into()) }
}

/// Runs a program that must succeed without a word on its standard error. Gives its standard output.
fn succeed(command: &mut Command) -> Result<String, Failed> {
    let output = command.output()?;
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    if output.status.success() && err.is_empty() {
        Ok(out)
    } else {
        Err(format!("{command:?}: {}\n{out}{err}", output.status).into())
    }
}

/// The last line of `pairs.c`.
fn nearest_of_last_frame() -> String {
    let point = Sphere::unbounded(Vec3::new(5.0, 5.0, 20.0));
    let nearest = Scan(&boxes_of(3)).first(&point).unwrap();
    format!("nearest: {}\n", nearest.object)
}

/// The boxes of a frame, which move as in `pairs.c`.
fn boxes_of(frame: i32) -> Vec<Aabb> {
    let of = |i: i32| {
        let min = [(i * 7 + frame * (i % 3)) % 10, (i * 5 + frame) % 10, (i * 3) % 10];
        let corner = |offset: i32| min.map(|low| (low + offset) as f32).into();
        Aabb::new(corner(0), corner(3))
    };
    (0..12).map(of).collect()
}

/// The output that the examples share.
fn pairs_by_frame() -> String {
    let mut algorithm = registry::find("brute-force").unwrap().create(&Settings::new(12)).unwrap();
    let mut text = String::new();
    let mut changes = 0;
    let mut before = Vec::new();
    for frame in 0..4 {
        let boxes = boxes_of(frame);
        let mut pairs = Vec::new();
        let input = Frame::new(&boxes);
        algorithm.update(&input);
        algorithm.find_pairs(&input, &mut pairs);
        pairs.sort_unstable();
        write!(text, "frame {frame}:").unwrap();
        for pair in &pairs {
            write!(text, " {}-{}", pair.a, pair.b).unwrap();
        }
        text.push('\n');
        assert!(!pairs.is_empty(), "a frame without pairs shows nothing");
        changes += usize::from(pairs != before);
        before = pairs;
    }
    assert!(changes > 2, "the motion changes the pairs");
    text
}

fn expect(found: &str, expected: &str) -> Result<(), Failed> {
    let is_same = found == expected;
    if is_same { Ok(()) } else { Err(format!("printed\n{found}instead of\n{expected}").into()) }
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn example(name: &str) -> PathBuf {
    folder().join("examples").join(name)
}

fn program(name: &str) -> PathBuf {
    folder().join("tests/alone/programs").join(name)
}
