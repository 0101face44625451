//! `<meta name=msapplication-task content="name=News;action-uri=news.html;icon-uri=n.ico">`.

use std::ops::Range;

use crate::locate::name_filter::is_in;

/// Keys of tasks, and of notifications.
const URLS: &str =
    "action-uri icon-uri polling-uri polling-uri2 polling-uri3 polling-uri4 polling-uri5";

/// The byte range of each URL in `content`, which is decoded: the values of [`URLS`].
pub(crate) fn references(content: &str) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    content.split(';').filter_map(move |pair| {
        let start = next;
        next += pair.len() + 1;
        let (key, value) = pair.split_once('=')?;
        let is_url = is_in(key.trim().as_bytes(), URLS);
        let url = value.trim_ascii();
        let before = value.len() - value.trim_ascii_start().len();
        let start = start + key.len() + 1 + before;
        (is_url && !url.is_empty()).then_some(start..start + url.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::attributes::ValueKind;
    use crate::values::list::encode;

    fn urls(content: &str) -> Vec<&str> {
        references(content).map(|range| &content[range]).collect()
    }

    #[test]
    fn only_uris_count() {
        let content = "name=A;action-uri=./a?b=c; ICON-URI = i.ico ;window-type=tab";
        assert_eq!(urls(content), ["./a?b=c", "i.ico"]);
        assert_eq!(urls("action-uri=;icon-uri"), [""; 0]);
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut content = "action-uri=".to_owned();
        encode("http://h/a;b c", ValueKind::TileTask, &mut content);
        assert_eq!(urls(&content), ["http://h/a%3Bb%20c"]);
    }
}
