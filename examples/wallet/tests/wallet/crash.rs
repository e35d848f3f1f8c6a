//! A wallet that is killed in the middle of a change: at every step of its work on the disk.

use core::cell::RefCell;
use std::fs;

use quorate::PartyId;
use quorate_cggmp::{Ecdsa, Secp256k1};
use quorate_wallet::home::Home;
use quorate_wallet::passphrase::Source;
use quorate_wallet::shares;

use crate::fixture::{Fixture, said};

/// Runs a command that is killed after `after` changes of the disk. Returns whether it came to its end.
fn killed(fixture: &Fixture, line: &str, after: u32) -> bool {
    let mut command = fixture.process(line);
    command.env("QUORATE_WALLET_ABORT_AFTER", after.to_string());
    let (_, err, ok) = said(&command.output().unwrap());
    assert!(ok || err.lines().all(|line| line.ends_with(" %")), "{err}");
    ok
}

/// The key under which a wallet's signatures verify.
fn key(fixture: &Fixture, wallet: &str) -> String {
    let out = fixture.ok(&format!("derive --dir @{wallet} --path m"));
    out.lines().find(|line| line.contains("  key ")).unwrap().to_owned()
}

/// The sets of signers that can sign. The others are refused because of an epoch, or since they lack a share.
fn able<'s>(fixture: &Fixture, sets: &[&'s str]) -> Vec<&'s str> {
    able_with(fixture, sets, ["", ""])
}

/// As [`able`], with these options to sign and to verify.
fn able_with<'s>(fixture: &Fixture, sets: &[&'s str], options: [&str; 2]) -> Vec<&'s str> {
    let [sign, verify] = options;
    let signs = |signers: &&&str| {
        let line =
            format!("sign --replace --dir @w {sign} --signers {signers} @letter.txt --out @sig");
        match fixture.run(&line) {
            Ok(_) => {
                fixture.ok(&format!("verify --dir @w {verify} @letter.txt @sig"));
                true
            }
            Err(why) => {
                let named = ["expected epoch", "has lost its share", "is not one of the "];
                assert!(named.iter().any(|name| why.contains(name)), "{why}");
                false
            }
        }
    };
    sets.iter().filter(signs).copied().collect()
}

/// Returns whether all of these have shares of one epoch, which is the main condition for signing.
fn loads(fixture: &Fixture, signers: &str) -> bool {
    let home = Home::open(&fixture.path("w"), Source::default()).unwrap();
    let signers = signers.split(',').map(|party| PartyId::new(party.parse().unwrap()).unwrap());
    shares::of_signers::<Ecdsa<Secp256k1>>(&home, &signers.collect::<Vec<_>>()).is_ok()
}

/// Kills the command at each of its steps in turn, has `look` examine the files, and runs it to its end.
fn at_every_step(
    suite: &str,
    line: &str,
    look: impl Fn(&Fixture, u32),
    end: impl Fn(&Fixture, u32),
) -> u32 {
    let fixture = Fixture::new();
    fixture.wallet("whole", suite);
    let before = key(&fixture, "whole");
    for step in 0.. {
        fs::remove_dir_all(fixture.path("w")).ok();
        fixture.copy("whole", "w");
        let ended = killed(&fixture, line, step);
        look(&fixture, step);
        if !ended {
            fixture.ok(line);
        }
        end(&fixture, step);
        assert_eq!(key(&fixture, "w"), before);
        // Nothing is left over.
        let names = fs::read_dir(fixture.path("w")).unwrap();
        let mut names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert!(!names.any(|name| name.contains("next") || name.starts_with(".new.")), "{step}");
        if ended {
            return step;
        }
    }
    0
}

#[test]
fn a_reshare_that_is_killed_loses_nothing() {
    let line = "reshare --dir @w --to 1,2,5 --threshold 2";
    let (old, new) = (["1,2", "1,3"], ["1,2", "1,5"]);
    let look = |fixture: &Fixture, step| {
        let able = [able(fixture, &old), able(fixture, &new)];
        assert!(able[0] == old || able[1] == new, "step {step}: {able:?}");
    };
    let end = |fixture: &Fixture, _| new.iter().for_each(|signers| fixture.signs("w", signers));
    let steps = at_every_step("ed25519", line, look, end);
    // A package and three shares beside the old ones; then each of them in its place.
    assert!(steps >= 12, "{steps}");
}

