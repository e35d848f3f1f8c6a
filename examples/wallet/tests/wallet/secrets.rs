//! Secrets are encrypted under a passphrase, unless the user says otherwise.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::fixture::{Fixture, flip, said};

const KEYGEN: &str = "keygen --dir @w --suite ed25519 --threshold 2 --parties 3";
const SIGN: &str = "sign --replace --dir @w --signers 1,3 @letter.txt --out @sig";
const GOOD: &str = "correct horse battery staple";

fn with_file(line: &str) -> String {
    format!("{line} --passphrase-file @good")
}

fn wallet() -> Fixture {
    let fixture = Fixture::new();
    fixture.passphrase("good", GOOD);
    fixture.passphrase("bad", "correct horse battery stable");
    fixture.ok(&with_file(KEYGEN));
    fixture
}

#[test]
fn shares_are_encrypted_by_default() {
    let fixture = wallet();
    let first = fs::read(fixture.path("w/party-1.share")).unwrap();
    assert_eq!(&first[..8], b"QUORATEW");
    // 64 MiB, three passes, four lanes: RFC 9106, section 4, the second recommended option.
    assert_eq!(&first[8..14], &[0, 1, 0, 0, 3, 4]);
    // One salt for a wallet, and another for the next.
    let salt = |name: &str| fs::read(fixture.path(name)).unwrap()[14..30].to_vec();
    assert_eq!(salt("w/party-1.share"), salt("w/party-3.share"));
    fixture.ok(&with_file(&KEYGEN.replace("@w", "@v")));
    assert_ne!(salt("w/party-1.share"), salt("v/party-1.share"));

    fixture.ok(&with_file(SIGN));
    fixture.ok("verify --dir @w @letter.txt @sig");
    // A key that is the same but for its encryption.
    fixture.ok(&format!("{} --plaintext", KEYGEN.replace("@w", "@clear")));
    let clear = fs::read(fixture.path("clear/party-1.share")).unwrap();
    assert!(clear.len() < first.len() && !clear.starts_with(b"QUORATEW"));
}

#[test]
fn the_wrong_passphrase() {
    let fixture = wallet();
    let says = "party-1.share does not open: the passphrase is wrong, or it is damaged";
    fixture.fails(&format!("{SIGN} --passphrase-file @bad"), says);
    assert!(!fixture.path("sig").exists());
    fixture.passphrase("short", "seven c");
    fixture.passphrase("long", &"x".repeat(5000));
    let keygen = KEYGEN.replace("@w", "@v");
    let says = "a passphrase has at least 8 characters; this one has 7";
    fixture.fails(&format!("{keygen} --passphrase-file @short"), says);
    fixture.fails(&format!("{keygen} --passphrase-file @long"), "is longer than 4096 bytes");
    fixture.fails(&format!("{keygen} --passphrase-file @none"), "cannot read ");
    fixture.fails(&format!("{} --plaintext", with_file(&keygen)), "cannot be used with");
    fixture.ok(&with_file(&keygen));
}

/// The passphrase comes from the environment, for scripts. Without that and without a terminal there is an error.
#[test]
fn the_environment() {
    let fixture = wallet();
    let sign = |passphrase: Option<&str>| {
        let mut command = fixture.process(SIGN);
        passphrase.map(|text| command.env("QUORATE_PASSPHRASE", text));
        // Without a controlling terminal no user can be asked.
        said(&detached(command).output().unwrap())
    };
    assert!(sign(Some(GOOD)).2);
    let (_, err, ok) = sign(Some("wrong"));
    assert!(!ok && err.contains("the passphrase is wrong"), "{err}");
    let (_, err, ok) = sign(None);
    assert!(!ok && err.contains("there is no terminal to ask at"), "{err}");
    assert!(err.contains("give --passphrase-file FILE, or set QUORATE_PASSPHRASE"), "{err}");
}

/// The command in a session of its own.
fn detached(command: Command) -> Command {
    let mut setsid = Command::new("setsid");
    setsid.arg("--wait").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => setsid.env(name, value),
            None => setsid.env_remove(name),
        };
    }
    setsid.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    setsid
}

