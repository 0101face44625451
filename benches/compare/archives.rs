//! One large web archive: inflating it, abslink, and Python's readers.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use url::Url;

use crate::Setting;
use crate::machine::cores;
use crate::run::{Run, Runs, remove, seconds, try_run};

/// The size of the archive, compressed.
const SIZE: u64 = 350_000_000;

/// Something that is measured.
type Work = Box<dyn Fn() -> Result<Run, String>>;

/// Measures everything in turn.
pub(crate) fn compare(setting: &Setting) {
    let archive = setting.scratch.path().join("pages.warc.gz");
    let size = if setting.quick { SIZE / 100 } else { SIZE };
    let (records, raw) = make(&setting.pages, &archive, size);
    println!(
        "### A web archive\n\n{records} records, {} MB, {} MB inflated, made of {}.\n",
        archive.metadata().map_or(0, |metadata| metadata.len()) / 1_000_000,
        raw / 1_000_000,
        setting.pages.display(),
    );
    let out = setting.scratch.path().join("out");
    let mut all: Vec<(String, Work)> = Vec::new();
    let inflated = archive.clone();
    all.push((
        "inflating, flate2 with zlib-rs".into(),
        Box::new(move || Ok(inflate(&inflated))),
    ));
    for jobs in [1, cores()] {
        let archive = archive.clone();
        let check = move || {
            let mut check = abslink("check", jobs);
            try_run(check.arg(&archive), &[1])
        };
        all.push((format!("abslink check -j{jobs}"), Box::new(check)));
    }
    for form in ["conversions", "append", "response"] {
        for more in ["--dry-run ", ""] {
            for jobs in [1, cores()] {
                let (archive, out) = (archive.clone(), out.clone());
                let rewrite = move || {
                    let mut rewrite = abslink("rewrite", jobs);
                    rewrite.args(more.split_whitespace());
                    rewrite
                        .args(["--warc-as", form, "-o"])
                        .arg(&out)
                        .arg(&archive);
                    try_run(&mut rewrite, &[0, 1])
                };
                all.push((
                    format!("abslink rewrite {more}--warc-as {form} -j{jobs}"),
                    Box::new(rewrite),
                ));
            }
        }
    }
    for (name, script) in PYTHON {
        let archive = archive.clone();
        let read = move || {
            try_run(
                Command::new("python3").args(["-c", script]).arg(&archive),
                &[0],
            )
        };
        all.push((name.into(), Box::new(read)));
    }
    let mut taken: Vec<Result<Runs, String>> = all.iter().map(|_| Ok(Runs::default())).collect();
    for _ in 0..setting.runs {
        for ((_, work), runs) in all.iter().zip(&mut taken) {
            let done = work();
            remove(&out);
            match (done, runs) {
                (Ok(done), Ok(runs)) => runs.push(done),
                (Err(why), runs) => *runs = Err(why),
                (Ok(_), Err(_)) => {}
            }
        }
    }
    println!("| | time | processor time | of inflating | memory |\n|---|---|---|---|---|");
    let floor = taken[0].as_ref().map_or(f64::NAN, Runs::processor);
    for ((name, _), runs) in all.iter().zip(&taken) {
        match runs {
            Ok(runs) => println!(
                "| {name} | {} | {} | {:.2} | {:.0} MiB |",
                seconds(runs.median()),
                seconds(runs.processor()),
                runs.processor() / floor,
                runs.mebibytes(),
            ),
            Err(why) => println!("| {name} | {} | | | |", why.replace('\n', " ")),
        }
    }
    println!();
    memory(setting, &archive);
}

const PYTHON: [(&str, &str); 2] = [
    (
        "warcio, going through the records",
        "import sys; from warcio.archiveiterator import ArchiveIterator\n\
         for r in ArchiveIterator(open(sys.argv[1], 'rb')): r.raw_stream.read()",
    ),
    (
        "FastWARC, going through the records",
        "import sys; from fastwarc import ArchiveIterator\n\
         for r in ArchiveIterator(open(sys.argv[1], 'rb'), parse_http=False): r.reader.read()",
    ),
];

