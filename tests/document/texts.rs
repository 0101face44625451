//! Texts one after another, as those in values are rewritten: each as a document of its own is.

use abslink::{Context, Resolver, Settings, Syntax};
use abslink_html::{DocumentRewriter, Edit, TextRewriter};

use crate::support::generate;

#[test]
fn one_says_nothing_about_the_next() {
    let mut moving = Settings::default();
    moving.moves = moving
        .moves
        .with("http://h=http://o".parse().unwrap())
        .unwrap();
    let mut without_base = Settings::default();
    (without_base.resolver, without_base.remove_base) = (Resolver::Whatwg, true);
    without_base.unwrap = true;
    for settings in [Settings::default(), moving, without_base] {
        compare(&settings);
    }
}

fn compare(settings: &Settings) {
    let mut context = Context::retrieved_from("http://h/d/").unwrap();
    context.charset = Some("utf-8".to_owned());
    let mut texts = TextRewriter::new(&context, settings);
    let mut rewriter = DocumentRewriter::default();
    let (mut short, mut changed) = (0, 0);
    let mut compare = |text: &str| {
        let bytes = text.as_bytes();
        let mut alone = DocumentRewriter::default();
        let (examined, edits) = alone.edits(bytes, Syntax::Html, &context, settings, None);
        let edits = edits.into_iter();
        let edits: Vec<Edit> = edits.map(|(old, new)| (old, new.into_owned())).collect();
        let mut list = Vec::new();
        rewriter.new.clear();
        let Some(tally) = texts.edits(text, &mut rewriter, &mut list) else {
            return Ok(());
        };
        short += 1;
        changed += usize::from(!edits.is_empty());
        let new = list.into_iter();
        let new: Vec<Edit> = new
            .map(|(old, new)| (old, rewriter.new[new].to_vec()))
            .collect();
        if (tally, &new) != (&examined.tally, &edits) {
            return Err(format!(
                "{tally:?}\n{new:?}\ninstead of\n{examined:?}\n{edits:?}"
            ));
        }
        if examined.left.is_some() || !examined.broken.is_empty() {
            return Err(format!("nothing is said of {examined:?}"));
        }
        Ok(())
    };
    generate::documents(3_000, &mut compare);
    // What one could leave behind for the next.
    let pieces = [
        "<a href=x>",
        "<base href=y/>",
        "<base>",
        "<!--abslink-ignore-->",
        "<meta charset=latin1>",
        "<template>",
        "</template>",
        "<mjml>",
        "<mj-style>",
        "a{b:url(z)}",
        "<script>",
        "\u{feff}",
        "<meta http-equiv=content-security-policy content=\"style-src 'sha256-a'\">",
        "<style>",
        "<p style='b:url(z)'>",
        "<!-- wp:a {\"b\":\"/c\"} -->",
        "<object codebase=d data=e>",
        "é",
        "<!--abslink-ignore-file-->",
        "<svg xml:base=f>",
        "<a onclick='{\"g\":' data-h='[\"/i\"]'>",
    ];
    generate::texts(&pieces, 30_000, &mut compare);
    assert!(short > 100 && changed > 100, "{short} {changed}");
}
