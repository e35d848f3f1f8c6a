//! A wallet that is killed in the middle of a change: at every step of its work on the disk.

use std::fs;

use quorate::PartyId;
use quorate_cggmp::{Ecdsa, Secp256k1};
use quorate_wallet::home::Home;
use quorate_wallet::passphrase::Source;
use quorate_wallet::shares;

use crate::place::{Place, said};

/// Runs a command that is killed after so many changes of the disk. Whether it came to its end.
fn killed(place: &Place, line: &str, after: u32) -> bool {
    let mut command = place.process(line);
    command.env("QUORATE_WALLET_ABORT_AFTER", after.to_string());
    let (_, err, ok) = said(&command.output().unwrap());
    assert!(ok || err.lines().all(|line| line.ends_with(" %")), "{err}");
    ok
}

/// The key under which a wallet's signatures verify.
fn key(place: &Place, wallet: &str) -> String {
    let out = place.ok(&format!("derive --dir @{wallet} --path m"));
    out.lines().find(|line| line.contains("  key ")).unwrap().to_owned()
}

/// Which of these sets of signers can sign. Those that cannot are refused because of an epoch, or since they lack a
/// share.
fn able<'s>(place: &Place, sets: &[&'s str]) -> Vec<&'s str> {
    let signs = |signers: &&&str| {
        let line = format!("sign --dir @w --signers {signers} @letter.txt --out @sig");
        match place.run(&line) {
            Ok(_) => {
                place.ok("verify --dir @w @letter.txt @sig");
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

/// Whether all of these have shares of one epoch, which is most of what signing asks.
fn loads(place: &Place, signers: &str) -> bool {
    let home = Home::open(&place.path("w"), Source::default()).unwrap();
    let signers = signers.split(',').map(|party| PartyId::new(party.parse().unwrap()).unwrap());
    shares::of_signers::<Ecdsa<Secp256k1>>(&home, &signers.collect::<Vec<_>>()).is_ok()
}

/// Kills the command at each of its steps in turn, has `look` at what there is, and runs it to its end.
fn at_every_step(
    suite: &str,
    line: &str,
    look: impl Fn(&Place, u32),
    end: impl Fn(&Place, u32),
) -> u32 {
    let place = Place::new();
    place.wallet("whole", suite);
    let before = key(&place, "whole");
    for step in 0.. {
        fs::remove_dir_all(place.path("w")).ok();
        place.copy("whole", "w");
        let ended = killed(&place, line, step);
        look(&place, step);
        if !ended {
            place.ok(line);
        }
        end(&place, step);
        assert_eq!(key(&place, "w"), before);
        // Nothing is left over.
        let names = fs::read_dir(place.path("w")).unwrap();
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
    let look = |place: &Place, step| {
        let able = [able(place, &old), able(place, &new)];
        assert!(able[0] == old || able[1] == new, "step {step}: {able:?}");
    };
    let end = |place: &Place, _| new.iter().for_each(|signers| place.signs("w", signers));
    let steps = at_every_step("ed25519", line, look, end);
    // A package and three shares beside the old ones; then each of them in its place.
    assert!(steps >= 12, "{steps}");
}

#[test]
fn a_reshare_of_ecdsa_that_is_killed_loses_nothing() {
    let line = "reshare --dir @w --to 1,2 --threshold 2";
    let look =
        |place: &Place, step| assert!(loads(place, "1,3") || loads(place, "1,2"), "step {step}");
    let end = |place: &Place, step| {
        assert!(loads(place, "1,2") && !loads(place, "1,3"));
        // What loads has been held against the public package, whose key is the old one: any two such shares sign.
        // To presign takes longer than all the rest, so that is done once, when the old shares have begun to go.
        if step == 9 {
            place.signs("w", "1,2");
        }
    };
    let steps = at_every_step("ecdsa-secp256k1", line, look, end);
    assert!(steps >= 12, "{steps}");
}

/// A key generation that is killed at each of its steps is gone on with by the same command, and a share that a party has
/// once is the one that it keeps.
#[test]
fn a_keygen_that_is_killed_loses_nothing() {
    let place = Place::new();
    place.passphrase("good", "correct horse battery staple");
    let flags = ["--plaintext", "--passphrase-file @good"];
    let keygen = "keygen --dir @w --suite ed25519 --threshold 2 --parties 3";
    let mut steps = 0;
    loop {
        fs::remove_dir_all(place.path("w")).ok();
        // Encryption takes longer, and changes nothing about the order of things.
        let flag = flags[usize::from(steps & 7 == 7)];
        let ended = killed(&place, &format!("{keygen} {flag}"), steps);
        let shares: Vec<_> =
            [1, 2, 3].map(|party| place.path(&format!("w/party-{party}.share"))).into();
        let made: Vec<_> = shares.iter().map(|share| fs::read(share).ok()).collect();
        // The public key comes last, and with it the wallet is complete.
        if !place.path("w/public.key").exists() {
            place.ok(&format!("{keygen} {flag}"));
        }
        for (share, made) in shares.iter().zip(made) {
            assert!(made.is_none_or(|made| made == fs::read(share).unwrap()), "{steps}");
        }
        let secret = if flag == "--plaintext" { "" } else { flag };
        place.ok(&format!("sign --dir @w --signers 1,3 @letter.txt --out @sig {secret}"));
        place.ok("verify --dir @w @letter.txt @sig");
        let left = fs::read_dir(place.path("w/sessions")).unwrap();
        let lengths = left.map(|entry| entry.unwrap().metadata().unwrap().len());
        assert!(lengths.into_iter().all(|length| length < 128), "{steps}: tombstones alone");
        if ended {
            break;
        }
        steps += 1;
    }
    // The plan; of each party a key, a session, three steps of it and a share; the public key, and what is forgotten.
    assert!(steps >= 1 + 3 * 6 + 2 + 3, "{steps}");
}

/// All have stored their shares, and party 1 has put its own in the place of the old one: after so many steps.
fn half_way(place: &Place) -> u32 {
    place.wallet("whole", "ed25519");
    for step in 0.. {
        fs::remove_dir_all(place.path("w")).ok();
        place.copy("whole", "w");
        assert!(!killed(place, "refresh --dir @w", step));
        let share = fs::read(place.path("w/party-1.share")).unwrap();
        if share != fs::read(place.path("whole/party-1.share")).unwrap() {
            return step;
        }
    }
    0
}

/// A change that some have ended is not given up for another, nor for a lost file.
#[test]
fn a_change_half_way() {
    let place = Place::new();
    half_way(&place);
    let says = "another change of the key is under way, to parties 1,2,3 with threshold 2";
    place.fails("reshare --dir @w --to 1,2", says);
    place.fails(
        "reshare --dir @w --to 1,2",
        "End it first, with `reshare --to 1,2,3 --threshold 2`",
    );
    place.ok("backup-key --suite ed25519 --to @offline --plaintext");
    let line = "backup --dir @w --party 2 --for @offline.pub --to @two";
    place.fails(line, "a change of the key is under way: end it first");

    // A file is lost: the new share of party 2, when the old one of party 1 is gone.
    let next = place.path("w/party-2.next");
    let own = fs::read(&next).unwrap();
    fs::remove_file(&next).unwrap();
    let says = "party 2 has no share of epoch 1, and others have given up their older ones";
    place.fails("refresh --dir @w", says);
    // Nothing is cleared away, and what is lost comes back.
    let out = place.ok("repair --dir @w --party 2");
    assert!(out.contains("a change of the key is under way: run the command"), "{out}");
    assert_eq!(fs::read(&next).unwrap(), own);
    // One that is half written, or another's.
    for bytes in [&own[..30], &fs::read(place.path("w/party-3.next")).unwrap()] {
        fs::write(&next, bytes).unwrap();
        place.fails("refresh --dir @w", "party-2.next is ");
        assert!(place.path("w/party-3.next").exists());
    }
    fs::write(&next, own).unwrap();
    let out = place.ok("refresh --dir @w");
    assert!(out.contains("Goes on: all parties have stored their shares of epoch 1"), "{out}");
    place.signs("w", "1,2");
}

/// Shares that do not open for a wrong passphrase are not taken for lost.
#[test]
fn the_wrong_passphrase_half_way() {
    let place = Place::new();
    let step = half_way(&place);
    place.passphrase("good", "correct horse battery staple");
    place.passphrase("bad", "correct horse battery stable");
    place.ok("keygen --dir @v --suite ed25519 --threshold 2 --parties 3 --passphrase-file @good");
    assert!(!killed(&place, "refresh --dir @v --passphrase-file @good", step));
    let says = "does not open: the passphrase is wrong";
    place.fails("refresh --dir @v --passphrase-file @bad", says);
    assert!(place.path("v/public.next").exists() && place.path("v/party-3.next").exists());
    let out = place.ok("refresh --dir @v --passphrase-file @good");
    assert!(out.contains("epoch 1 of the key: any 2 of 1,2,3 can sign"), "{out}");
}

/// Another process is told who is at work.
#[test]
fn one_change_at_a_time() {
    use quorate_wallet::lock::Lock;
    let place = Place::new();
    place.wallet("w", "ed25519");
    let held = Lock::alone(&place.path("w"), "reshare").unwrap();
    let says = format!("at work on the wallet in {} (reshare, process ", place.path("w").display());
    for line in ["refresh --dir @w", "reshare --dir @w --to 1,2", "repair --dir @w --party 1"] {
        place.fails(line, &says);
    }
    drop(held);
    place.ok("reshare --dir @w --to 1,2");
}
