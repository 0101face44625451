//! Shows each step of RFC 1808 §4 for a reference, and its result by the two later standards.
//!
//! Usage: `cargo run --example explain_reference -- BASE REFERENCE`

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program prints"
)]

use abslink::{BaseUrl, Resolver, rfc1808};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base, reference] = &arguments[..] else {
        return Err("give BASE and REFERENCE".into());
    };
    let base = BaseUrl::parse(base)?;
    for step in rfc1808::explain(&base, reference) {
        println!("{}: {}", step.number, step.text);
    }
    for resolver in Resolver::ALL {
        println!("{resolver}: {}", resolver.resolve(&base, reference)?);
    }
    if let Err(error) = rfc1808::validate(reference) {
        println!("{error}");
    }
    Ok(())
}
