use clap::Parser as _;

use abslink_html::BaseSource;

use super::*;
use crate::cli::args::{Args, Command};

/// The plan of `abslink rewrite` with these arguments; capital words stand for paths of
/// this package.
fn plan(arguments: &str) -> Result<Plan> {
    let package = env!("CARGO_MANIFEST_DIR");
    let words = arguments.split_whitespace().map(|word| match word {
        "PACKAGE" => package.to_owned(),
        "DIR" => format!("{package}/src"),
        "DIR2" => format!("{package}/tests"),
        "DIR/x" => format!("{package}/src/x"),
        "FILE" => format!("{package}/Cargo.toml"),
        "FILE2" => format!("{package}/Cargo.lock"),
        word => word.to_owned(),
    });
    let words = ["abslink", "rewrite"]
        .map(str::to_owned)
        .into_iter()
        .chain(words);
    match Args::try_parse_from(words)
        .expect("clap accepts them")
        .command
    {
        Command::Rewrite(args) => rewrite(&args, &[]).map(|(plan, _)| plan),
        other => panic!("not rewrite: {other:?}"),
    }
}

fn task(arguments: &str) -> Task {
    plan(arguments).expect("it is a plan").task
}

#[track_caller]
fn refused(arguments: &str, because: &str) {
    let message = plan(arguments).expect_err("no plan").to_string();
    assert!(message.contains(because), "{message}");
}

#[test]
fn each_destination() {
    assert_eq!(task("FILE"), Task::Rewrite(Output::Stdout));
    assert_eq!(task("-"), Task::Rewrite(Output::Stdout));
    assert_eq!(
        task("-o out --copy-others DIR"),
        Task::Rewrite(Output::Directory {
            directory: "out".into(),
            copy_others: true
        })
    );
    assert_eq!(
        task("-i --backup .orig DIR FILE"),
        Task::Rewrite(Output::InPlace {
            backup: Some(".orig".into())
        })
    );
}

/// What is lost where there is a backup, or an input, can be made again.
#[test]
fn when_files_are_on_the_disk() {
    for (arguments, fsync) in [
        ("-i DIR", Fsync::Batch),
        ("-i --dry-run DIR", Fsync::Batch),
        ("-i --backup .orig DIR", Fsync::Never),
        ("-o out DIR", Fsync::Never),
        ("-o out --fsync DIR", Fsync::Always),
        ("-i --backup .orig --fsync=batch DIR", Fsync::Batch),
        ("-i --fsync=never DIR", Fsync::Never),
    ] {
        assert_eq!(plan(arguments).unwrap().fsync, fsync, "{arguments}");
    }
}

#[test]
fn trials_go_with_each_destination() {
    for (option, diff) in [("--dry-run", false), ("--diff", true)] {
        for inputs in ["DIR", "-", "FILE", "FILE DIR"] {
            let output = None;
            assert_eq!(
                task(&format!("{option} {inputs}")),
                Task::Try { output, diff }
            );
        }
        for arguments in [
            "-o out --copy-others --fsync DIR",
            "-i --backup .orig --fsync DIR FILE",
        ] {
            let Task::Rewrite(output) = task(arguments) else {
                panic!("{arguments} writes");
            };
            let output = Some(output);
            assert_eq!(
                task(&format!("{option} {arguments}")),
                Task::Try { output, diff }
            );
        }
    }
    refused("- -o out --dry-run", "no file name, which -o needs");
    refused("- -i --diff", "no file name, which -i needs");
    refused("DIR -o DIR/x --dry-run", "lies inside the input");
    refused("DIR -o FILE --diff", "is not a directory");
}

#[test]
fn no_destination() {
    refused("FILE FILE2", "2 PATHs cannot all go to standard output");
    refused("FILE DIR", "is a directory: say where");
}

#[test]
fn standard_input_stands_alone() {
    refused("- FILE -i", "cannot be combined");
    refused("- - --dry-run", "cannot be combined");
    refused("- -o out", "no file name, which -o needs");
    refused("- -i", "no file name, which -i needs");
    refused("- -b http://h/ --root DIR", "leave --root out");
}

#[test]
fn a_summary_needs_a_stream_of_its_own() {
    refused("FILE --format json", "would write too");
    refused("DIR --diff --format json", "would write too");
    refused("DIR -i --diff --format json", "would write too");
    assert!(plan("DIR -i --format json").is_ok());
    assert!(plan("DIR -i --dry-run --format json").is_ok());
    assert!(plan("FILE --dry-run --format json").is_ok());
}

#[test]
fn the_url_of_one_document() {
    let sources = plan("FILE -b http://h/x").expect("a plan").retrieval;
    let Some(Layout::Document(url)) = sources.layout else {
        panic!("{sources:?}");
    };
    assert_eq!(url.as_str(), "http://h/x");
    assert!(plan("-").expect("a plan").retrieval.layout.is_none());
}

#[test]
fn the_url_of_a_directory() {
    let tree = |arguments: &str| match plan(arguments).expect("a plan").retrieval.layout {
        Some(Layout::Tree(tree)) => tree,
        other => panic!("{other:?}"),
    };
    let url = tree("DIR -i -b http://h/d").url(b"a/index.html");
    assert_eq!(url, "http://h/d/a/");
    let url = tree("DIR -i -b http://h/d/ --index none").url(b"index.html");
    assert_eq!(url, "http://h/d/index.html");
    let url = tree("DIR -i -b http://h/d --index x.html,y.html").url(b"y.html");
    assert_eq!(url, "http://h/d/");
    let plan = plan("FILE FILE2 -i -b http://h/ --root PACKAGE").expect("a plan");
    let layout = plan.retrieval.layout;
    assert!(matches!(layout, Some(Layout::Tree(_))));
    assert!(plan.root.is_some());
}

