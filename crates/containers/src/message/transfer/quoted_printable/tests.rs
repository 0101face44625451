use super::*;

#[test]
fn what_decoders_agree_on() {
    let decoded = |body: &str| String::from_utf8_lossy(&decode(body.as_bytes())).into_owned();
    assert_eq!(decoded("a=3Db=\r\nc=e9"), "a=bc\u{fffd}");
    assert_eq!(decoded("a \t\r\nb = \nc"), "a\r\nb c");
    assert_eq!(decoded("=4 =G1=\rx== y"), "=4 =G1=\rx== y");
    assert_eq!(decoded("x="), "x");
    assert_eq!(unescape("a_b=C3=A9="), "a bé=".as_bytes());
}

#[track_caller]
fn edited(body: &str, edits: &[(Range<usize>, &str)], expected: &str) {
    let edits: Vec<Edit> = edits
        .iter()
        .map(|(old, new)| (old.clone(), new.as_bytes().to_vec()))
        .collect();
    let new = edit(body.as_bytes(), &edits, b"\r\n");
    assert_eq!(String::from_utf8_lossy(&new), expected);
    let octets = super::super::splice(&decode(body.as_bytes()), &edits);
    assert_eq!(decode(&new), octets);
}

#[test]
fn what_stays_is_spelled_as_before() {
    edited(
        "=61 b=\r\nc=20\r\n",
        &[(2..3, "é=")],
        "=61 =C3=A9=3D=\r\nc=20\r\n",
    );
    // At a soft line break, and over one.
    edited("ab=\r\ncd", &[(2..2, "X")], "ab=\r\nXcd");
    edited("ab=\r\ncd", &[(1..3, "X")], "aXd");
    edited("ab=\r\ncd", &[(1..2, "X")], "aX=\r\ncd");
    edited("ab", &[(0..1, ""), (2..2, "X Y")], "bX=20Y");
    // Before space that does not count.
    edited("a \nb", &[(1..1, "!")], "a! \nb");
}

#[test]
fn no_line_that_is_written_anew_begins_a_message() {
    edited("From x\r\nFrom y", &[(5..6, "z")], "=46rom z\r\nFrom y");
    edited("x From y", &[(0..2, "")], "=46rom y");
    edited("From=20y\r\n", &[(6..6, "z")], "From=20yz\r\n");
    edited("From =\r\ny", &[(0..0, "")], "=46rom =\r\ny");
    edited("From a==b", &[(7..8, "c")], "=46rom a=3Dcb");
    // Where a line is broken.
    let long = "x".repeat(75);
    let broken = format!("{long}=\r\n=46rom y");
    edited("From y", &[(0..0, &long)], &broken);
}

#[test]
fn lines_that_become_too_long_are_broken() {
    let long = "x".repeat(100);
    let tail = "y".repeat(60);
    edited(
        &format!("a{tail}\r\nz"),
        &[(1..1, &long)],
        &format!(
            "a{}=\r\n{}{}=\r\n{}\r\nz",
            &long[..74],
            &long[..26],
            &tail[..49],
            &tail[..11]
        ),
    );
    // A whole last line may have 76 characters, three of which may be the space at its end.
    let short = "x".repeat(73);
    edited(
        &format!("{short} b"),
        &[(74..75, "")],
        &(short.clone() + "=20"),
    );
    edited(
        &"y".repeat(75),
        &[(0..0, "x")],
        &("x".to_owned() + &"y".repeat(75)),
    );
}

#[test]
fn lines_that_no_edit_touches_stay_too_long() {
    let long = "x".repeat(200);
    edited(
        &format!("a\r\n{long}"),
        &[(0..1, "b")],
        &format!("b\r\n{long}"),
    );
}

#[test]
fn lines_that_no_edit_touches_stay_as_they_should_not_be() {
    edited("a=b\nc\n=", &[(4..5, "d")], "a=b\nd\n=");
    edited("=x=y =63=z\n", &[(6..7, "d")], "=3Dx=3Dy =63dz\n");
    let many = "=".repeat(30);
    edited(
        &format!("a{many}=41b"),
        &[(32..33, "c")],
        &format!("a{}=\r\n{}=41c", "=3D".repeat(24), "=3D".repeat(6)),
    );
}

#[test]
fn nothing_new_comes_about_by_accident() {
    edited("=4G", &[(2..3, "1")], "=3D41");
    edited("a b", &[(2..3, "")], "a=20");
    edited("a b \n", &[(2..3, "")], "a=20 \n");
    edited("a\r\nb", &[(2..3, "")], "a\rb");
    edited("a=", &[(1..1, "b")], "ab=");
}

#[test]
fn where_octets_stand() {
    let mut cursor = Tokens::new(b"a=3D=\nb \nc");
    assert_eq!(cursor.range(0..1), 0..1);
    assert_eq!(cursor.range(1..3), 1..7);
    assert_eq!(cursor.range(2..2), 6..6);
    assert_eq!(cursor.range(4..5), 9..10);
    assert_eq!(cursor.range(0..9), 0..10);
}

#[test]
fn a_long_run_of_spaces_takes_linear_time() {
    let body = [&b" ".repeat(1 << 22)[..], b"x"].concat();
    assert_eq!(decode(&body), body);
}
