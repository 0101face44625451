//! `file:` URLs of a small alphabet against a transcription of the URL Standard's states.

use abslink_url::{BaseUrl, Resolver, rfc3986};

/// The state machine of the URL Standard (§4.4) for a `file:` URL, state by state, over characters
/// and lists of segments.
mod transcription {
    #[derive(Clone, Debug, Default)]
    pub(super) struct Record {
        pub(super) host: String,
        pub(super) path: Vec<String>,
        pub(super) query: Option<String>,
        pub(super) fragment: Option<String>,
    }

    enum State {
        File,
        FileSlash,
        FileHost,
        PathStart,
        Path,
        Query,
        Fragment,
    }

    impl Record {
        pub(super) fn text(&self) -> String {
            let path: String = self.path.iter().map(|part| format!("/{part}")).collect();
            let query = self.query.iter().map(|query| format!("?{query}"));
            let fragment = self.fragment.iter().map(|fragment| format!("#{fragment}"));
            let end: String = query.chain(fragment).collect();
            format!("file://{}{path}{end}", self.host)
        }

        fn shorten(&mut self) {
            if !matches!(&self.path[..], [only] if is_normalized(only)) {
                self.path.pop();
            }
        }

        /// The path state at the end of a segment.
        fn end_segment(&mut self, buffer: &str, is_slash: bool) {
            match dots(buffer) {
                2 => {
                    self.shorten();
                    if !is_slash {
                        self.path.push(String::new());
                    }
                }
                1 if !is_slash => self.path.push(String::new()),
                1 => {}
                _ if self.path.is_empty() && is_drive(buffer) => {
                    self.path.push(format!("{}:", &buffer[..1]));
                }
                _ => self.path.push(buffer.to_owned()),
            }
        }

        fn start_query_or_fragment(&mut self, c: Option<char>, state: State) -> State {
            match c {
                Some('?') => {
                    self.query = Some(String::new());
                    State::Query
                }
                Some('#') => {
                    self.fragment = Some(String::new());
                    State::Fragment
                }
                _ => state,
            }
        }
    }

    fn is_drive(text: &str) -> bool {
        let text: Vec<_> = text.chars().collect();
        text.len() == 2 && text[0].is_ascii_alphabetic() && [':', '|'].contains(&text[1])
    }

    fn is_normalized(text: &str) -> bool {
        is_drive(text) && text.ends_with(':')
    }

    fn starts_with_drive(text: &[char]) -> bool {
        let first: String = text.iter().take(2).collect();
        is_drive(&first) && (text.len() == 2 || ['/', '\\', '?', '#'].contains(&text[2]))
    }

    fn dots(buffer: &str) -> usize {
        match buffer.to_ascii_lowercase().as_str() {
            "." | "%2e" => 1,
            ".." | ".%2e" | "%2e." | "%2e%2e" => 2,
            _ => 0,
        }
    }

    /// Reads `input`, which has no scheme, or is what follows it. `None` is a failure.
    pub(super) fn parse(
        input: &str,
        base: Option<&Record>,
        host_parser: impl Fn(&str) -> Option<String>,
    ) -> Option<Record> {
        let input: Vec<char> = input.chars().collect();
        let mut url = Record::default();
        let mut state = State::File;
        let mut buffer = String::new();
        let mut pointer = 0;
        while pointer <= input.len() {
            let c = input.get(pointer).copied();
            let is_slash = matches!(c, Some('/' | '\\'));
            // Whether the pointer moves on.
            let mut forward = true;
            match state {
                State::File if is_slash => state = State::FileSlash,
                State::File => {
                    state = State::Path;
                    forward = false;
                    if let Some(base) = base {
                        url = base.clone();
                        url.fragment = None;
                        match c {
                            Some('?' | '#') => {
                                state = url.start_query_or_fragment(c, state);
                                forward = true;
                            }
                            None => return Some(url),
                            Some(_) => {
                                url.query = None;
                                if starts_with_drive(&input[pointer..]) {
                                    url.path.clear();
                                } else {
                                    url.shorten();
                                }
                            }
                        }
                    }
                }
                State::FileSlash if is_slash => state = State::FileHost,
                State::FileSlash => {
                    if let Some(base) = base {
                        url.host.clone_from(&base.host);
                        if !starts_with_drive(&input[pointer..]) && is_normalized(&base.path[0]) {
                            url.path.push(base.path[0].clone());
                        }
                    }
                    (state, forward) = (State::Path, false);
                }
                State::FileHost if is_slash || matches!(c, None | Some('?' | '#')) => {
                    forward = false;
                    if is_drive(&buffer) {
                        state = State::Path;
                    } else {
                        if !buffer.is_empty() {
                            url.host = host_parser(&buffer)?.replace("localhost", "");
                            buffer.clear();
                        }
                        state = State::PathStart;
                    }
                }
                State::FileHost => buffer.extend(c),
                State::PathStart => (state, forward) = (State::Path, is_slash),
                State::Path if is_slash || matches!(c, None | Some('?' | '#')) => {
                    url.end_segment(&buffer, is_slash);
                    buffer.clear();
                    state = url.start_query_or_fragment(c, State::Path);
                }
                // Nothing in the alphabet is percent-encoded.
                State::Path => buffer.extend(c),
                State::Query if c == Some('#') => {
                    state = url.start_query_or_fragment(c, State::Query);
                }
                State::Query => url.query.as_mut()?.extend(c),
                State::Fragment => url.fragment.as_mut()?.extend(c),
            }
            pointer += usize::from(forward);
        }
        Some(url)
    }
}

