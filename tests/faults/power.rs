//! Power that fails. A disk that records what is written to it (power/recorder.py) has a file system on it
//! while a run replaces files there. Then the disk is made as it was at some moment of the run, where of what
//! was written since the last time the system asked for everything to be on the disk some is lost: all of
//! it, none, or any blocks of it, whatever their order. That disk is mounted, as after a power failure.
//!
//! Needs root, FUSE and loop devices.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::disk::goes_well;
use super::*;

/// A file system, and how it is made on a file of this many bytes.
struct System {
    name: &'static str,
    size: u64,
    make: &'static [&'static str],
}

const EXT4: System = System {
    name: "ext4",
    size: 64 << 20,
    make: &[
        "mkfs.ext4",
        "-q",
        "-F",
        "-E",
        "lazy_itable_init=0,lazy_journal_init=0",
    ],
};
const XFS: System = System {
    name: "xfs",
    size: 300 << 20,
    make: &["mkfs.xfs", "-q", "-f"],
};

/// `ABSLINK_POWER_CUTS` moments of each run, or this many.
const CUTS: usize = 30;

#[test]
#[ignore = "slow tier: faults"]
fn power_fails_at_any_moment_on_ext4() {
    power_fails(&EXT4);
}

#[test]
#[ignore = "slow tier: faults"]
fn power_fails_at_any_moment_on_xfs() {
    power_fails(&XFS);
}

/// Nothing is lost where that is promised, and the same test finds losses where it is not.
fn power_fails(system: &System) {
    let Some(lab) = Lab::new(system) else { return };
    let cuts = std::env::var("ABSLINK_POWER_CUTS").map_or(CUTS, |cuts| cuts.parse().unwrap());
    // What most people have gets most of the moments.
    let promised: [(&[&str], Open, usize); 4] = [
        (&[], Open::Few, cuts),
        (&[], Open::Many, cuts.div_ceil(3)),
        (&["--fsync"], Open::Many, cuts.div_ceil(3)),
        (
            &["--backup", ".orig", "--fsync=batch"],
            Open::Few,
            cuts.div_ceil(3),
        ),
    ];
    for (options, open, cuts) in promised {
        let found = lab.cut(options, open, cuts);
        println!("{} {options:?} {open:?}: {found:?}", system.name);
        assert_eq!(found.lost, [""; 0], "{} {options:?}", system.name);
        assert_eq!(found.left_over, 0);
        // Before the first file or after the last one there is little to see.
        let is_seen = found.during > 0 || open == Open::Many;
        assert!(is_seen, "{found:?}");
    }
    let found = lab.cut(&["--fsync=never"], Open::Many, cuts);
    println!(
        "{} never: {} lost at {cuts} moments",
        system.name,
        found.lost.len()
    );
    assert!(!found.lost.is_empty(), "the proof cannot fail");
}

/// How many files a run may have open, which limits how many take their places together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Few,
    Many,
}

/// What there was after all of the moments.
#[derive(Debug, Default)]
struct Found {
    /// Moments at which some files were replaced and some were not.
    during: usize,
    /// Temporary files that were there before the next run.
    temporary: usize,
    /// Those that were there after it.
    left_over: usize,
    /// Files that are neither old nor new.
    lost: Vec<String>,
}

/// Where it takes place.
struct Lab {
    directory: TempDir,
    site: Site,
}

/// Where something is mounted.
pub(super) struct Mounted(pub(super) PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let umount = || goes_well("umount", &[self.0.as_os_str()]);
        // A process that looks at what is mounted makes it busy for a moment.
        let _ = umount()
            || (0..20).any(|_| {
                thread::sleep(Duration::from_millis(50));
                umount()
            });
    }
}

/// A loop device.
struct Loop(String);

impl Loop {
    fn new(file: &Path) -> Loop {
        let made = Command::new("losetup")
            .args(["--find", "--show"])
            .arg(file)
            .output();
        let made = made.unwrap();
        assert!(made.status.success(), "{made:?}");
        Loop(String::from_utf8(made.stdout).unwrap().trim().to_owned())
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        goes_well("losetup", &["--detach".as_ref(), self.0.as_ref()]);
    }
}

/// A process that ends when its disk is unmounted.
struct Recorder(Child);

impl Drop for Recorder {
    fn drop(&mut self) {
        let _ = self.0.wait();
    }
}

