//! Templates of eight engines, each rendered by its engine before and after with the same data: every
//! reference leads where it led. Mailchimp has no engine to be had; a substitution of our own stands in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use abslink::{
    Context, Group, Outcome, Placeholders, Reference, Resolver, Settings, Syntax, examine,
    rewrite_bytes,
};
use url::Url;

use crate::support::skip;

/// Where the template lies, and so what is rendered from it.
const URL: &str = "https://mail.example/2026/order.html";

fn testdata(name: &str) -> PathBuf {
    let testdata = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/templates");
    Path::new(testdata).join(name)
}

/// Where every reference of what was rendered leads in a browser.
fn targets(html: &str) -> Vec<String> {
    let (context, settings) = (Context::retrieved_from(URL).unwrap(), Settings::default());
    let mut settings = settings;
    settings.resolver = Resolver::Whatwg;
    settings.placeholders = Placeholders::Resolve;
    let base = Url::parse(URL).unwrap();
    let mut targets = Vec::new();
    examine(
        html.as_bytes(),
        Syntax::Html,
        &context,
        &settings,
        &mut |it| {
            let target = base.join(it.reference).map(String::from);
            let target = target.unwrap_or_else(|_| it.reference.to_owned());
            targets.push(format!("{} {} {target}", it.element, it.attribute));
        },
    );
    targets
}

/// A template as it is rendered, by the command that an engine is started with.
fn rendered(template: &str, command: Command) -> Result<String, String> {
    let mut command = command;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("template.html");
    fs::write(&path, template).unwrap();
    let ran = command
        .arg(&path)
        .arg(testdata("data.json"))
        .output()
        .unwrap();
    match ran.status.success() {
        true => Ok(String::from_utf8(ran.stdout).unwrap()),
        false => Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&ran.stderr)
        )),
    }
}

fn rewritten(template: &str, placeholders: Placeholders) -> String {
    let context = Context::retrieved_from(URL).unwrap();
    let mut settings = Settings::default();
    settings.placeholders = placeholders;
    settings.verify = abslink_verify::second_reader();
    let new = rewrite_bytes(template.as_bytes(), Syntax::Html, &context, &settings);
    assert_eq!(new.examined.disagreement, None);
    assert!(
        new.examined.tally.rewritten > 10,
        "{:?}",
        new.examined.tally
    );
    String::from_utf8(new.document.into_owned()).unwrap()
}

fn check(name: &str, render: &dyn Fn(&str) -> Result<String, String>) {
    let template = fs::read_to_string(testdata(&format!("{name}.html"))).unwrap();
    let before = targets(&render(&template).unwrap());
    assert!(before.len() > 20, "{name}: {before:#?}");
    for resolver in Resolver::ALL {
        let context = Context::retrieved_from(URL).unwrap();
        let mut settings = Settings::default();
        settings.resolver = resolver;
        let new = rewrite_bytes(template.as_bytes(), Syntax::Html, &context, &settings);
        let new = String::from_utf8(new.document.into_owned()).unwrap();
        assert_ne!(new, template);
        let after = targets(&render(&new).unwrap());
        let pairs = before
            .iter()
            .zip(&after)
            .filter(|(before, after)| before != after);
        let differing: Vec<_> = pairs.collect();
        assert!(differing.is_empty(), "{name}, {resolver}: {differing:#?}");
        assert_eq!(before.len(), after.len(), "{name}, {resolver}");
    }
    // The second reader agrees, and the engine still takes the template.
    let kept = rewritten(&template, Placeholders::Keep);
    assert_eq!(before, targets(&render(&kept).unwrap()), "{name}");
    // What would be wrong if they were text.
    let text = rewritten(&template, Placeholders::Resolve);
    let text = render(&text).map(|text| targets(&text));
    assert_ne!(Ok(before), text, "{name}");
}

