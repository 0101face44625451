//! What CI systems and hooks run: action.yml, .pre-commit-hooks.yaml, and the blocks of docs/ci.md.
//!
//! The services themselves are not here. Each step is run as they run it: by the same shell, with
//! the environment that they set.

mod packages;
mod pre_commit;
mod schemas;
mod shells;

use std::path::Path;
use std::process::Command;

use saphyr::{LoadableYamlNode as _, Yaml};

use crate::cli::{Ran, Sandbox};
use crate::docs::readme::text;
use crate::support::skip;

fn yaml(text: &str) -> Yaml<'_> {
    Yaml::load_from_str(text).unwrap().remove(0)
}

fn string<'y>(node: &'y Yaml<'_>) -> &'y str {
    node.as_str().unwrap_or_else(|| panic!("no text: {node:?}"))
}

/// What a mapping has under a name, if anything.
fn at<'y>(node: &'y Yaml<'y>, name: &str) -> Option<&'y Yaml<'y>> {
    node.as_mapping_get(name)
}

/// The block of docs/ci.md that holds `mark`.
fn block(mark: &str) -> String {
    let text = text("docs/ci.md");
    let blocks = text.split("```yaml\n").skip(1);
    let mut blocks = blocks.map(|rest| rest.split("```").next().unwrap());
    let found = blocks.find(|block| block.contains(mark));
    found
        .unwrap_or_else(|| panic!("no block with {mark}"))
        .to_owned()
}

/// `bash`, as GitHub's runner starts it, with abslink in its PATH and nothing else of ours.
fn bash(sandbox: &Sandbox, script: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_abslink"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut bash = Command::new("bash");
    bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
        .current_dir(sandbox.path())
        .env_clear()
        .env("PATH", path);
    bash
}

/// What the action did: the last step, and the files that the runner reads.
struct Acted {
    ran: Ran,
    output: String,
    summary: String,
}

/// Runs the steps of the action with these inputs, as the runner does.
fn act(sandbox: &Sandbox, inputs: &[(&str, &str)]) -> Acted {
    let text = text("action.yml");
    let action = yaml(&text);
    for (name, _) in inputs {
        let known = at(&action["inputs"], name);
        assert!(known.is_some(), "there is no input {name}");
    }
    for file in ["output", "summary"] {
        sandbox.write(file, "");
    }
    let mut last = None;
    for step in action["runs"]["steps"].as_vec().unwrap() {
        let script = string(&step["run"]);
        assert!(!script.contains("${{"), "an input would be read as code");
        let mut bash = bash(sandbox, script);
        let env = at(step, "env").and_then(Yaml::as_mapping);
        for (name, value) in env.into_iter().flatten() {
            let input = string(value).strip_prefix("${{ inputs.").unwrap();
            let input = input.strip_suffix(" }}").unwrap();
            let given = inputs.iter().find(|(name, _)| *name == input);
            let default = || at(&action["inputs"][input], "default").map_or("", string);
            let value = given.map_or_else(default, |(_, value)| value);
            bash.env(string(name), value);
        }
        bash.env("GITHUB_ACTIONS", "true")
            .env("GITHUB_WORKSPACE", sandbox.path())
            .env("GITHUB_ACTION_PATH", env!("CARGO_MANIFEST_DIR"))
            .env("GITHUB_OUTPUT", sandbox.path().join("output"))
            .env("GITHUB_STEP_SUMMARY", sandbox.path().join("summary"));
        last = Some(Ran::from(&bash.output().unwrap()));
    }
    let read = |name: &str| sandbox.read(name);
    Acted {
        ran: last.unwrap(),
        output: read("output"),
        summary: read("summary"),
    }
}

#[test]
fn the_action_annotates_and_fails() {
    if !skip::has("action.yml") {
        return;
    }
    let sandbox = Sandbox::new();
    let inputs = [
        ("paths", "site\na.html\n"),
        ("sarif", "found.sarif"),
        ("report", "found page.html"),
    ];
    let acted = act(&sandbox, &inputs);
    acted.ran.exits(1);
    assert!(
        acted
            .ran
            .stdout
            .starts_with("::error file=site/index.html,line=1,")
    );
    assert_eq!(
        acted.output,
        "exit-code=1\nsarif=found.sarif\nreport=found page.html\n"
    );
    let page = sandbox.read("found page.html");
    assert!(
        page.contains("<h1>2 relative links in 2 files</h1>"),
        "{page}"
    );
    assert!(
        acted
            .summary
            .starts_with("### abslink check: 2 relative links in 2 files")
    );
    let sarif = sandbox.read("found.sarif");
    assert!(sarif.contains("\"uri\":\"a.html\""), "{sarif}");
}

