//! RFC 1808 §4 step 6: the merged path, its dot segments removed.
//!
//! The RFC describes step 6 as string rewriting and suggests "a pair of segment stacks being
//! merged" instead. That is what `append` does: the stack is the end of the output, each of its
//! segments followed by a slash. The four rewriting rules, as `rule_a` to `rule_d`, serve the
//! explanation of a result.

use memchr::{memchr, memchr_iter, memrchr};

/// §4 step 6: appends the segments of `path` to the stack `out[bottom..]`, which is empty or ends
/// with a slash; `.` segments vanish, and each `..` takes the segment before it along.
///
/// `bottom` is after the slash that makes a path absolute: §2.4.6 says that this slash is not part
/// of the path, so `..` finds no (empty) segment before it to remove. A surplus `..`
/// stays, as the examples of §5.2 show (`../../../g` gives `http://a/../g`).
pub(crate) fn append(out: &mut String, bottom: usize, path: &str) {
    let mut rest = path;
    if !has_dot_segment(path) {
        return out.push_str(path);
    }
    loop {
        let slash = memchr(b'/', rest.as_bytes());
        let segment = &rest[..slash.unwrap_or(rest.len())];
        match segment {
            "." => {}
            ".." if pop(out, bottom) => {}
            _ => out.push_str(&rest[..slash.map_or(rest.len(), |slash| slash + 1)]),
        }
        match slash {
            Some(slash) => rest = &rest[slash + 1..],
            None => return,
        }
    }
}

/// Whether a segment begins with a dot, as step 6 requires.
fn has_dot_segment(path: &str) -> bool {
    let path = path.as_bytes();
    memchr_iter(b'.', path).any(|at| at == 0 || path[at - 1] == b'/')
}

/// Removes the top segment of the stack `out[bottom..]`, if there is one that is not `..`.
fn pop(out: &mut String, bottom: usize) -> bool {
    let Some(length) = parent(out, bottom).map(str::len) else {
        return false;
    };
    out.truncate(length);
    true
}

/// What is below the top segment of the stack `stack[bottom..]`, if there is one other than `..`.
pub(crate) fn parent(stack: &str, bottom: usize) -> Option<&str> {
    let segments = stack[bottom..].strip_suffix('/')?;
    let top = memrchr(b'/', segments.as_bytes()).map_or(0, |slash| slash + 1);
    (&segments[top..] != "..").then(|| &stack[..bottom + top])
}

/// §4 step 6: "the last segment of the base URL's path (anything following the rightmost slash
/// "/", or the entire path if no slash is present) is removed"; this is what stays.
pub(crate) fn directory(path: &str) -> &str {
    &path[..memrchr(b'/', path.as_bytes()).map_or(0, |slash| slash + 1)]
}

/// §4 step 6a: "All occurrences of "./", where "." is a complete path segment, are removed."
pub(crate) fn rule_a(segments: &mut Vec<&str>) {
    let last = segments.len().saturating_sub(1);
    let mut index = 0;
    segments.retain(|segment| {
        index += 1;
        *segment != "." || index > last
    });
}

/// §4 step 6b: "If the path ends with "." as a complete path segment, that "." is removed."
pub(crate) fn rule_b(segments: &mut Vec<&str>) {
    if let Some(last) = segments.last_mut().filter(|last| **last == ".") {
        *last = "";
    }
}

/// §4 step 6c: "All occurrences of `<segment>/../`, where `<segment>` is a complete path segment not
/// equal to "..", are removed", the leftmost first, "until no matching pattern remains".
pub(crate) fn rule_c(segments: &mut Vec<&str>) {
    while let Some(at) = segments
        .windows(3)
        .position(|window| window[0] != ".." && window[1] == "..")
    {
        segments.drain(at..at + 2);
    }
}

/// §4 step 6d: "If the path ends with `<segment>/..`, where `<segment>` is a complete path segment
/// not equal to "..", that `<segment>/..` is removed."
pub(crate) fn rule_d(segments: &mut Vec<&str>) {
    if let [.., segment, ".."] = segments[..]
        && segment != ".."
    {
        segments.truncate(segments.len() - 2);
        segments.push("");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let mut out = String::from("/");
        append(&mut out, 1, path);
        assert_eq!(&out[1..], expected, "the segment stack");
        let mut segments: Vec<_> = path.split('/').collect();
        rule_a(&mut segments);
        rule_b(&mut segments);
        rule_c(&mut segments);
        rule_d(&mut segments);
        assert_eq!(segments.join("/"), expected, "the rewriting rules");
    }

    #[test]
    fn step_6() {
        check("", "");
        check("a/./b/.", "a/b/");
        check("./././.", "");
        check("b/c/../g", "b/g");
        check("b/c/../../g", "g");
        check("b/c/../../../g", "../g");
        check("../..", "../..");
        check("../.", "../");
        check("a/..", "");
        check("a/b/..", "a/");
        check("../a/..", "../");
        check("a//../b", "a/b");
        check("/../b", "b");
        check("...//", "...//");
    }
}