fn abslink(command: &str, jobs: usize) -> Command {
    let mut abslink = Command::new(env!("CARGO_BIN_EXE_abslink"));
    abslink.args([command, "--jobs", &jobs.to_string()]);
    // A quiet check lists nothing.
    if command != "check" {
        abslink.arg("-q");
    }
    abslink
}

/// Memory for an archive of 4 GB, which is the same one again and again.
fn memory(setting: &Setting, archive: &Path) {
    let times = if setting.quick { 2 } else { 12 };
    let large = setting.scratch.path().join("large.warc.gz");
    let written = || -> io::Result<u64> {
        let mut to = File::create(&large)?;
        (0..times)
            .map(|_| io::copy(&mut File::open(archive)?, &mut to))
            .sum()
    };
    let size = written().expect("there is room for the archive");
    let mut check = abslink("check", cores());
    let done = try_run(check.arg(&large), &[1]).unwrap_or_else(|why| panic!("{why}"));
    println!(
        "`check` of {} MB: {}, {} MiB resident.\n",
        size / 1_000_000,
        seconds(done.seconds),
        done.peak >> 20
    );
    std::fs::remove_file(&large).expect("what was written here can be removed");
}

/// Makes an archive of the pages of a corpus, at the URLs that they have on their site, again and
/// again until it is large enough; returns how many records it has, and how long they are.
fn make(corpus: &Path, archive: &Path, size: u64) -> (u64, u64) {
    let pages: Vec<PathBuf> = (walkdir::WalkDir::new(corpus)
        .sort_by_file_name()
        .into_iter())
    .filter_map(|entry| Some(entry.ok()?.into_path()))
    .filter(|path| path.extension().is_some_and(|ending| ending == "html"))
    .collect();
    let mut to = BufWriter::new(File::create(archive).expect("the archive can be made"));
    let (mut records, mut raw, mut written) = (0, 0, 0);
    for page in pages.iter().cycle() {
        let body = std::fs::read(page).expect("the corpus can be read");
        let path = page.strip_prefix(corpus).unwrap_or(page).to_string_lossy();
        let record = record(records, &path, &body);
        let member = member(&record).expect("memory can be written to");
        to.write_all(&member).expect("the archive can be written");
        records += 1;
        raw += record.len() as u64;
        written += member.len() as u64;
        if written >= size {
            break;
        }
    }
    to.flush().expect("the archive can be written");
    (records, raw)
}

fn record(number: u64, path: &str, body: &[u8]) -> Vec<u8> {
    let mut url = Url::parse("https://www.example.org/").expect("it is a URL");
    url.set_path(path);
    let http = format!(
        "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nServer: Apache\r\nLast-Modified: \
         Mon, 01 Dec 2025 00:00:00 GMT\r\nETag: \"1-{number}\"\r\nAccept-Ranges: bytes\r\n\
         Content-Length: {}\r\nKeep-Alive: timeout=5, max=100\r\nConnection: Keep-Alive\r\n\
         Content-Type: text/html; charset=utf-8\r\n\r\n",
        body.len()
    );
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-\
         {number:012}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{http}",
        http.len() + body.len()
    );
    [head.as_bytes(), body, b"\r\n\r\n"].concat()
}

fn member(record: &[u8]) -> io::Result<Vec<u8>> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    gzip.write_all(record)?;
    gzip.finish()
}

/// Inflates an archive, member by member, and does nothing with what comes out.
fn inflate(archive: &Path) -> Run {
    let started = (std::time::Instant::now(), processor());
    let file = File::open(archive).expect("the archive is there");
    let mut from = BufReader::with_capacity(128 << 10, file);
    let mut out = vec![0; 64 << 10];
    loop {
        let mut decoder = flate2::bufread::GzDecoder::new(&mut from);
        while decoder.read(&mut out).expect("the archive is whole") > 0 {}
        if io::BufRead::fill_buf(&mut from)
            .expect("it can be read")
            .is_empty()
        {
            break;
        }
    }
    Run {
        seconds: started.0.elapsed().as_secs_f64(),
        user: processor() - started.1,
        processor: processor() - started.1,
        peak: 0,
    }
}

/// The processor time of this thread.
fn processor() -> f64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }
    #[cfg(not(unix))]
    f64::NAN
}
