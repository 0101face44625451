//! How a map is read.

use std::io::BufRead;
use std::sync::atomic::AtomicBool;

use super::failed::DelayedLine;
use super::format::{self, Line};
use super::{FailedPage, MapError, Span, UrlMap};

impl UrlMap {
    /// Reads a map; its first line says in which format. If several lines have the same path, the
    /// first one is its URL, and the others lead there too; in HTTrack's map the last counts of those whose file is
    /// permanent, if there are any.
    ///
    /// # Errors
    /// [`MapError`] names the line that cannot be read.
    pub fn read(reader: impl BufRead) -> Result<UrlMap, MapError> {
        let mut map = UrlMap::default();
        let prefix = format::read(reader, &mut |line| map.push(line))?;
        if let Some(prefix) = prefix {
            map.cut(&prefix);
            map.by_httrack = true;
        }
        map.sort();
        Ok(map)
    }

    fn push(&mut self, line: &Line<'_>) {
        let path = line.path.strip_prefix(b"./").unwrap_or(line.path);
        let delayed = line.failed.and_then(|media_type| {
            let media_type = media_type.get(..media_type.len().min(usize::from(u16::MAX)))?;
            Some((DelayedLine::read(path, line.url)?, media_type))
        });
        let (path, hash) = delayed.map_or((path, &[][..]), |(delayed, _)| delayed.stem);
        // Longer ones are not paths or URLs.
        let path_length = path.len() + hash.len();
        let (Ok(path_length), Ok(url_length)) = (path_length.try_into(), line.url.len().try_into())
        else {
            return;
        };
        let entry = Span {
            start: self.text.len(),
            path: path_length,
            url: url_length,
            stays: line.stays,
        };
        for part in [path, hash, line.url] {
            self.text.extend(part);
        }
        match delayed {
            Some((delayed, media_type)) => {
                self.text.extend(media_type);
                self.failed.push(FailedPage {
                    entry,
                    number: delayed.number,
                    media_type: media_type.len() as u16,
                });
            }
            None => self.entries.push(entry),
        }
    }

    /// Cuts this prefix off the paths.
    fn cut(&mut self, prefix: &[u8]) {
        let failed = self.failed.iter_mut().map(|failed| &mut failed.entry);
        for entry in self.entries.iter_mut().chain(failed) {
            if self.text[entry.path()].starts_with(prefix) {
                entry.start += prefix.len();
                // At most as much as there is.
                entry.path -= prefix.len() as u32;
            }
        }
    }

    /// Sorts the entries; of several with one path the first stays, and in HTTrack's map the last of those whose
    /// file is permanent.
    fn sort(&mut self) {
        let text = &self.text;
        (self.entries).sort_unstable_by(|a, b| {
            let by_path = text[a.path()].cmp(&text[b.path()]);
            by_path.then(if self.by_httrack {
                (b.stays, b.start).cmp(&(a.stays, a.start))
            } else {
                a.start.cmp(&b.start)
            })
        });
        let others = &mut self.others;
        self.entries.dedup_by(|later, first| {
            let is_other = text[later.path()] == text[first.path()];
            if is_other && !self.by_httrack {
                others.push(*later);
            }
            is_other
        });
        others.sort_by_key(|entry| &text[entry.url()]);
        let asked = (self.entries.iter()).map(|entry| AtomicBool::new(!entry.stays));
        self.asked = asked.collect();
        // A page may have been asked for again.
        let whole = |failed: &FailedPage| failed.entry.start..failed.entry.url().end;
        self.failed.sort_unstable_by(|a, b| {
            let by_text = text[whole(a)].cmp(&text[whole(b)]);
            by_text.then(a.number.cmp(&b.number))
        });
        (self.failed).dedup_by(|later, first| text[whole(later)] == text[whole(first)]);
        self.failed.sort_by(|a, b| {
            let by_path = text[a.entry.path()].cmp(&text[b.entry.path()]);
            by_path.then(a.number.cmp(&b.number))
        });
    }
}