/// With two keys, the old committee or the new one signs with the key and with its hardened child, at every moment.
#[test]
fn a_reshare_of_two_keys_that_is_killed_loses_nothing() {
    let (old, made) = (["1,2", "1,3"], RefCell::new(String::new()));
    for (line, new) in [("refresh", old), ("reshare --to 1,2,5 --threshold 2", ["1,2", "1,5"])] {
        let signs = |fixture: &Fixture, sets: &[&'static str; 2]| {
            let verify = format!("--key {}", made.borrow());
            let hardened = able_with(fixture, sets, ["--hardened m/44/0", &verify]);
            able(fixture, sets) == sets && hardened == sets
        };
        let look = |fixture: &Fixture, step| {
            made.replace(hardened_child(fixture, "whole", "1,2"));
            assert!(signs(fixture, &old) || signs(fixture, &new), "{line}, step {step}");
        };
        let end = |fixture: &Fixture, step| {
            assert!(signs(fixture, &new), "{line}, step {step}");
            assert_eq!(hardened_child(fixture, "w", new[1]), *made.borrow());
            // One change for both keys, however often it was resumed.
            for name in ["public.key", "prf.key"] {
                let public = fs::read(fixture.path(&format!("w/{name}"))).unwrap();
                // The epoch stands behind the header.
                assert_eq!(public[12..16], [0, 0, 0, 1], "{line}, step {step}: {name}");
            }
        };
        let steps = at_every_step("ed25519 --hardened", &format!("{line} --dir @w"), look, end);
        assert!(steps >= 2 * 12, "{line}: {steps}");
    }
}

/// The key in hexadecimal of a hardened child.
fn hardened_child(fixture: &Fixture, wallet: &str, signers: &str) -> String {
    let derive = format!("derive --dir @{wallet} --hardened m/44/0 --signers {signers}");
    let out = fixture.ok(&derive);
    out.split_once("verify --key ").unwrap().1.trim_end().trim_end_matches('`').to_owned()
}

/// One key has ended its change, and the other has not. That change is ended before another begins.
#[test]
fn a_change_between_two_keys() {
    let fixture = Fixture::new();
    fixture.wallet("whole", "ed25519 --hardened");
    let made = hardened_child(&fixture, "whole", "1,2");
    let reshare = "reshare --dir @w --to 4,5,6";
    let there = |name: &str| fixture.path(&format!("w/{name}")).exists();
    let killed_when = |reached: &dyn Fn() -> bool| {
        let step = (0..).find(|step| {
            fs::remove_dir_all(fixture.path("w")).ok();
            fixture.copy("whole", "w");
            assert!(!killed(&fixture, reshare, *step));
            reached()
        });
        assert!(step.is_some());
    };
    // All have stored both shares, and one of them is lost. Neither key changes to other parties.
    killed_when(&|| there("party-6.prf-next"));
    fs::remove_file(fixture.path("w/party-4.next")).unwrap();
    fixture.fails("reshare --dir @w --to 1,2", "End it first, with `reshare --to 4,5,6");
    assert!(there("party-5.next") && there("party-3.share"));
    let out = fixture.ok(reshare);
    assert!(out.contains("A change that had not ended is begun anew"), "{out}");
    assert!(out.contains("Goes on: all parties have stored their shares of epoch 1"), "{out}");
    assert_eq!(hardened_child(&fixture, "w", "4,6"), made);

    let old = fs::read(fixture.path("whole/public.key")).unwrap();
    let changed = || fs::read(fixture.path("w/public.key")).unwrap() != old;
    killed_when(&|| changed() && !there("public.next"));
    assert!(there("prf.next"));
    for line in ["reshare --dir @w --to 1,2", "reshare --dir @w --to 4,5,6 --threshold 3"] {
        fixture.fails(line, "End it first, with `reshare --to 4,5,6 --threshold 2`");
    }
    fixture.ok("backup-key --suite ed25519 --to @offline --plaintext");
    let backup = "backup --dir @w --party 4 --for @offline.pub --to @four";
    fixture.fails(backup, "end it first, with `reshare --to 4,5,6 --threshold 2`");
    // Shares of both keys are lost meanwhile. None of the PRF key has ended its change.
    for (lost, left) in
        [("party-5.share", "party-5.prf-next"), ("party-5.prf-next", "party-5.share")]
    {
        let path = fixture.path(&format!("w/{lost}"));
        let own = fs::read(&path).unwrap().len();
        fs::remove_file(&path).unwrap();
        fixture.ok("repair --dir @w --party 5");
        assert_eq!(fs::read(&path).unwrap().len(), own);
        assert!(there(left));
    }
    // A lost share of the PRF key is dealt again.
    fs::remove_file(fixture.path("w/party-6.prf-next")).unwrap();
    let out = fixture.ok(reshare);
    assert!(out.contains("A change that had not ended is begun anew"), "{out}");
    assert!(out.contains("epoch 1 of the key: any 2 of 4,5,6 can sign"), "{out}");
    assert_eq!(hardened_child(&fixture, "w", "4,6"), made);
}

