//! Lists the references of a document, and what became of each.
//!
//! Usage: `cargo run --example list_references -- FILE URL`

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program prints"
)]

use abslink::{Context, Group, Settings, Syntax};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, url] = &arguments[..] else {
        return Err("give FILE and its URL".into());
    };
    let document = std::fs::read(file)?;
    let context = Context::retrieved_from(url)?;
    let mut settings = Settings::default();
    settings.groups = settings.groups.with(Group::Lazy);
    settings.exclude = Some("^/login".parse()?);

    let examined = abslink::examine(&document, Syntax::Html, &context, &settings, &mut |found| {
        let absolute = found.absolute.unwrap_or("-");
        let (element, attribute) = (found.element, found.attribute);
        let outcome = found.outcome.name();
        println!(
            "{element} {attribute}: {} -> {absolute} ({outcome})",
            found.reference
        );
    });
    println!("base URL from: {}", examined.document_base.source.name());
    Ok(())
}
