//! A cloned repository must not make a run write where nobody said, or show what is hidden.

use std::fs;

use super::{project, refused, run_in};
use crate::cli::Ran;

#[test]
fn nothing_writes() {
    for (setting, name) in [
        ("in-place = true", "`in-place`"),
        ("output = \"../out\"", "`output`"),
        ("backup = \".orig\"", "`backup`"),
        ("write-baseline = \"../x\"", "`write-baseline`"),
        ("format = \"html=../x\"", "a file in `format`"),
        ("show-passwords = true", "`show-passwords`"),
        ("follow = true", "`follow`"),
        ("format = \"json=../x\"", "a file in `format`"),
        ("format = [\"text\", \"sarif=../x\"]", "a file in `format`"),
    ] {
        for table in ["", "[check]\n", "[rewrite]\n"] {
            let sandbox = project(&format!("{table}{setting}\n"));
            for command in ["check site", "rewrite site", "rewrite -i site", "config"] {
                let ran = sandbox.run(command);
                let line = if table.is_empty() { 1 } else { 2 };
                let column = if name.contains("format") { 10 } else { 1 };
                refused(
                    &ran,
                    &format!(
                        "error: abslink.toml:{line}:{column}: {name} is not allowed in abslink.toml, for safety: \
                         give it on the command line\n"
                    ),
                );
            }
            let page = fs::read_to_string(sandbox.path().join("site/index.html")).unwrap();
            assert_eq!(page, "<a href=sub/g>");
            let names = fs::read_dir(sandbox.path()).unwrap().count();
            assert_eq!(names, 4, "{setting}");
        }
    }
}

/// -i is about the PATH of the person, or about what the project itself has.
#[test]
fn paths_are_below_the_file() {
    for outside in ["..", "../other", "site/../../other", "/"] {
        let sandbox = project(&format!("\npaths = [\"site\", \"{outside}\"]\n"));
        let ran = sandbox.run("rewrite -i -b http://h/");
        refused(
            &ran,
            &format!(
                "error: abslink.toml:2:9: {outside} is outside the directory of abslink.toml; "
            ),
        );
        refused(
            &sandbox.run("check"),
            "is outside the directory of abslink.toml; ",
        );
    }
    // What is outside would get into the output, or into what is said of it.
    for name in ["root", "url-map", "baseline"] {
        for outside in ["../x", "/etc/passwd", "site/../../x"] {
            let wrong = format!("{outside} is outside the directory of abslink.toml; ");
            let sandbox = project(&format!("{name} = \"{outside}\"\n"));
            refused(&sandbox.run("check site"), &wrong);
            refused(&sandbox.run("config"), &wrong);
        }
    }
    let part = "[[files]]\ninclude = [\"site\"]\nbase-url = \"http://h/\"\nroot = \"..\"\n";
    let ran = project(part).run("check site");
    refused(
        &ran,
        "abslink.toml:4:8: .. is outside the directory of abslink.toml; ",
    );
    // No name is an option or standard input.
    let sandbox = project("paths = [\"-\", \"--strict\", \"--\"]\n");
    let ran = sandbox.run_with_input("check", "<a href=x>");
    assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{}", ran.stderr);
    for name in ["./-: ", "./--strict: ", "./--: "] {
        assert!(ran.stderr.contains(name), "{}", ran.stderr);
    }
    // A value is one argument, whatever it looks like.
    sandbox.write(
        "abslink.toml",
        "exclude = [\"x --in-place\", \"-i\"]\nscheme = \"--output=x\"\n",
    );
    refused(
        &sandbox.run("rewrite -b http://h/ a.html"),
        "abslink.toml:2:10: scheme --output=x: unknown scheme; ",
    );
}