#[test]
#[ignore = "long: .ci/run long"]
fn a_reshare_of_ecdsa_that_is_killed_loses_nothing() {
    let line = "reshare --dir @w --to 1,2 --threshold 2";
    let look = |fixture: &Fixture, step| {
        assert!(loads(fixture, "1,3") || loads(fixture, "1,2"), "step {step}")
    };
    let end = |fixture: &Fixture, step| {
        assert!(loads(fixture, "1,2") && !loads(fixture, "1,3"));
        // A share that loads belongs to the public package, whose key is the old one: any two such shares sign.
        // Presigning takes longer than all the rest, so it is done once, when the first old shares are deleted.
        if step == 9 {
            fixture.signs("w", "1,2");
        }
    };
    let steps = at_every_step("ecdsa-secp256k1", line, look, end);
    assert!(steps >= 12, "{steps}");
}

#[test]
fn a_keygen_that_is_killed_loses_nothing() {
    let steps = killed_keygens("", &["share"]);
    // The plan; of each party a key, a session, three steps of it and a share; the public key, and the deletions.
    assert!(steps >= 1 + 3 * 6 + 2 + 3, "{steps}");
}

#[test]
fn a_keygen_of_two_keys_that_is_killed_loses_nothing() {
    let steps = killed_keygens("--hardened", &["share", "prf"]);
    assert!(steps >= 1 + 3 * 6 + 3 * 5 + 3 + 3, "{steps}");
}

/// A key generation is killed at each of its steps, and the same command resumes it. A party keeps the share that it once
/// has.
fn killed_keygens(more: &str, endings: &[&str]) -> u32 {
    let fixture = Fixture::new();
    fixture.passphrase("good", "correct horse battery staple");
    let flags = ["--plaintext", "--passphrase-file @good"];
    let keygen = format!("keygen --dir @w --suite ed25519 --threshold 2 --parties 3 {more}");
    let mut steps = 0;
    loop {
        fs::remove_dir_all(fixture.path("w")).ok();
        // Encryption takes longer, and changes nothing about the order of things.
        let flag = flags[usize::from(steps & 7 == 7)];
        let ended = killed(&fixture, &format!("{keygen} {flag}"), steps);
        let share = |ending| [1, 2, 3].map(|party| format!("w/party-{party}.{ending}"));
        let shares: Vec<_> =
            endings.iter().flat_map(share).map(|name| fixture.path(&name)).collect();
        let made: Vec<_> = shares.iter().map(|share| fs::read(share).ok()).collect();
        // The public key comes last, and with it the wallet is complete.
        if !fixture.path("w/public.key").exists() {
            fixture.ok(&format!("{keygen} {flag}"));
        }
        for (share, made) in shares.iter().zip(made) {
            assert!(made.is_none_or(|made| made == fs::read(share).unwrap()), "{steps}");
        }
        let secret = if flag == "--plaintext" { "" } else { flag };
        fixture
            .ok(&format!("sign --replace --dir @w --signers 1,3 @letter.txt --out @sig {secret}"));
        fixture.ok("verify --dir @w @letter.txt @sig");
        if !more.is_empty() {
            let sign = "sign --dir @w --hardened m/0 --replace @letter.txt --out @sig";
            fixture.ok(&format!("{sign} --signers 2,3 {secret}"));
        }
        let left = fs::read_dir(fixture.path("w/sessions")).unwrap();
        let lengths = left.map(|entry| entry.unwrap().metadata().unwrap().len());
        assert!(lengths.into_iter().all(|length| length < 128), "{steps}: tombstones alone");
        if ended {
            return steps;
        }
        steps += 1;
    }
}

