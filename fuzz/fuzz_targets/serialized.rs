#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| abslink_fuzz::run("serialized", input));
