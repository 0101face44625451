//! What OSS-Fuzz is given. `.ci/run fuzz` builds the targets for it and runs them; here something stands for cargo.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{string, yaml};
use crate::cli::Ran;
use crate::docs::readme::text;
use crate::support::skip;

/// Names in a folder of this repository, without endings.
fn names(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let paths = paths.filter(|path| !path.ends_with(".gitattributes"));
    paths
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn each_target_is_declared_and_has_seeds() {
    if !skip::has("fuzz") {
        return;
    }
    let targets = names("fuzz/fuzz_targets");
    assert!(targets.len() > 10, "{targets:?}");
    assert_eq!(targets, names("fuzz/seeds"));
    let manifest = text("fuzz/Cargo.toml");
    for target in &targets {
        let declared = format!("[[bin]]\nname = \"{target}\"\npath = \"fuzz_targets/{target}.rs\"");
        assert!(manifest.contains(&declared), "{target}");
        let source = text(&format!("fuzz/fuzz_targets/{target}.rs"));
        assert!(
            source.contains(&format!("run(\"{target}\", input)")),
            "{target}"
        );
    }
}

/// Stands for cargo: "builds" an empty program for each target.
const CARGO: &str = r#"#!/bin/sh -eu
targets=$(cd fuzz/fuzz_targets && ls | sed 's/\.rs$//')
case "$1 $2" in
"fuzz list") echo "$targets" ;;
"fuzz build")
    mkdir -p "$CARGO_TARGET_DIR/this-host/release"
    for target in $targets; do touch "$CARGO_TARGET_DIR/this-host/release/$target"; done ;;
*) exit 1 ;;
esac
"#;

/// Stands for rustc, which another user than the one who has installed it may not run.
const RUSTC: &str = "#!/bin/sh\necho host: this-host\n";

#[test]
fn oss_fuzz_gets_programs_seeds_dictionaries_and_options() {
    if !skip::has("fuzz") || !skip::has_tool("zip") || !skip::has_tool("unzip") {
        return;
    }
    let work = tempfile::tempdir().unwrap();
    let at = |name: &str| work.path().join(name);
    for folder in ["src", "out", "programs"] {
        fs::create_dir(at(folder)).unwrap();
    }
    let root = env!("CARGO_MANIFEST_DIR");
    std::os::unix::fs::symlink(root, at("src/abslink")).unwrap();
    fs::write(at("programs/cargo"), CARGO).unwrap();
    fs::write(at("programs/rustc"), RUSTC).unwrap();
    let path = format!(
        "{}:{}",
        at("programs").display(),
        std::env::var("PATH").unwrap()
    );
    // As its image does it: with nothing but these variables, and twice in one directory.
    for _ in 0..2 {
        let made = Command::new("bash")
            .args(["-c", "chmod +x \"$1\"/* && exec \"$2\"", "bash"])
            .arg(at("programs"))
            .arg(Path::new(root).join("fuzz/oss-fuzz/build.sh"))
            .env("PATH", &path)
            .env("SRC", at("src"))
            .env("OUT", at("out"))
            .env("CARGO_TARGET_DIR", at("target"))
            .output();
        let made = Ran::from(&made.unwrap());
        assert_eq!((made.code, &*made.stderr), (Some(0), ""));
    }
    let mut expected = BTreeSet::new();
    for target in names("fuzz/fuzz_targets") {
        let corpus = format!("{target}_seed_corpus.zip");
        let listed = Command::new("unzip")
            .args(["-Z", "-1"])
            .arg(at("out").join(&corpus))
            .output();
        let listed = Ran::from(&listed.unwrap()).stdout;
        let listed: BTreeSet<_> = listed.lines().collect();
        let seeds = fs::read_dir(Path::new(root).join("fuzz/seeds").join(&target)).unwrap();
        let seeds: Vec<_> = seeds.map(|seed| seed.unwrap().file_name()).collect();
        let seeds: BTreeSet<_> = seeds.iter().map(|seed| seed.to_str().unwrap()).collect();
        assert_eq!(listed, seeds, "{target}");
        let dictionary = fs::read_to_string(at("out").join(format!("{target}.dict"))).unwrap();
        assert!(dictionary.lines().count() > 10, "{target}");
        expected.extend([
            target.clone(),
            corpus,
            format!("{target}.dict"),
            format!("{target}.options"),
        ]);
    }
    let made = fs::read_dir(at("out")).unwrap();
    let made = made.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(made.collect::<BTreeSet<_>>(), expected);
}

/// What OSS-Fuzz demands of a project in Rust.
#[test]
fn the_project_is_one_that_oss_fuzz_takes() {
    if !skip::has("fuzz") {
        return;
    }
    let project = text("fuzz/oss-fuzz/project.yaml");
    let project = yaml(&project);
    assert_eq!(string(&project["language"]), "rust");
    for (key, only) in [("fuzzing_engines", "libfuzzer"), ("sanitizers", "address")] {
        let values = project[key].as_vec().unwrap();
        assert_eq!(values.iter().map(string).collect::<Vec<_>>(), [only]);
    }
    let repository = string(&project["main_repo"]);
    let image = text("fuzz/oss-fuzz/Dockerfile");
    // build.sh begins in the folder that a clone makes.
    for line in [
        "FROM gcr.io/oss-fuzz-base/base-builder-rust",
        &format!("RUN git clone --depth 1 {repository}"),
        "COPY build.sh $SRC/",
    ] {
        assert!(image.lines().any(|it| it == line), "{line}");
    }
    assert!(repository.ends_with("/abslink"));
    assert!(text("fuzz/oss-fuzz/build.sh").contains("cd \"$SRC/abslink\""));
    assert!(string(&project["primary_contact"]).contains('@'));
}
