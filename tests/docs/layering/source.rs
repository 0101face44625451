//! What the code of `src/` names: enough of Rust's grammar to follow a name to where it is defined.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// A path of names.
type Names = Vec<String>;

/// All modules, by their paths from the top of the crate.
#[derive(Default)]
pub(super) struct Source {
    modules: BTreeMap<Names, Module>,
}

/// A module, in a file of its own or within one.
#[derive(Default)]
struct Module {
    file: PathBuf,
    /// The names that `use` brings into it, with what they stand for.
    imports: HashMap<String, Names>,
    /// The paths that its code names.
    paths: Vec<Names>,
}

impl Source {
    /// Reads all files below `src`, without the code that only tests need.
    pub(super) fn read(src: &Path) -> Source {
        let mut source = Source::default();
        for entry in walkdir::WalkDir::new(src).sort_by_file_name() {
            let entry = entry.unwrap();
            let file = entry.path().strip_prefix(src).unwrap();
            let is_test = || file.with_extension("").iter().any(|name| name == "tests");
            if entry.file_type().is_file() && !is_test() {
                source.add(file, &fs::read_to_string(entry.path()).unwrap());
            }
        }
        source
    }

    /// Adds what a file holds.
    pub(super) fn add(&mut self, file: &Path, text: &str) {
        let names = file.with_extension("");
        let mut module: Names = names
            .iter()
            .map(|name| name.to_str().unwrap().into())
            .collect();
        if matches!(&module[module.len() - 1][..], "mod" | "lib" | "main") {
            module.pop();
        }
        let mut reader = Reader {
            tokens: &tokens(text),
            file,
            modules: &mut self.modules,
        };
        reader.block(&module);
    }

    /// Each path that code names, with the module that the code is in.
    fn named(&self) -> impl Iterator<Item = (&Names, &Names)> {
        let modules = self.modules.iter();
        modules.flat_map(|(names, module)| module.paths.iter().map(move |path| (names, path)))
    }

    /// Which files each file uses.
    pub(super) fn arrows(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let mut arrows: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for (names, path) in self.named() {
            let Some(definer) = self.definer(names, path, 0) else {
                continue;
            };
            let (from, to) = (&*self.modules[names].file, &*self.modules[definer].file);
            let is_above = names.starts_with(definer);
            if !is_above && from != to {
                arrows.entry(from).or_default().insert(to);
            }
        }
        arrows
    }

    /// The module that defines what a path in `module` names. None where that is no item of these
    /// files: the name of a module is only the way to what is in it.
    fn definer(&self, module: &[String], path: &[String], handed_on: usize) -> Option<&Names> {
        let from_top = from_top(module, path);
        let is_child = || self.modules.contains_key(&[module, &path[..1]].concat());
        let is_ours = from_top.is_some() || is_child();
        let whole = from_top.unwrap_or_else(|| [module, path].concat());
        let mut lengths = (0..=whole.len()).rev();
        let length = lengths.find(|&length| self.modules.contains_key(&whole[..length]))?;
        let (names, module) = self.modules.get_key_value(&whole[..length])?;
        let (name, below) = whole[length..].split_first()?;
        match module.imports.get(name) {
            // Names can be handed on in a circle.
            Some(import) if handed_on < 8 => {
                self.definer(names, &[import, below].concat(), handed_on + 1)
            }
            // What begins with the name of a crate or of a type leads nowhere else.
            _ => is_ours.then_some(names),
        }
    }
}

/// A path in `module` from the top of the crate, if it says where it begins.
fn from_top(module: &[String], path: &[String]) -> Option<Names> {
    let (first, rest) = path.split_first()?;
    let above = path.iter().take_while(|name| *name == "super").count();
    match first.as_str() {
        "crate" | "abslink" => Some(rest.to_vec()),
        "self" => Some([module, rest].concat()),
        "super" => Some([&module[..module.len().checked_sub(above)?], &path[above..]].concat()),
        _ => None,
    }
}

