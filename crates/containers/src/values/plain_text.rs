//! Which strings in JSON are plain text or Markdown, and no HTML: the objects around them say it (plain_text.tsv).

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{Event, Holds, Level, json};

/// What a string is; plain text is nothing.
pub(super) type Reads = Option<Holds>;

/// What an object has to say, and the ways from it to strings.
struct Rule {
    /// Members of which it has one; without any, all objects and arrays count.
    members: Vec<&'static str>,
    /// What the member has to be, unless it may be anything.
    values: Vec<&'static str>,
    /// Those that are deep lead to all that is below.
    ways: Vec<(Vec<String>, bool)>,
    reads: Reads,
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let words = |cell: &'static str| {
        let words = cell.split(' ').filter(|word| !matches!(*word, "-" | "*"));
        words.collect::<Vec<_>>()
    };
    let rows = include_str!("plain_text.tsv").lines();
    let way = |way: &str| {
        let steps = way.trim_end_matches("/**").split('/');
        let steps = steps.map(|step| step.replace("~1", "/"));
        (steps.collect(), way.ends_with("/**"))
    };
    let rows = rows.filter(|row| !row.starts_with('#')).map(|row| {
        let mut cells = row.split('\t');
        let mut next = || cells.next().unwrap_or_default();
        let [members, values, ways, reads] = [next(), next(), next(), next()];
        Rule {
            members: words(members),
            values: words(values),
            ways: ways.split(' ').map(way).collect(),
            reads: match reads {
                "html" => Some(Holds::Html),
                "markdown" if cfg!(feature = "markdown") => Some(Holds::Markdown),
                _ => None,
            },
        }
    });
    rows.collect()
});

/// The names of members that say something, and what finds them in quotes.
static MEMBERS: LazyLock<Vec<(&str, Finder<'_>)>> = LazyLock::new(|| {
    let mut members: Vec<_> = RULES.iter().flat_map(|rule| &rule.members).collect();
    members.sort();
    members.dedup();
    let finder = |name| Finder::new(&format!("\"{name}\"")).into_owned();
    let members = members.into_iter().map(|name| (*name, finder(name)));
    members.collect()
});

/// Whether a JSON text may have such a member. A name may be spelled by numbers.
fn may_say(text: &[u8]) -> bool {
    let is_there = |(_, quoted): &(_, Finder<'_>)| quoted.find(text).is_some();
    memchr::memmem::find(text, b"\\u").is_some() || MEMBERS.iter().any(is_there)
}

/// What the objects and arrays of a JSON text, in the order in which they open, say: a bit for each rule. Nothing, if none
/// says anything.
pub(super) fn marks(text: &str) -> Vec<u32> {
    let (mut marks, mut open) = (Vec::new(), Vec::<usize>::new());
    if !may_say(text.as_bytes()) {
        return marks;
    }
    let mut last_key = Default::default();
    let mut is_member = false;
    json::read(text, &mut |event| {
        let value = match event {
            Event::Open { .. } => {
                open.push(marks.len());
                marks.push(0);
                return;
            }
            Event::Close => {
                open.pop();
                return;
            }
            Event::Key(key) => {
                is_member = MEMBERS.iter().any(|(name, _)| **name == *key);
                last_key = key;
                None
            }
            Event::String(string) => text.get(string.span),
            _ => return,
        };
        if !is_member {
            return;
        }
        for (bit, rule) in RULES.iter().enumerate() {
            let says = match value {
                Some(value) => rule.values.contains(&value),
                None => rule.values.is_empty(),
            };
            if let Some(last) = open.last().filter(|_| says)
                && rule.members.contains(&&*last_key)
            {
                marks[*last] |= 1 << bit;
            }
        }
    });
    marks
}

/// What the string, object or array is that comes next in what is open. Of a deep rule, that is what it says of all below.
pub(super) fn reads(open: &[Level<'_, '_>], is_string: bool) -> Option<Reads> {
    let any = open.iter().fold(0, |any, level| any | level.marks);
    let leads = |(bit, rule): &(usize, &Rule)| {
        let says = |marks: u32| rule.members.is_empty() || marks & 1 << bit != 0;
        let mut ways = rule.ways.iter();
        says(any)
            && ways.any(|(way, is_deep)| {
                let outer = open.len().checked_sub(way.len());
                (is_string || *is_deep)
                    && outer.is_some_and(|outer| {
                        // The last step is seldom right.
                        let mut steps = way.iter().zip(&open[outer..]).rev();
                        says(open[outer].marks) && steps.all(|(step, level)| level.is_at(step))
                    })
            })
    };
    let of_outer = open.last().and_then(|last| last.below);
    of_outer.or_else(|| {
        let mut rules = RULES.iter().enumerate();
        rules.find(leads).map(|(_, rule)| rule.reads)
    })
}
