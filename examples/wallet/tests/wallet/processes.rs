//! Several processes on one wallet.

use std::fs;
use std::process::Child;

use crate::fixture::{Fixture, said};

fn ends(child: Child) -> (String, String, bool) {
    said(&child.wait_with_output().unwrap())
}

#[test]
fn four_signs_take_four_presignatures() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ecdsa-secp256k1");
    fixture.ok("presign --dir @w --signers 1,3 --count 3");
    let sign = |number: u8| {
        let line = format!("sign --replace --dir @w --signers 1,3 @letter.txt --out @sig{number}");
        fixture.process(&line).spawn().unwrap()
    };
    let children: Vec<_> = (0..4).map(sign).collect();
    let (mut spent, mut none) = (0, 0);
    for child in children {
        let (out, err, ok) = ends(child);
        assert!(ok, "{err}");
        spent += out.matches("from a presignature, which is spent now").count();
        none += out.matches("no presignature of these signers is left").count();
    }
    // Four processes wanted the three presignatures that were there.
    assert_eq!((spent, none), (3, 1));
    let stock = fs::read_dir(fixture.path("w/presignatures")).unwrap();
    let names = stock.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.contains(".party-")));
    // Each by both signers, on one message.
    assert_eq!(fs::read_dir(fixture.path("w/spent")).unwrap().count(), 2 * 3);
    let signatures = (0..4).map(|number| {
        fixture.ok(&format!("verify --dir @w @letter.txt @sig{number}"));
        fs::read(fixture.path(&format!("sig{number}"))).unwrap()
    });
    let mut signatures: Vec<_> = signatures.collect();
    signatures.sort();
    signatures.dedup();
    assert_eq!(signatures.len(), 4);
}

#[test]
fn one_process_makes_a_wallet_and_the_other_is_told() {
    let fixture = Fixture::new();
    // Moduli of 3072 bits: seconds at the least.
    let keygen = "keygen --dir @w --suite ecdsa-p256 --threshold 2 --parties 2 --plaintext";
    let mut first = fixture.process(keygen).spawn().unwrap();
    let held = format!("(keygen, process {})", first.id());
    let lock = fixture.path("w/lock");
    let begun = || fixture.path("w/plan").exists();
    while !fs::read_to_string(&lock).is_ok_and(|text| text.ends_with('\n')) || !begun() {
        std::thread::yield_now();
    }
    let (_, err, ok) = said(&fixture.process(keygen).output().unwrap());
    let says = "error: another process is at work on the wallet in ";
    assert!(!ok && err.starts_with(says) && err.contains(&held), "{err}");
    let (_, err, ok) = said(
        &fixture.process("sign --replace --dir @w --signers 1,2 @letter.txt").output().unwrap(),
    );
    assert!(!ok && err.starts_with(says) && err.contains(&held), "{err}");
    first.kill().unwrap();
    first.wait().unwrap();
    // Killed, it holds no lock, whatever its file says.
    let (_, err, ok) =
        said(&fixture.process(&keygen.replace("p256", "secp256k1")).output().unwrap());
    assert!(!ok && err.contains("is ecdsa-p256, threshold 2 of 2, level 128, not "), "{err}");
}

/// A process that signs shares the wallet with others that sign, and not with one that changes it.
#[test]
fn a_lock_that_is_shared() {
    use quorate_wallet::lock::Lock;
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    let sign = "sign --replace --dir @w --signers 1,2 @letter.txt";
    let (one, two) = (Lock::shared(&fixture.path("w")), Lock::shared(&fixture.path("w")));
    fixture.ok(sign);
    let refused = Lock::alone(&fixture.path("w"), "refresh").unwrap_err().to_string();
    assert!(refused.contains("at work on the wallet in "), "{refused}");
    assert!(refused.contains("(presign or sign)"), "{refused}");
    // A key generation was killed when the wallet was complete. Nobody waits until its rest can be deleted, or minds what somebody
    // else has put there.
    fs::copy(fixture.path("w/public.key"), fixture.path("w/public.made")).unwrap();
    fs::write(fixture.path("w/sessions/.DS_Store"), "somebody else's").unwrap();
    fixture.ok(sign);
    assert!(fixture.path("w/public.made").exists());
    drop((one, two));
    fixture.ok(sign);
    assert!(!fixture.path("w/public.made").exists());
    let alone = Lock::alone(&fixture.path("w"), "refresh").unwrap();
    fixture.fails(sign, &format!("(refresh, process {})", std::process::id()));
    drop(alone);
    fixture.ok(sign);
}
