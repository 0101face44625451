//! Rewrites the document on standard input to standard output, piece by piece.
//!
//! Usage: `cargo run --example stream_document -- URL [CHARSET] < FILE`

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program prints"
)]

use std::io::{self, Read};

use abslink::{Context, Rewriter, Settings, Syntax};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().ok_or("give the URL of the document")?;
    let mut context = Context::retrieved_from(&url)?;
    context.charset = arguments.next();

    let out = io::stdout().lock();
    // A `base` element may come as late as after a megabyte.
    let settings = Settings::default();
    let rewriter = Rewriter::new(Syntax::Html, &context, &settings, out);
    let mut rewriter = rewriter.hold(1 << 20);
    let mut piece = vec![0; 64 << 10];
    loop {
        match io::stdin().read(&mut piece)? {
            0 => break,
            length => rewriter.write(&piece[..length])?,
        }
    }
    let ended = rewriter.end()?;
    eprintln!("{} references rewritten", ended.examined.tally.rewritten);
    Ok(())
}
