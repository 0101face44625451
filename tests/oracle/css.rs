//! Where URLs stand in a style sheet: a plain reading of CSS Syntax 3, one character at a time.

use super::places::Piece;

/// Splits a style sheet or a declaration list into URLs and the rest.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut scan = Scan {
        text,
        at: 0,
        kept: 0,
        rule: Rule::Other,
        functions: Vec::new(),
        pieces: Vec::new(),
    };
    while let Some(c) = scan.peek() {
        scan.token(c);
    }
    scan.pieces.push(Piece::Text(&text[scan.kept..]));
    scan.pieces
}

/// The at-rule before its block or semicolon.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    Import,
    Namespace,
    Other,
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// Everything before is in `pieces`.
    kept: usize,
    rule: Rule,
    /// For each open parenthesis, whether a bare string in it is a URL.
    functions: Vec<bool>,
    pieces: Vec<Piece<'a>>,
}

impl Scan<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn token(&mut self, c: char) {
        match c {
            '/' if self.text[self.at..].starts_with("/*") => {
                let body = self.at + 2;
                self.at = self.text[body..]
                    .find("*/")
                    .map_or(self.text.len(), |end| body + end + 2);
            }
            // The dashes are no start of a name.
            '<' if self.text[self.at..].starts_with("<!--") => self.at += 4,
            '"' | '\'' => self.string(self.rule == Rule::Import || self.in_image()),
            '@' => {
                self.at += 1;
                self.rule = match &*self.name() {
                    "import" => Rule::Import,
                    "namespace" => Rule::Namespace,
                    _ => Rule::Other,
                };
            }
            _ if is_name(c) => self.word(),
            _ => {
                match c {
                    ';' | '{' | '}' => self.rule = Rule::Other,
                    '(' => self.functions.push(false),
                    ')' => drop(self.functions.pop()),
                    _ => {}
                }
                self.at += c.len_utf8();
            }
        }
    }

    fn in_image(&self) -> bool {
        self.functions.last().copied().unwrap_or(false)
    }

    /// A name in lower case with its escapes undone.
    fn name(&mut self) -> String {
        let start = self.at;
        while let Some(c) = self.peek().filter(|&c| is_name(c)) {
            self.at += c.len_utf8();
            if c == '\\' {
                self.escape();
            }
        }
        unescape(&self.text[start..self.at]).to_ascii_lowercase()
    }

    /// Steps over what follows a backslash.
    fn escape(&mut self) {
        let rest = &self.text[self.at..];
        let digits = rest
            .bytes()
            .take(6)
            .take_while(u8::is_ascii_hexdigit)
            .count();
        self.at += match digits {
            0 => rest.chars().next().map_or(0, char::len_utf8),
            _ => digits + usize::from(rest[digits..].starts_with([' ', '\t', '\n'])),
        };
    }

    fn word(&mut self) {
        let name = self.name();
        if self.peek() != Some('(') {
            return;
        }
        self.at += 1;
        let url = matches!(&*name, "url" | "src");
        if name == "url" {
            let rest = &self.text[self.at..];
            self.at += rest.len()
                - rest
                    .trim_start_matches(|c: char| c.is_ascii_whitespace())
                    .len();
            if !matches!(self.peek(), Some('"' | '\'')) {
                return self.unquoted();
            }
        }
        let image = matches!(
            &*name,
            "image-set" | "-webkit-image-set" | "image" | "cross-fade"
        );
        self.functions
            .push((url && self.rule != Rule::Namespace) || image);
    }

    /// An unquoted `url(`, up to its parenthesis.
    fn unquoted(&mut self) {
        let start = self.at;
        let (mut bad, mut blank) = (false, false);
        while let Some(c) = self.peek().filter(|&c| c != ')') {
            self.at += c.len_utf8();
            if c.is_ascii_whitespace() {
                blank = true;
                continue;
            }
            // White space may only come last.
            bad |= blank || matches!(c, '"' | '\'' | '(') || c < ' ';
            if c == '\\' {
                self.escape();
            }
        }
        let raw = self.text[start..self.at].trim_end_matches(|c: char| c.is_ascii_whitespace());
        if !bad && self.rule != Rule::Namespace {
            self.url(start, start + raw.len());
        }
        self.at = (self.at + 1).min(self.text.len());
    }

    fn string(&mut self, is_url: bool) {
        let quote = self.peek();
        self.at += 1;
        let start = self.at;
        while let Some(c) = self.peek().filter(|&c| Some(c) != quote && c != '\n') {
            self.at += c.len_utf8();
            if c == '\\' {
                self.escape();
            }
        }
        if is_url {
            self.url(start, self.at);
        }
        if self.peek() == quote {
            self.at += 1;
        }
    }

    /// Empty ones and `#x` ask for nothing, wherever the base is.
    fn url(&mut self, start: usize, end: usize) {
        let url = unescape(&self.text[start..end]);
        if !url.is_empty() && !url.starts_with('#') {
            self.pieces.push(Piece::Text(&self.text[self.kept..start]));
            self.pieces.push(Piece::Url(url));
            self.kept = end;
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '\\') || !c.is_ascii()
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let digits = after
            .bytes()
            .take(6)
            .take_while(u8::is_ascii_hexdigit)
            .count();
        rest = if digits > 0 {
            let code = u32::from_str_radix(&after[..digits], 16).unwrap_or(0);
            let code = if code == 0 { 0xFFFD } else { code };
            plain.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
            after[digits..]
                .strip_prefix([' ', '\t', '\n'])
                .unwrap_or(&after[digits..])
        } else if let Some(c) = after.chars().next() {
            if c != '\n' {
                plain.push(c);
            }
            &after[c.len_utf8()..]
        } else {
            after
        };
    }
    plain + rest
}