#[test]
fn one_url_is_not_for_many() {
    refused("FILE FILE2 -i -b http://h/x", "several PATHs share one");
    refused("FILE DIR -i -b http://h/x", "several PATHs share one");
    // `--ext` takes one word.
    refused("DIR css -i -b http://h/x", "css: no such file or directory");
    refused("FILE -b http://h/ --root FILE", "not a directory");
    refused("DIR DIR2 -i -b http://h/", "several PATHs share one");
}

#[test]
fn evidence_that_counts() {
    let order = |arguments: &str| plan(arguments).expect("a plan").retrieval.order;
    assert_eq!(
        order("FILE"),
        [BaseSource::Xattr, BaseSource::Comment, BaseSource::SelfLink]
    );
    assert_eq!(
        order("FILE -b http://h/"),
        [BaseSource::Map, BaseSource::Layout]
    );
    assert_eq!(
        order("DIR -i --layout wget"),
        [BaseSource::Map, BaseSource::Layout]
    );
    assert_eq!(
        order("DIR -i -b http://h/ --url-from xattr,layout"),
        [BaseSource::Xattr, BaseSource::Layout]
    );
    refused("FILE --url-from map", "map needs --url-map FILE");
    refused(
        "FILE --url-from xattr,layout",
        "layout needs --base-url or --layout",
    );
}

#[test]
fn layouts_of_hosts() {
    refused("DIR -i --layout tree", "needs --base-url");
    refused("DIR -i --layout httrack -b http://h/", "only");
    refused("FILE --layout wget", "add --root DIR");
    refused("- --layout wget-windows", "add --root DIR");
    assert!(plan("FILE --layout wget --root PACKAGE").is_ok());
}

#[test]
fn a_map_that_is_none() {
    refused("FILE --url-map FILE", "no columns `path` and `url`");
    refused("FILE --url-map nowhere", "--url-map nowhere: cannot read: ");
}

#[test]
fn standard_input_lies_in_no_tree() {
    refused("- -b http://h/ --only-missing", "needs a tree");
}

#[test]
fn places_that_count() {
    use abslink_html::Group;
    let groups = plan("FILE --also lazy,meta --skip css")
        .expect("a plan")
        .html
        .groups;
    assert!(groups.contains(Group::Lazy) && groups.contains(Group::Links));
    assert!(!groups.contains(Group::Css) && !groups.contains(Group::Json));
}

#[test]
fn all_places_and_none() {
    use abslink_html::Group;
    let groups = |arguments: &str| {
        let groups = plan(&format!("FILE {arguments}"))
            .expect("a plan")
            .html
            .groups;
        let on = Group::ALL
            .into_iter()
            .filter(|group| groups.contains(*group));
        on.collect::<Vec<_>>()
    };
    assert_eq!(groups("--also all"), Group::ALL);
    assert_eq!(groups("--skip all"), []);
    assert_eq!(
        groups("--skip all --also css,links"),
        [Group::Links, Group::Canonical, Group::Css]
    );
    let mut but_css = Group::ALL.to_vec();
    but_css.retain(|group| *group != Group::Css);
    assert_eq!(groups("--skip css --also all"), but_css);
    assert_eq!(groups("--only all"), Group::ALL);
    assert_eq!(
        groups("--only canonical,meta"),
        [Group::Canonical, Group::Meta]
    );
}

#[test]
fn detection_is_on_for_mirrors() {
    let detects = |arguments: &str| plan(arguments).expect("a plan").selection.detect_html;
    for layout in ["wget", "wget-windows", "httrack"] {
        assert!(detects(&format!("DIR -i --layout {layout}")), "{layout}");
        assert!(!detects(&format!("DIR -i --layout {layout} --detect none")));
    }
    assert!(!detects("DIR -i"));
    assert!(!detects("DIR -i --layout tree -b http://h/"));
    assert!(!detects("DIR -i --detect feeds"));
    for given in ["html", "all", "feeds,html"] {
        assert!(detects(&format!("DIR -i --detect {given}")), "{given}");
    }
    assert!(detects("DIR -i --layout wget --detect feeds"));
    refused("DIR --detect none,html", "--detect none cannot be combined");
    refused(
        "DIR -b http://h/ --index none,a.html",
        "--index none cannot",
    );
}

#[test]
fn files_that_count() {
    let selection = plan("FILE --ext .HTML,php --exclude drafts")
        .expect("a plan")
        .selection;
    assert_eq!(selection.extensions, ["html", "php"]);
    assert!(selection.exclude.is_match("a/drafts/b.html".as_ref()));
    refused("FILE --include a[", "--include a[");
    let extensions = |list| {
        plan(&format!("FILE --ext {list}"))
            .expect("a plan")
            .selection
            .extensions
    };
    assert!(extensions("+css,svg").ends_with(&["warc.zst".into(), "css".into(), "svg".into()]));
    refused("FILE --ext css,+svg", "--ext: `+` comes once");
    refused("FILE --ext +css --ext +svg", "--ext: `+` comes once");
}