/// Whether file systems may be mounted, with these devices; says so if not.
pub(super) fn may_mount(devices: &[&str]) -> bool {
    if !skip::is_root() {
        skip::right("mounting a file system is not allowed here");
        return false;
    }
    let missing = devices.iter().find(|device| !Path::new(device).exists());
    if let Some(device) = missing {
        skip::tool(format_args!("there is no {device}"));
    }
    missing.is_none()
}

#[track_caller]
fn mount(device: &Path, place: &Path) -> Mounted {
    let is_mounted = goes_well("mount", &[device.as_os_str(), place.as_os_str()]);
    assert!(is_mounted, "{} cannot be mounted", device.display());
    Mounted(place.to_owned())
}

impl Lab {
    /// `None` where it cannot take place.
    fn new(system: &System) -> Option<Lab> {
        let may_mount = may_mount(&["/dev/fuse", "/dev/loop-control"]);
        if !(may_mount && skip::has_tool("python3") && skip::has_tool("losetup")) {
            return None;
        }
        let lab = Lab {
            directory: tempfile::tempdir().unwrap(),
            site: Site::new(15),
        };
        for directory in ["mounted", "after"] {
            fs::create_dir(lab.at(directory)).unwrap();
        }
        fs::write(lab.at("disk"), "").unwrap();
        let image = lab.at("image");
        File::create(&image).unwrap().set_len(system.size).unwrap();
        let [program, options @ ..] = system.make else {
            unreachable!()
        };
        let made = Command::new(program).args(options).arg(&image).output();
        if !made.is_ok_and(|made| made.status.success()) {
            skip::tool(format_args!("{program} cannot be run"));
            return None;
        }
        let device = Loop::new(&image);
        if !goes_well("mount", &[device.0.as_ref(), lab.at("mounted").as_os_str()]) {
            skip::tool(format_args!("no {} can be mounted here", system.name));
            return None;
        }
        let mounted = Mounted(lab.at("mounted"));
        write(&mounted.0.join("site"), &lab.site.old);
        drop(mounted);
        Some(lab)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn copy(&self, from: &str, to: &str) {
        let [from, to] = [self.at(from), self.at(to)];
        let sparse: &std::ffi::OsStr = "--sparse=always".as_ref();
        assert!(goes_well("cp", &[sparse, from.as_os_str(), to.as_os_str()]));
    }

    fn run(&self, place: &str, options: &[&str], open: Open) {
        let mut command = match open {
            Open::Many => abslink(),
            Open::Few => {
                let mut limited = Command::new("sh");
                limited.args(["-c", "ulimit -n 64; exec \"$0\" \"$@\""]);
                limited.arg(env!("CARGO_BIN_EXE_abslink"));
                limited
            }
        };
        command
            .args(["rewrite", "-q", "-b", BASE, "-i"])
            .args(options);
        let run = command.arg(self.at(place).join("site")).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{run:?}");
    }

    /// Looks at so many moments of a run.
    fn cut(&self, options: &[&str], open: Open, cuts: usize) -> Found {
        self.copy("image", "live");
        let (log, during) = self.record(options, open);
        self.copy("image", "durable");
        let durable = OpenOptions::new()
            .write(true)
            .open(self.at("durable"))
            .unwrap();
        let mut found = Found::default();
        let mut random = Random(1738);
        let mut synced = 0;
        let mut moments: Vec<usize> = (0..cuts)
            .map(|_| during.start + random.below(during.len() + 1))
            .collect();
        moments.sort_unstable();
        for moment in moments {
            let sync = |request: &Request| request.data.is_empty();
            let until = log[..moment]
                .iter()
                .rposition(sync)
                .unwrap_or(0)
                .max(synced);
            log[synced..until]
                .iter()
                .for_each(|request| request.write(&durable));
            synced = until;
            self.copy("durable", "cut");
            let cut = OpenOptions::new().write(true).open(self.at("cut")).unwrap();
            random.some_of(&log[until..moment], &cut);
            drop(cut);
            self.look(options, &mut found);
        }
        found
    }

    /// What was written during a run, and which part of that was after it began.
    fn record(&self, options: &[&str], open: Open) -> (Vec<Request>, std::ops::Range<usize>) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/power/recorder.py");
        let log = self.at("log");
        let mut child = Command::new("python3")
            .arg(script)
            .args([&self.at("live"), &log, &self.at("disk")])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut said).unwrap();
        assert_eq!(said, "ready\n");
        let recorder = Recorder(child);
        let disk = Mounted(self.at("disk"));
        let device = Loop::new(&disk.0);
        let mounted = mount(device.0.as_ref(), &self.at("mounted"));
        let length = || fs::metadata(&log).unwrap().len();
        let ends = AtomicBool::new(false);
        let part = thread::scope(|scope| {
            // Another program, which wants its file on the disk: the system then writes names as well.
            scope.spawn(|| {
                let mut other = File::create(mounted.0.join("other")).unwrap();
                while !ends.load(Ordering::Relaxed) {
                    other.write_all(b"written\n").unwrap();
                    other.sync_all().unwrap();
                    thread::sleep(Duration::from_millis(5));
                }
            });
            thread::sleep(Duration::from_millis(50));
            let began = length();
            self.run("mounted", options, open);
            thread::sleep(Duration::from_millis(50));
            let part = began..length();
            ends.store(true, Ordering::Relaxed);
            part
        });
        drop((mounted, device, disk, recorder));
        let mut log = BufReader::new(File::open(log).unwrap());
        let (mut read, mut requests) = (0, Vec::new());
        let mut during = 0..0;
        while read < part.end {
            let request = Request::read(&mut log);
            read += request.length();
            requests.push(request);
            if read <= part.start {
                during.start = requests.len();
            }
        }
        during.end = requests.len();
        (requests, during)
    }

    /// Mounts the disk after the power failure, looks at the files, and runs once more.
    fn look(&self, options: &[&str], found: &mut Found) {
        let device = Loop::new(&self.at("cut"));
        let mounted = mount(device.0.as_ref(), &self.at("after"));
        let site = mounted.0.join("site");
        let mut now = files(&site);
        let (mut old, mut new) = (0, 0);
        let mut lost = 0;
        for (path, before) in &self.site.old {
            let after = &self.site.new[path];
            let bytes = now.remove(path);
            match &bytes {
                Some(bytes) if bytes == before => old += usize::from(before != after),
                Some(bytes) if bytes == after => new += 1,
                _ => lost += 1,
            }
            let mut backup = path.clone().into_os_string();
            backup.push(".orig");
            let backup = now.remove(Path::new(&backup));
            let has_backup = options.contains(&"--backup");
            if backup.as_ref().is_some_and(|backup| backup != before)
                || (has_backup && backup.is_none() && bytes.is_some_and(|bytes| bytes != *before))
            {
                lost += 1;
            }
            if lost > 0 {
                found.lost.push(format!("{}", path.display()));
                lost = 0;
            }
        }
        found.during += usize::from(old > 0 && new > 0);
        for path in now.keys() {
            let name = path.file_name().unwrap().to_string_lossy();
            assert!(name.starts_with(".abslink-"), "{name}");
            found.temporary += 1;
        }
        if found.lost.is_empty() {
            self.run("after", options, Open::Many);
            let now = files(&site);
            for (path, after) in &self.site.new {
                assert_eq!(now.get(path), Some(after), "{}", path.display());
            }
            let is_temporary = |path: &&PathBuf| path.to_string_lossy().contains(".abslink-");
            found.left_over += now.keys().filter(is_temporary).count();
        }
    }
}