/// At a terminal, which `script` makes. What is typed is not shown.
#[test]
fn the_prompt_does_not_echo() {
    let fixture = wallet();
    let command = fixture.process(SIGN);
    let words = core::iter::once(command.get_program()).chain(command.get_args());
    let line: Vec<_> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
    let mut script = Command::new("script");
    script.args(["-q", "-e", "-c", &line.join(" "), "/dev/null"]);
    script.env_remove("QUORATE_PASSPHRASE").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut script = script.spawn().unwrap();
    let mut shown = Vec::new();
    let (mut out, mut keyboard) = (script.stdout.take().unwrap(), script.stdin.take().unwrap());
    let prompt = b"Passphrase of the wallet: ";
    while !shown.ends_with(prompt) {
        let mut byte = [0];
        out.read_exact(&mut byte).unwrap();
        shown.extend(byte);
    }
    // The terminal's echo goes off just after the prompt is shown; nobody types that fast.
    std::thread::sleep(core::time::Duration::from_millis(500));
    writeln!(keyboard, "{GOOD}").unwrap();
    keyboard.flush().unwrap();
    out.read_to_end(&mut shown).unwrap();
    drop(keyboard);
    let shown = String::from_utf8(shown).unwrap();
    assert!(script.wait().unwrap().success(), "{shown}");
    assert!(shown.contains("signature of") && !shown.contains("horse"), "{shown}");
    fixture.ok("verify --dir @w @letter.txt @sig");
}

/// A byte of the file's head, or any of the rest.
#[test]
fn damaged_files() {
    let fixture = wallet();
    let path = fixture.path("w/party-3.share");
    let length = fs::read(&path).unwrap().len();
    for (at, says) in [
        (0, "is not encrypted, unlike the other secrets of this wallet"),
        // Most memory that is ever asked for is 1 GiB.
        (8, "is damaged: it asks for more than 1 GiB, 16 passes or 16 lanes"),
        (12, "does not open: "),
        (20, "does not open: "),
        (31, "does not open: "),
        (length - 1, "does not open: "),
    ] {
        flip(&path, at);
        fixture.fails(&with_file(SIGN), says);
        flip(&path, at);
    }
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..20]).unwrap();
    fixture.fails(&with_file(SIGN), "is damaged: it is cut off");
    // Another file of the same wallet.
    fs::copy(fixture.path("w/party-1.share"), &path).unwrap();
    fixture.fails(&with_file(SIGN), "party-3.share was another file when it was closed");
    fs::write(&path, whole).unwrap();
    fixture.ok(&with_file(SIGN));
}

/// A secret in clear is not taken for one of an encrypted wallet, nor the reverse.
#[test]
fn secrets_are_not_mixed() {
    let fixture = wallet();
    fixture.wallet("clear", "ed25519");
    let [one, three] = ["w/party-1.share", "w/party-3.share"].map(|name| fixture.path(name));
    let own = fs::read(&three).unwrap();
    fs::copy(fixture.path("clear/party-3.share"), &three).unwrap();
    let says = "party-3.share is not encrypted, unlike the other secrets of this wallet";
    fixture.fails(&with_file(SIGN), says);
    fs::write(&three, own).unwrap();
    fixture.ok(&with_file(SIGN));
    fs::copy(one, fixture.path("clear/party-3.share")).unwrap();
    let says = "party-3.share is encrypted, unlike the other secrets of this wallet";
    fixture.fails(&with_file(&SIGN.replace("@w", "@clear")), says);
}

/// The demonstration makes up a passphrase, and prints it.
#[test]
#[ignore = "long: .ci/run long"]
fn the_demo_is_encrypted_too() {
    let fixture = Fixture::new();
    let line = "demo @letter.txt --suite ecdsa-secp256k1 --dir @demo";
    let (out, err, ok) = said(&fixture.process(line).output().unwrap());
    assert!(ok, "{err}");
    let passphrase = out.lines().find_map(|line| line.split_once("  QUORATE_PASSPHRASE="));
    let passphrase = passphrase.unwrap().1.trim_end_matches(" \\");
    assert!(out.contains(&format!("made up for this: {passphrase}\n")), "{out}");
    fixture.passphrase("good", passphrase);
    let sign = "sign --replace --dir @demo/ecdsa-secp256k1 --signers 2,3 @letter.txt --out @sig";
    fixture.ok(&with_file(sign));
    for name in ["party-1.share", "party-2.aux", "party-3.seal"] {
        let bytes = fs::read(fixture.path("demo/ecdsa-secp256k1").join(name)).unwrap();
        assert!(bytes.starts_with(b"QUORATEW"), "{name}");
    }
}
