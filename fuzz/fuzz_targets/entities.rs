#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| abslink_fuzz::entities(input));
