//! Nothing is written outside of what was named.

use std::os::unix::fs::symlink;
use std::sync::Once;

use abslink::base::retrieval::{Layout, tree::Tree};
use abslink::batch::{self, Input, Observer, Plan, Selection, Task};

use super::*;

/// Puts a link in the place of a directory that the walk is about to enter.
struct Swap<'a> {
    site: &'a Path,
    elsewhere: &'a Path,
    once: Once,
}

impl Observer for Swap<'_> {
    fn document_done(&self, _: u64) {
        self.once.call_once(|| {
            fs::rename(self.site.join("0/guide"), self.site.join("moved")).unwrap();
            symlink(self.elsewhere, self.site.join("0/guide")).unwrap();
            fs::remove_file(self.site.join("0/index.html")).unwrap();
            symlink(
                self.elsewhere.join("index.html"),
                self.site.join("0/index.html"),
            )
            .unwrap();
        });
    }
}

#[test]
fn a_link_swapped_in_during_the_run_is_not_written_through() {
    let site = Site::new(1);
    let elsewhere = tempfile::tempdir().unwrap();
    let theirs: Files = ["index.html", "install.html", "x.html"]
        .map(|name| (name.into(), b"<a href=theirs>".to_vec()))
        .into();
    write(elsewhere.path(), &theirs);
    let plan = Plan {
        inputs: vec![Input::Directory(site.path().into())],
        selection: Selection::default(),
        task: Task::Rewrite(batch::Output::InPlace {
            backup: Some("~".into()),
        }),
        retrieval: Layout::Tree(Tree::new(BASE, &[]).unwrap()).into(),
        converted_links: Default::default(),
        root: None,
        html: Default::default(),
        message: Default::default(),
        jobs: 1,
        durable: false,
    };
    let swap = Swap {
        site: site.path(),
        elsewhere: elsewhere.path(),
        once: Once::new(),
    };
    let report = batch::run(&plan, &swap, &mut std::io::sink()).unwrap();
    assert!(report.files_failed >= 2, "{report:?}");
    assert_eq!(files(elsewhere.path()), theirs);
    assert!(site.path().join("0/guide").is_symlink());
    assert!(site.path().join("0/index.html").is_symlink());
}

/// Puts a link in the place of the output directory, once the first document is written.
struct SwapOutput<'a> {
    output: &'a Path,
    moved: &'a Path,
    elsewhere: &'a Path,
    once: Once,
}

impl Observer for SwapOutput<'_> {
    fn document_done(&self, _: u64) {
        self.once.call_once(|| {
            fs::rename(self.output, self.moved).unwrap();
            symlink(self.elsewhere, self.output).unwrap();
        });
    }
}

#[test]
fn an_output_directory_swapped_for_a_link_is_still_the_one_that_was_opened() {
    let site = Site::new(1);
    let [scratch, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [output, moved] = ["output", "moved"].map(|name| scratch.path().join(name));
    let plan = Plan {
        inputs: vec![Input::Directory(site.path().into())],
        selection: Selection::default(),
        task: Task::Rewrite(batch::Output::Directory {
            directory: output.clone(),
            copy_others: true,
        }),
        retrieval: Layout::Tree(
            Tree::new(BASE, &["index.html".into(), "index.htm".into()]).unwrap(),
        )
        .into(),
        converted_links: Default::default(),
        root: None,
        html: Default::default(),
        message: Default::default(),
        jobs: 2,
        durable: false,
    };
    let swap = SwapOutput {
        output: &output,
        moved: &moved,
        elsewhere: elsewhere.path(),
        once: Once::new(),
    };
    let report = batch::run(&plan, &swap, &mut std::io::sink()).unwrap();
    assert_eq!(report.files_failed, 0, "{report:?}");
    assert!(output.is_symlink());
    assert!(files(elsewhere.path()).is_empty());
    assert_eq!(files(&moved), site.new);
}

/// That the name of the output directory is a link is the user's will; a link below it is not.
#[test]
fn an_output_directory_that_is_a_link() {
    let site = Site::new(1);
    let [real, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let link = site.path().with_extension("link");
    symlink(real.path(), &link).unwrap();
    fs::create_dir(real.path().join("0")).unwrap();
    symlink(elsewhere.path(), real.path().join("0/guide")).unwrap();
    let run = abslink()
        .args(["rewrite", "-b", BASE, "-o"])
        .args([&link, site.path()])
        .output()
        .unwrap();
    fs::remove_file(&link).unwrap();
    let (code, said) = ended(&run);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("guide"), "{said}");
    assert!(files(elsewhere.path()).is_empty());
    let written = files(real.path());
    assert_eq!(
        written[Path::new("0/index.html")],
        site.new[Path::new("0/index.html")]
    );
}

/// `..` in a PATH is the user's way to a directory; what is below it stays below the output.
#[test]
fn dots_in_a_path_lead_nowhere_else() {
    let site = Site::new(1);
    let output = tempfile::tempdir().unwrap();
    let below = output.path().join("below");
    let run = abslink()
        .args(["rewrite", "-b", BASE, "--copy-others", "-o"])
        .arg(&below)
        .arg(site.path().join("0/app/../../0/.."))
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    assert_eq!(files(&below), site.new);
    assert_eq!(files(output.path()).len(), site.new.len());
}

#[test]
fn temporary_files_of_others_are_no_documents() {
    let site = Site::new(1);
    let stray = site.path().join("0/.abslink-1-2.tmp");
    fs::write(&stray, "<!DOCTYPE html><a href=x>").unwrap();
    let check = abslink()
        .args(["links", "--detect-html", "-b", BASE])
        .arg(site.path())
        .output()
        .unwrap();
    assert!(!String::from_utf8_lossy(&check.stdout).contains(".abslink"));
    site.finish();
}

#[test]
fn other_names_of_a_file_keep_the_old_contents() {
    let directory = tempfile::tempdir().unwrap();
    let (page, other) = (
        directory.path().join("page.html"),
        directory.path().join("other"),
    );
    fs::write(&page, "<a href=x>").unwrap();
    fs::hard_link(&page, &other).unwrap();
    let run = abslink()
        .args(["rewrite", "-b", "https://h/page.html", "-i"])
        .arg(&page)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    assert_eq!(fs::read(&page).unwrap(), b"<a href=https://h/x>");
    assert_eq!(fs::read(&other).unwrap(), b"<a href=x>");
}