/// The number of steps after which all have stored their shares, and party 1 has put its own in the place of the old one.
fn half_way(fixture: &Fixture) -> u32 {
    fixture.wallet("whole", "ed25519");
    for step in 0.. {
        fs::remove_dir_all(fixture.path("w")).ok();
        fixture.copy("whole", "w");
        assert!(!killed(fixture, "refresh --dir @w", step));
        let share = fs::read(fixture.path("w/party-1.share")).unwrap();
        if share != fs::read(fixture.path("whole/party-1.share")).unwrap() {
            return step;
        }
    }
    0
}

/// A change that some parties have ended is not given up for another change, nor because of a lost file.
#[test]
fn a_change_half_way() {
    let fixture = Fixture::new();
    half_way(&fixture);
    let says = "another change of the key is under way, to parties 1,2,3 with threshold 2";
    fixture.fails("reshare --dir @w --to 1,2", says);
    fixture.fails(
        "reshare --dir @w --to 1,2",
        "End it first, with `reshare --to 1,2,3 --threshold 2`",
    );
    fixture.ok("backup-key --suite ed25519 --to @offline --plaintext");
    let line = "backup --dir @w --party 2 --for @offline.pub --to @two";
    fixture.fails(line, "a change of the key is under way: end it first");

    // A file is lost: the new share of party 2, when the old one of party 1 is gone.
    let next = fixture.path("w/party-2.next");
    let own = fs::read(&next).unwrap();
    fs::remove_file(&next).unwrap();
    let says = "party 2 has no share of epoch 1, and others have given up their older ones";
    fixture.fails("refresh --dir @w", says);
    // Nothing is cleared away, and the lost share is repaired.
    let out = fixture.ok("repair --dir @w --party 2");
    assert!(out.contains("a change of the key is under way: run the command"), "{out}");
    assert_eq!(fs::read(&next).unwrap(), own);
    // A file that is half written, or another party's.
    for bytes in [&own[..30], &fs::read(fixture.path("w/party-3.next")).unwrap()] {
        fs::write(&next, bytes).unwrap();
        fixture.fails("refresh --dir @w", "party-2.next is ");
        assert!(fixture.path("w/party-3.next").exists());
    }
    fs::write(&next, own).unwrap();
    let out = fixture.ok("refresh --dir @w");
    assert!(out.contains("Goes on: all parties have stored their shares of epoch 1"), "{out}");
    fixture.signs("w", "1,2");
}

/// Shares that do not open for a wrong passphrase are not taken for lost.
#[test]
fn the_wrong_passphrase_half_way() {
    let fixture = Fixture::new();
    let step = half_way(&fixture);
    fixture.passphrase("good", "correct horse battery staple");
    fixture.passphrase("bad", "correct horse battery stable");
    fixture.ok("keygen --dir @v --suite ed25519 --threshold 2 --parties 3 --passphrase-file @good");
    assert!(!killed(&fixture, "refresh --dir @v --passphrase-file @good", step));
    let says = "does not open: the passphrase is wrong";
    fixture.fails("refresh --dir @v --passphrase-file @bad", says);
    assert!(fixture.path("v/public.next").exists() && fixture.path("v/party-3.next").exists());
    let out = fixture.ok("refresh --dir @v --passphrase-file @good");
    assert!(out.contains("epoch 1 of the key: any 2 of 1,2,3 can sign"), "{out}");
}

/// Another process learns which one is at work.
#[test]
fn one_change_at_a_time() {
    use quorate_wallet::lock::Lock;
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    let held = Lock::alone(&fixture.path("w"), "reshare").unwrap();
    let says =
        format!("at work on the wallet in {} (reshare, process ", fixture.path("w").display());
    for line in ["refresh --dir @w", "reshare --dir @w --to 1,2", "repair --dir @w --party 1"] {
        fixture.fails(line, &says);
    }
    drop(held);
    fixture.ok("reshare --dir @w --to 1,2");
}