/// What the system asked of the disk: that this is written, or, without data, that all is there.
struct Request {
    offset: u64,
    data: Vec<u8>,
}

impl Request {
    fn read(log: &mut impl Read) -> Request {
        let mut number = || {
            let mut bytes = [0; 8];
            log.read_exact(&mut bytes).unwrap();
            u64::from_le_bytes(bytes)
        };
        let (offset, length) = (number(), number());
        let mut data = Vec::new();
        if length != u64::MAX {
            data.resize(usize::try_from(length).unwrap(), 0);
            log.read_exact(&mut data).unwrap();
        }
        Request { offset, data }
    }

    /// In the log.
    fn length(&self) -> u64 {
        16 + self.data.len() as u64
    }

    fn write(&self, disk: &File) {
        disk.write_all_at(&self.data, self.offset).unwrap();
    }
}

/// Numbers without a pattern, the same in each run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    /// Writes what a disk may have kept of requests that it was not yet asked to complete.
    fn some_of(&mut self, requests: &[Request], disk: &File) {
        const BLOCK: usize = 4096;
        match self.below(4) {
            0 => {}
            1 => requests.iter().for_each(|request| request.write(disk)),
            _ => {
                for request in requests {
                    for (nth, block) in request.data.chunks(BLOCK).enumerate() {
                        if self.below(2) == 0 {
                            let offset = request.offset + (nth * BLOCK) as u64;
                            disk.write_all_at(block, offset).unwrap();
                        }
                    }
                }
            }
        }
    }
}