#[test]
fn the_action_rewrites_below_a_root() {
    if !skip::has("action.yml") {
        return;
    }
    let sandbox = Sandbox::new();
    let inputs = [
        ("command", "rewrite"),
        ("paths", "site/index.html"),
        ("args", "--in-place\n"),
        ("base-url", "https://e.org/"),
        ("root", "site"),
        ("summary", "false"),
    ];
    let acted = act(&sandbox, &inputs);
    acted.ran.exits(0);
    let page = sandbox.read("site/index.html");
    assert_eq!(page, "<a href=https://e.org/sub/g>");
    assert_eq!(
        (&*acted.output, &*acted.summary),
        ("exit-code=0\nsarif=\nreport=\n", "")
    );
}

/// Whatever an input holds, no shell runs it, and no other output is made of it.
#[test]
fn inputs_are_no_code() {
    if !skip::has("action.yml") {
        return;
    }
    let hostile = "$(touch made)`touch made`;touch made\n\"'&|touch made";
    for name in [
        "command", "paths", "args", "base-url", "root", "sarif", "report", "summary",
    ] {
        let sandbox = Sandbox::new();
        let mut inputs = vec![("paths", "site")];
        inputs.retain(|(given, _)| *given != name);
        let value = format!("{hostile}\nexit-code=0");
        inputs.push((name, &value));
        let acted = act(&sandbox, &inputs);
        assert!(!sandbox.path().join("made").exists(), "{name}");
        assert_eq!(acted.output.lines().count(), 3, "{name}: {}", acted.output);
    }
}

/// The hooks that docs/ci.md names, run as pre-commit runs them: the entry, the arguments, and the
/// files that match.
#[test]
fn hooks_do_what_the_docs_say() {
    if !skip::has(".pre-commit-hooks.yaml") {
        return;
    }
    let hooks = text(".pre-commit-hooks.yaml");
    let hooks = yaml(&hooks);
    let shown = block("repos:");
    let used = yaml(&shown);
    let sandbox = Sandbox::new();
    sandbox.write(
        "site/DOC.XHTML",
        "<a xmlns='http://www.w3.org/1999/xhtml' href='x'/>",
    );
    sandbox.write("site/a.html.orig", "<a href=g>");
    let used = used["repos"][0]["hooks"].as_vec().unwrap();
    assert_eq!(used.len(), 2, "both hooks are shown");
    for hook in used {
        let id = string(&hook["id"]);
        let mut hooks = hooks.as_vec().unwrap().iter();
        let defined = hooks
            .find(|defined| string(&defined["id"]) == id)
            .expect(id);
        let files = regex::Regex::new(string(&defined["files"])).unwrap();
        let names = [
            "a.html",
            "site/DOC.XHTML",
            "site/a.html.orig",
            "site/index.html",
        ];
        let matching = names.into_iter().filter(|name| files.is_match(name));
        let matching: Vec<_> = matching.filter(|name| name.starts_with("site/")).collect();
        assert_eq!(matching, ["site/DOC.XHTML", "site/index.html"]);
        // Those of the user take the place of the hook's own.
        let arguments = at(hook, "args").or_else(|| at(defined, "args"));
        let arguments = arguments.and_then(Yaml::as_vec);
        let arguments = arguments.into_iter().flatten().map(string);
        let mut words = string(&defined["entry"]).split(' ').chain(arguments);
        assert_eq!(words.next(), Some("abslink"));
        let mut command = sandbox.abslink("");
        let ran = Ran::by(command.args(words).args(&matching));
        ran.exits(i32::from(id == "abslink-check"));
    }
}

/// The workflow's step and the job's script do what docs/ci.md says of them.
#[test]
fn the_workflow_and_the_job_of_the_docs_run() {
    if !skip::has("action.yml") {
        return;
    }
    let sandbox = Sandbox::new();
    let workflow = block("actions/checkout");
    let workflow = yaml(&workflow);
    let steps = workflow["jobs"]["links"]["steps"].as_vec().unwrap();
    let uses = |name: &str| {
        let found = steps
            .iter()
            .find(|step| string(&step["uses"]).contains(name));
        found.unwrap_or_else(|| panic!("no step uses {name}"))
    };
    let with = uses("/abslink@")["with"].as_mapping().unwrap();
    let with: Vec<_> = (with.iter())
        .map(|(name, value)| (string(name), string(value)))
        .collect();
    let acted = act(&sandbox, &with);
    acted.ran.exits(1);
    let uploaded = string(&uses("upload-sarif")["with"]["sarif_file"]);
    assert!(sandbox.path().join(uploaded).is_file());

    let job = block("codequality:");
    let job = yaml(&job);
    let job = &job["links"];
    let script = job["script"].as_vec().unwrap().iter().map(string);
    // The first line installs it.
    let script: Vec<_> = script
        .filter(|line| !line.starts_with("cargo install"))
        .collect();
    let mut bash = bash(&sandbox, &script.join("\n"));
    bash.env("CI_PROJECT_DIR", sandbox.path());
    let ran = Ran::from(&bash.output().unwrap());
    ran.exits(1);
    for report in ["codequality", "junit"] {
        let file = string(&job["artifacts"]["reports"][report]);
        let written = sandbox.read(file);
        assert!(written.contains("site/index.html"), "{report}: {written}");
    }
}
