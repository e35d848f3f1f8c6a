//! Command lines that make no sense, and the program's streams.

use crate::fixture::{Fixture, said};

#[test]
fn command_lines_that_make_no_sense() {
    let fixture = Fixture::new();
    fixture.fails("presign --dir @w --signers 1,2", "--count <COUNT>");
    fixture.fails("presign --dir @w --signers 1,2 --count 0", "'0' for '--count <COUNT>'");
    fixture.fails("presign --dir @w --signers 1,2 --count 70000", "70000 is not in 1..=65535");
    fixture.fails("presign --dir @w --signers 1,2 --count 1", "there is no wallet in ");
    fixture.fails("demo @letter.txt --level 100", "invalid value '100' for '--level <LEVEL>'");
    let level = "keygen --dir @w --suite p256 --threshold 2 --parties 3 --level 112";
    fixture.fails(level, "--level is for the suites of ECDSA");
    fixture.fails("", "Usage: wallet <COMMAND>");
    fixture.fails("dance", "unrecognized subcommand 'dance'");
    fixture.fails("demo", "<FILE>");
    fixture.fails("demo @letter.txt --suite", "a value is required for '--suite <SUITE>'");
    fixture.fails("demo @letter.txt --suite rsa", "[possible values: ed25519, ");
    fixture.fails("demo @letter.txt @letter.txt", "unexpected argument");
    fixture.fails("demo @letter.txt --loud yes", "unexpected argument '--loud' found");
    fixture.fails("keygen --dir @w --suite p256 --threshold 2", "--parties <PARTIES>");
    let keygen = "keygen --dir @w --plaintext --suite p256";
    fixture.fails(&format!("{keygen} --threshold two --parties 3"), "'two' for '--threshold");
    // The value, and its limits.
    for (threshold, parties, says) in [
        (2, 70_000, "'70000' for '--parties <PARTIES>': 70000 is not in 2..=100"),
        (2, 101, "'101' for '--parties <PARTIES>': 101 is not in 2..=100"),
        (2, 1, "'1' for '--parties <PARTIES>': 1 is not in 2..=100"),
        (70_000, 3, "'70000' for '--threshold <THRESHOLD>': 70000 is not in 2..=100"),
        (1, 3, "'1' for '--threshold <THRESHOLD>': 1 is not in 2..=100"),
        (4, 3, "a threshold of 4 with 3 parties: it is at least 2 and at most"),
    ] {
        fixture.fails(&format!("{keygen} --threshold {threshold} --parties {parties}"), says);
    }
    let twice = format!("{keygen} --threshold 2 --threshold 3 --parties 3");
    fixture.fails(&twice, "'--threshold <THRESHOLD>' cannot be used multiple times");
    assert!(!fixture.path("w").exists());
    let commands = "demo keygen presign sign verify refresh reshare repair derive backup-key backup drill restore";
    for command in commands.split(' ') {
        assert!(fixture.ok("--help").contains(&format!("\n  {command} ")));
        assert!(fixture.ok(&format!("{command} --help")).contains("Usage: wallet "));
    }
    assert_eq!(fixture.ok("--help"), fixture.ok("-h"));
}

/// Refusals by the program itself: text for people on standard error, and the exit codes 1 and 2.
#[test]
fn the_program_itself() {
    let fixture = Fixture::new();
    let run = |line: &str| fixture.process(line).output().unwrap();
    let usage = run("keygen --dir @w --suite p256 --threshold 2 --parties 70000");
    assert_eq!(usage.status.code(), Some(2));
    let (out, err, _) = said(&usage);
    assert!(out.is_empty() && err.contains("70000 is not in 2..=100"), "{err}");
    let none = run("sign --replace --dir @w --signers 1,2 @letter.txt");
    assert_eq!(none.status.code(), Some(1));
    assert!(said(&none).1.starts_with("error: there is no wallet in "));
    assert!(run("--help").status.success());
}

/// Where there is no terminal, progress is shown in lines, without control characters, and results are
/// printed as soon as they are there.
#[test]
fn progress_in_a_pipe() {
    let fixture = Fixture::new();
    let line =
        "keygen --dir @w --suite ecdsa-secp256k1 --threshold 2 --parties 2 --level 112 --plaintext";
    let (out, err, ok) = said(&fixture.process(line).output().unwrap());
    assert!(ok, "{err}");
    // A prime that is found at once is not announced.
    for party in 1..=2 {
        let searches = format!("  party {party} searches: prime ");
        assert!(err.lines().any(|line| line.starts_with(&searches)), "{searches}\n{err}");
    }
    assert!(err.lines().all(|line| line.ends_with(" %")), "{err}");
    assert!(!(out + &err).contains(|c: char| c.is_control() && c != '\n'));
}
