//! Documents of any number and any size.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::ops::Range;
use std::path::Path;

/// How many references a page has; all are relative.
pub(crate) const LINKS: u64 = 12;

/// Documents in a directory, and directories in one above them.
const FAN: u64 = 100;

const PROSE: &str = "Relative Uniform Resource Locators are most often used in files that were \
                     written to be moved, and then were not moved.";

/// Writes the pages of these numbers, of about 2 KB each; 100 share a directory.
pub(crate) fn pages(tree: &Path, numbers: Range<u64>) {
    let mut page = String::new();
    for number in numbers {
        let folder = tree
            .join((number / FAN / FAN).to_string())
            .join((number / FAN % FAN).to_string());
        if number % FAN == 0 {
            fs::create_dir_all(&folder).expect("room for a tree");
        }
        page.clear();
        write_page(number, &mut page);
        fs::write(folder.join(format!("page{number}.html")), &page).expect("room for a tree");
    }
}

fn write_page(number: u64, page: &mut String) {
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>Page {number}</title>\n\
         <link rel=stylesheet href=\"../../style.css\"><script src=\"../../main.js\"></script>\n\
         </head><body>\n"
    );
    for link in 2..LINKS {
        let other = number + link;
        let _ = writeln!(
            page,
            "<p>{PROSE} See <a href=\"../{}/page{other}.html#part{link}\">page {other}</a>.",
            other / FAN % FAN
        );
    }
    page.push_str("</body></html>\n");
}

/// Writes one document of about this many bytes, and returns how many references it has.
pub(crate) fn document(path: &Path, bytes: u64) -> u64 {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).expect("room for a file"));
    let head = "<!DOCTYPE html>\n<meta charset=utf-8>\n";
    file.write_all(head.as_bytes()).expect("room for a file");
    let (mut written, mut references) = (head.len() as u64, 0);
    while written < bytes {
        let line = format!(
            "<p>{PROSE} See <a class=\"link\" href=\"part/page{}.html#x\">there</a>.\n",
            references % 1000
        );
        file.write_all(line.as_bytes()).expect("room for a file");
        written += line.len() as u64;
        references += 1;
    }
    file.flush().expect("room for a file");
    references
}
