//! Makes the references of a text absolute, and resolves one reference.
//!
//! Usage: `cargo run --example rewrite_string`

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program prints"
)]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = "http://a/b/c/d;p?q";
    let html = abslink::rewrite(
        r#"<a href="../g"><img src="i.png" srcset="i2.png 2x">"#,
        base,
    )?;
    println!("{html}");
    println!("{}", abslink::resolve(base, "../g")?);
    Ok(())
}
