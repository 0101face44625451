//! Writes the JavaScript by which the module of abslink-html is called:
//! `abslink-bindgen MODULE DIRECTORY`.
//!
//! This is the program wasm-bindgen as a library: `Cargo.lock` holds it to the version of the attributes in
//! the module, and nobody has to install it.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, directory] = &arguments[..] else {
        eprintln!("usage: abslink-bindgen MODULE DIRECTORY");
        return ExitCode::FAILURE;
    };
    match bind(module, directory) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn bind(module: &str, directory: &str) -> Result<(), anyhow::Error> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name("bindings")
        .web(true)?
        // lib/ says where the module comes from, and what its types are.
        .omit_default_module_path(true)
        .typescript(false)
        // A fresh instance after a panic.
        .reset_state_function(true)
        // wasm-opt puts what has similar names together, and takes the names away.
        .remove_name_section(false)
        .remove_producers_section(true)
        .generate(directory)
}
