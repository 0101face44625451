//! Documents made by a grammar that nests what HTML parsers find hard: raw text, foreign content,
//! templates, tables, framesets, comments, odd quoting and unclosed or misplaced tags.

use super::Random;
use super::words::*;

/// The document that belongs to a seed.
pub(crate) fn document(seed: u64) -> String {
    let mut random = Random(seed);
    let favourite = random.pick(&[
        BLOCKS, PHRASES, TABLES, CONTAINERS, FOREIGN, FOREIGN, BASES, TEMPLATES,
    ]);
    let mut generator = Generator {
        random,
        favourite,
        out: String::new(),
        open: Vec::new(),
    };
    generator.document();
    generator.out
}

struct Generator {
    random: Random,
    /// What stands in this document more often than elsewhere.
    favourite: &'static [&'static str],
    out: String,
    /// What was opened, the last one last.
    open: Vec<&'static str>,
}

impl Generator {
    fn document(&mut self) {
        if self.random.one_in(2) {
            self.out.push_str("<!DOCTYPE html>");
        }
        if self.random.one_in(3) {
            self.out.push_str("<html><head><title>t</title></head>");
            self.out.push_str(
                self.random
                    .pick(&["", "<body>", "<body><p>x</p>", "<frameset>"]),
            );
        }
        let pieces = self.random.pick(&[10, 30, 60]);
        for _ in 0..1 + self.random.below(pieces) {
            self.piece();
        }
        if self.random.one_in(5) {
            let mut end = self.random.below(self.out.len().max(1));
            while !self.out.is_char_boundary(end) {
                end -= 1;
            }
            self.out.truncate(end);
        }
    }

    fn piece(&mut self) {
        match self.random.below(100) {
            0..12 => {
                let text = self.random.pick(TEXTS);
                self.out.push_str(text);
            }
            12..30 => self.start_of(self.favourite),
            30..37 => self.start_of(BLOCKS),
            37..46 => self.start_of(PHRASES),
            46..51 => self.start_of(VOIDS),
            51..56 => self.start_of(TABLES),
            56..60 => self.start_of(CONTAINERS),
            60 => self.start_of(ROOTS),
            61..68 => self.start_of(FOREIGN),
            68 => self.start_of(&["frameset", "plaintext"]),
            69..73 => self.raw_text(),
            73..75 => self.probe(),
            75..77 => self.template(),
            77..80 => {
                let declaration = self.random.pick(DECLARATIONS);
                self.out.push_str(declaration);
            }
            80..92 => {
                if let Some(name) = self.open.pop() {
                    self.end_tag(name);
                }
            }
            92..97 => {
                let depth = self.random.below(self.open.len().max(1));
                if let Some(name) = self.open.get(depth) {
                    self.end_tag(name);
                }
            }
            _ => {
                let pool = self.random.pick(&[
                    BLOCKS,
                    PHRASES,
                    TABLES,
                    CONTAINERS,
                    ROOTS,
                    FOREIGN,
                    RAW,
                    VOIDS,
                    &["frameset"],
                ]);
                let name = self.random.pick(pool);
                self.end_tag(name);
            }
        }
    }

    fn start_of(&mut self, pool: &[&'static str]) {
        let name = self.random.pick(pool);
        self.start_tag(name);
        self.open.push(name);
    }

    fn start_tag(&mut self, name: &str) {
        self.out.push('<');
        self.name(name);
        // Tags that tree builders drop are numbered, so that one is not taken for another.
        if [TABLES, CONTAINERS, ROOTS, &["form", "frame", "frameset"]]
            .concat()
            .contains(&name)
        {
            self.out.push_str(&format!(" n={}", self.out.len()));
        }
        // Which one counts is told by its number.
        if name == "base" && !self.random.one_in(4) {
            self.out.push_str(&format!(" href={}", self.out.len()));
        }
        for _ in 0..self.random.pick(&[0, 0, 0, 1, 1, 1, 2, 3]) {
            self.attribute();
        }
        self.out.push_str(
            self.random
                .pick(&["", "", "", "", "", " ", "/", " /", "\n", " / "]),
        );
        self.out.push('>');
    }

    fn end_tag(&mut self, name: &str) {
        self.out.push_str("</");
        self.name(name);
        if self.random.one_in(12) {
            self.attribute();
        }
        self.out
            .push_str(self.random.pick(&[">", ">", ">", ">", " >", "/>"]));
    }

    fn name(&mut self, name: &str) {
        if self.random.one_in(10) {
            self.out.push_str(&name.to_ascii_uppercase());
        } else {
            self.out.push_str(name);
        }
    }

    fn attribute(&mut self) {
        self.out.push_str(
            self.random
                .pick(&[" ", " ", " ", " ", "\n", "/", " / ", ""]),
        );
        if !self.out.ends_with(|end: char| !end.is_ascii_alphanumeric()) {
            self.out.push(' ');
        }
        self.out.push_str(self.random.pick(ATTRIBUTES));
        let value = self.random.pick(VALUES);
        match self.random.below(8) {
            0 => {}
            1 => self.out.push('='),
            2 | 3 => {
                self.out.push('=');
                let value: String = value.split([' ', '\n', '\t', '>']).collect();
                self.out.push_str(&value);
            }
            4 => {
                self.out.push_str(" = '");
                self.out.push_str(value);
                self.out.push('\'');
            }
            _ => {
                self.out.push_str("=\"");
                self.out.push_str(value);
                self.out.push('"');
            }
        }
    }

    /// Foreign content that an end tag closes or not, as the elements around it decide; what
    /// follows is markup or raw text accordingly.
    fn probe(&mut self) {
        let root = self.random.pick(&["svg", "math"]);
        self.start_tag(root);
        let pool = self
            .random
            .pick(&[BLOCKS, PHRASES, TABLES, CONTAINERS, ROOTS]);
        let name = self.random.pick(pool);
        self.end_tag(name);
        self.out.push_str("<xmp><a href=x></xmp>");
    }

    /// A template, or a shadow root, in whatever place this is; what follows tells whether it was
    /// closed, and how a column in it was read.
    fn template(&mut self) {
        self.out
            .push_str(self.random.pick(&["<template", "<TEMPLATE"]));
        self.out.push_str(&format!(" n={}", self.out.len()));
        self.out.push_str(self.random.pick(&[
            ">",
            ">",
            " shadowrootmode=open>",
            " shadowrootmode=closed shadowrootclonable>",
            " shadowrootmode=x>",
        ]));
        for _ in 0..self.random.below(6) {
            match self.random.below(4) {
                0 => self.start_of(TEMPLATES),
                1 => self.raw_text(),
                2 if self.random.one_in(3) => self.template(),
                _ => self.piece(),
            }
        }
        if !self.random.one_in(6) {
            self.end_tag("template");
        }
    }

    fn raw_text(&mut self) {
        let name = self.random.pick(RAW);
        self.start_tag(name);
        for _ in 0..self.random.below(5) {
            let text = self.random.pick(RAW_TEXTS);
            self.out.push_str(text);
        }
        if !self.random.one_in(12) {
            self.end_tag(name);
        }
    }
}