#[cfg(unix)]
#[test]
fn a_link_that_came_with_the_project_does_not_lead_out() {
    use std::os::unix::fs::symlink;

    let sandbox = project("");
    sandbox.write("repository/abslink.toml", "paths = [\"in\", \"link\"]\n");
    sandbox.write("repository/in/a.html", "<a href=x>");
    fs::create_dir(sandbox.path().join("repository/.git")).unwrap();
    symlink("../site", sandbox.path().join("repository/link")).unwrap();
    for command in ["rewrite -i -b http://h/ --root .", "check", "config"] {
        let ran = run_in(&sandbox, "repository", command);
        refused(
            &ran,
            "error: abslink.toml:1:9: link is outside the directory of abslink.toml; give it on the command line\n",
        );
    }
    let page = fs::read_to_string(sandbox.path().join("site/index.html")).unwrap();
    assert_eq!(page, "<a href=sub/g>");
    for name in ["root", "url-map", "baseline"] {
        let settings = format!("{name} = \"link/index.html\"\nbase-url = \"http://h/\"\n");
        sandbox.write("repository/abslink.toml", &settings);
        refused(
            &run_in(&sandbox, "repository", "check in"),
            &format!(
                "error: abslink.toml:1:{}: link/index.html is outside the directory of abslink.toml; ",
                name.len() + 4
            ),
        );
    }
    sandbox.write("repository/abslink.toml", "paths = [\"in\", \"link\"]\n");
    // A link to what is in the project is one of its paths.
    fs::remove_file(sandbox.path().join("repository/link")).unwrap();
    symlink("in", sandbox.path().join("repository/link")).unwrap();
    let ran = run_in(&sandbox, "repository", "check");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
}

/// A link that came with a project may lead to anything its user can read.
#[cfg(unix)]
#[test]
fn nothing_is_copied_from_outside() {
    use std::os::unix::fs::symlink;

    let sandbox = project("");
    sandbox.write("secret/key.txt", "secret");
    sandbox.write("secret/page.html", "secret");
    let repository = "repository/abslink.toml";
    fs::create_dir_all(sandbox.path().join("repository/.git")).unwrap();
    sandbox.write("repository/site/index.html", "<a href=x>");
    for (name, target) in [
        ("all", "../../secret"),
        ("one", "../../secret/key.txt"),
        ("page.html", "../../secret/page.html"),
    ] {
        symlink(target, sandbox.path().join("repository/site").join(name)).unwrap();
    }
    let copying = "paths = [\"site\"]\nbase-url = \"http://h/\"\ncopy-others = true\n";
    sandbox.write(repository, &format!("{copying}follow = true\n"));
    let ran = run_in(&sandbox, "repository", "rewrite -o ../new");
    refused(
        &ran,
        "error: abslink.toml:4:1: `follow` is not allowed in abslink.toml, for safety: give it on the command line\n",
    );
    sandbox.lacks("new");
    sandbox.write(repository, copying);
    let ran = run_in(&sandbox, "repository", "rewrite -o ../new");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut copied = Vec::new();
    for entry in walkdir::WalkDir::new(sandbox.path().join("new")) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            copied.push(fs::read_to_string(entry.path()).unwrap());
        }
    }
    assert_eq!(copied, ["<a href=http://h/x>"]);
}

#[cfg(unix)]
#[test]
fn a_file_of_somebody_else_above_is_refused() {
    use std::os::unix::fs::{chown, lchown};

    let sandbox = project("strict = true\n");
    fs::remove_dir(sandbox.path().join(".git")).unwrap();
    let file = sandbox.path().join("abslink.toml");
    if chown(&file, Some(12345), None).is_err() {
        crate::support::skip::right("a file cannot be given to another user");
        return;
    }
    refused(
        &run_in(&sandbox, "site", "check ."),
        "error: ../abslink.toml: belongs to another user, and is not in the working directory\n\
         hint: --config FILE uses it, --no-config ignores it\n",
    );
    let counts = |ran: &Ran| ran.stderr.contains("abslink.toml: strict\n");
    assert!(!counts(&run_in(&sandbox, "site", "check --no-config .")));
    assert!(counts(&run_in(
        &sandbox,
        "site",
        "check --config ../abslink.toml ."
    )));
    // Where the working directory is theirs too, as in a container, or the file is there itself.
    assert!(counts(&sandbox.run("check site")));
    lchown(sandbox.path().join("site"), Some(12345), None).unwrap();
    assert!(counts(&run_in(&sandbox, "site", "check .")));
}