const ALPHABET: [&str; 9] = ["/", "\\", ".", ":", "|", "C", "?", "#", "%2e"];

const BASES: [&str; 10] = [
    "///",
    "///a/b",
    "////",
    "////a//b?q#f",
    "///C:",
    "///C|/a/b?q",
    "///a/C:/b",
    "//h",
    "//h/C:/a",
    "//h//C:/",
];

/// The host parser, as it works for the hosts of other schemes; only of those with a port or a login
/// more than the host would be read.
fn host(text: &str) -> Option<String> {
    if text.contains([':', '@']) {
        return None;
    }
    let url = format!("http://{text}/");
    let url = Resolver::Whatwg.resolve(&BaseUrl::any(""), &url).ok()?;
    let host = url.strip_prefix("http://")?.split('/').next()?;
    Some(host.to_owned())
}

/// Every text of up to `length` pieces of the alphabet.
fn texts(length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut longest = 0;
    for _ in 0..length {
        let next = longest..all.len();
        longest = next.end;
        for at in next {
            for piece in ALPHABET {
                all.push(format!("{}{piece}", all[at]));
            }
        }
    }
    all
}

#[test]
fn all_references_of_a_small_alphabet() {
    let references = texts(5);
    for base_text in BASES {
        let base = BaseUrl::any(&format!("file:{base_text}"));
        let record = transcription::parse(base_text, None, host).unwrap();
        for reference in &references {
            if rfc3986::scheme(reference).is_some() {
                continue;
            }
            let expected = transcription::parse(reference, Some(&record), host);
            let expected = expected.map(|record| record.text());
            let resolved = Resolver::Whatwg.resolve(&base, reference).ok();
            assert_eq!(
                resolved.as_deref(),
                expected.as_deref(),
                "{base_text} + {reference}"
            );
        }
    }
}

#[test]
fn all_urls_of_a_small_alphabet() {
    let bases = [
        BaseUrl::any(""),
        BaseUrl::any("http://h/a?q"),
        BaseUrl::any("x:y"),
        BaseUrl::any("file://h//C:/a?q"),
    ];
    let own = transcription::parse("//h//C:/a?q", None, host).unwrap();
    for rest in texts(5) {
        let reference = format!("file:{rest}");
        for base in &bases {
            let record = (base.as_str().starts_with("file:")).then_some(&own);
            let expected = transcription::parse(&rest, record, host).map(|record| record.text());
            let resolved = Resolver::Whatwg.resolve(base, &reference).ok();
            assert_eq!(
                resolved.as_deref(),
                expected.as_deref(),
                "{base:?} + {reference}"
            );
            // It is what it gives again, so a browser that reads the result gets the same URL.
            if let Some(expected) = expected {
                let again = Resolver::Whatwg.resolve(base, &expected);
                assert_eq!(again.as_deref(), Ok(&*expected), "{reference}");
            }
        }
    }
}