/// Node with a package that `.ci/run` installs; says so if it is not there.
fn node(engine: &str) -> Option<Command> {
    let modules = std::env::current_exe().ok().and_then(|program| {
        let mut above = (program.ancestors()).map(|above| above.join("templates/node_modules"));
        above.find(|modules| modules.join(engine).is_dir())
    });
    let Some(modules) = modules else {
        skip::tool(format_args!("there is no {engine}; .ci/run brings it"));
        return None;
    };
    if !skip::has_tool("node") {
        return None;
    }
    let mut node = Command::new("node");
    node.env("NODE_PATH", modules)
        .arg(testdata("render.js"))
        .arg(engine);
    Some(node)
}

#[test]
#[ignore = "slow tier: another program"]
fn jinja() {
    let has_jinja = Command::new("python3")
        .args(["-c", "import jinja2"])
        .output();
    if !has_jinja.is_ok_and(|ran| ran.status.success()) {
        return skip::tool("Python has no jinja2; .ci/run installs it");
    }
    check("jinja", &|template| {
        let mut python = Command::new("python3");
        python.arg(testdata("render.py"));
        rendered(template, python)
    });
}

#[test]
#[ignore = "slow tier: another program"]
fn handlebars_ejs_and_mustache() {
    for engine in ["handlebars", "ejs", "mustache"] {
        if node(engine).is_none() {
            return;
        }
        check(engine, &|template| {
            rendered(template, node(engine).unwrap())
        });
    }
}

/// All links of the mail that MJML makes are absolute, in its styles and comments for Outlook too.
#[test]
#[ignore = "slow tier: another program"]
fn mjml() {
    let Some(node) = node("mjml") else { return };
    let template = fs::read_to_string(testdata("mail.mjml")).unwrap();
    let mail = rendered(&rewritten(&template, Placeholders::Keep), node).unwrap();
    let mut settings = Settings::default();
    settings.groups = settings.groups.with(Group::Comments);
    let (context, mut links, mut left) = (Context::default(), 0, Vec::new());
    let mut each = |it: &Reference<'_>| {
        links += 1;
        if it.outcome != Outcome::Absolute && !it.reference.starts_with('#') {
            left.push(it.reference.to_owned());
        }
    };
    examine(
        mail.as_bytes(),
        Syntax::Html,
        &context,
        &settings,
        &mut each,
    );
    assert!(left.is_empty(), "{left:?}");
    assert!(links > 40, "{links}: {mail}");
    assert!(mail.contains("\"https://mail.example/shop/b/c\""), "{mail}");
}

#[test]
#[ignore = "slow tier: another program"]
fn erb_and_liquid() {
    if !skip::has_tool("ruby") {
        return;
    }
    let has_liquid = Command::new("ruby")
        .args(["-e", "require 'liquid'"])
        .output();
    if !has_liquid.is_ok_and(|ran| ran.status.success()) {
        return skip::tool("Ruby has no liquid; .ci/run installs it");
    }
    for engine in ["erb", "liquid"] {
        check(engine, &|template| {
            let mut ruby = Command::new("ruby");
            ruby.arg(testdata("render.rb")).arg(engine);
            rendered(template, ruby)
        });
    }
}

#[test]
#[ignore = "slow tier: another program"]
fn php() {
    if !skip::has_tool("php") {
        return;
    }
    check("php", &|template| {
        let mut php = Command::new("php");
        php.arg(testdata("render.php"));
        rendered(template, php)
    });
}

#[test]
fn mailchimp() {
    let data = fs::read_to_string(testdata("data.json")).unwrap();
    let data: serde_json::Value = serde_json::from_str(&data).unwrap();
    check("mailchimp", &|template| {
        let mut out = template.replace("*|S|*", "s");
        for (name, value) in data.as_object().unwrap() {
            if let Some(value) = value.as_str() {
                out = out.replace(&format!("*|{}|*", name.to_uppercase()), value);
            }
        }
        out = out.replace("*|UNSUB|*", "https://list.example/unsubscribe?u=1");
        out = out.replace("*|ARCHIVE|*", "https://list.example/archive?u=1");
        Ok(out.replace("*|UNIQID|*", "77").replace("*|LIST:ID|*", "5"))
    });
}