/// Reads the code of a file.
struct Reader<'a> {
    tokens: &'a [String],
    file: &'a Path,
    modules: &'a mut BTreeMap<Names, Module>,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<&str> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first)
    }

    fn is_next(&self, expected: &[&str]) -> bool {
        let mut next = self.tokens.iter();
        expected
            .iter()
            .all(|token| next.next().is_some_and(|next| next == token))
    }

    /// Reads on to the end of a block, as part of this module.
    fn block(&mut self, module: &[String]) {
        let file = self.file.to_owned();
        self.modules.entry(module.to_vec()).or_default().file = file;
        loop {
            let is_test = self.is_next(&["cfg", "(", "test"])
                || self.is_next(&["cfg", "(", "all", "(", "test"]);
            if is_test {
                self.skip_item();
            }
            if self.is_next(&["mod"])
                && let [_, name, brace, rest @ ..] = self.tokens
                && brace == "{"
            {
                self.tokens = rest;
                self.block(&[module, std::slice::from_ref(name)].concat());
                continue;
            }
            let Some(token) = self.next() else { return };
            match token {
                "{" => self.block(module),
                "}" => return,
                "use" => self.use_tree(module, &[]),
                name if is_name(name) => {
                    let mut path = vec![name.to_owned()];
                    while let [colons, name, rest @ ..] = self.tokens
                        && colons == "::"
                        && is_name(name)
                    {
                        path.push(name.clone());
                        self.tokens = rest;
                    }
                    if path.len() > 1 {
                        self.modules
                            .entry(module.to_vec())
                            .or_default()
                            .paths
                            .push(path);
                    }
                }
                _ => {}
            }
        }
    }

    /// Passes over what an attribute stands before.
    fn skip_item(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.next() {
            match token {
                "{" => depth += 1,
                "}" if depth == 1 => return,
                "}" => depth -= 1,
                ";" if depth == 0 => return,
                _ => {}
            }
        }
    }

    /// Reads `a::b`, `a::b as c`, `a::*` or `a::{b, c::{d, e}}` behind a prefix, up to what ends it.
    fn use_tree(&mut self, module: &[String], prefix: &[String]) {
        let mut path = prefix.to_vec();
        let mut alias = None;
        while !self.is_next(&["}"])
            && let Some(token) = self.next()
        {
            match token {
                "{" => {
                    while !self.is_next(&["}"]) {
                        self.use_tree(module, &path);
                    }
                    self.next();
                    // What the group stands for was put down; a `,` or `;` ends it.
                    path.clear();
                }
                "," | ";" => break,
                "as" => alias = self.next().map(str::to_owned),
                "::" => {}
                "self" if !path.is_empty() => {}
                name => path.push(name.to_owned()),
            }
        }
        if let Some(last) = path.last() {
            let name = alias.unwrap_or_else(|| last.clone());
            let module = self.modules.entry(module.to_vec()).or_default();
            module.imports.insert(name, path.clone());
            module.paths.push(path);
        }
    }
}

/// The names and signs of a program, without comments and texts.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => text_length(rest),
            '\'' => character_length(rest),
            _ if first.is_whitespace() => first.len_utf8(),
            _ => raw_text_length(rest).unwrap_or_else(|| {
                let length = token_length(rest, first);
                tokens.push(rest[..length].to_owned());
                length
            }),
        };
        rest = &rest[length..];
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn token_length(text: &str, first: char) -> usize {
    if is_name(text) {
        let ends = |c: char| !c.is_alphanumeric() && c != '_';
        text.find(ends).unwrap_or(text.len())
    } else if text.starts_with("::") {
        2
    } else {
        first.len_utf8()
    }
}

/// `"a\"b"`.
fn text_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            c => is_escaped = c == '\\' && !is_escaped,
        }
    }
    text.len()
}

/// `r#"a"#`, with any number of `#`.
fn raw_text_length(text: &str) -> Option<usize> {
    let behind = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let body = behind.trim_start_matches('#');
    let end = format!("\"{}", &behind[..behind.len() - body.len()]);
    let body = body.strip_prefix('"')?;
    let length = body.find(&end)? + end.len();
    Some(text.len() - body.len() + length)
}

/// `'a'` and `'\''`; of a lifetime, which has no end, only the beginning.
fn character_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => text[3..].find('\'').map_or(1, |end| end + 4),
        (_, Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

#[test]
fn names_are_read_out_of_every_kind_of_path() {
    let mut source = Source::default();
    let text = "use crate::html::{self, Reference};\n\
                // crate::batch is only mentioned\n\
                use crate::{base::{BaseSource, x as y}, resolver::*};\n\
                const T: [&str; 2] = [\"\\\"crate::a\", r#\"\"crate::a\"#];\n\
                fn f<'a>() { ('\\'', '\"', abslink::cli::y::<T>(my_crate::warc::z)) }\n";
    source.add(Path::new("l.rs"), text);
    let named: Vec<String> = source.named().map(|(_, path)| path.join("::")).collect();
    let expected = [
        "crate::html",
        "crate::html::Reference",
        "crate::base::BaseSource",
        "crate::base::x",
        "crate::resolver::*",
        "abslink::cli::y",
        "my_crate::warc::z",
    ];
    assert_eq!(named, expected);
}
