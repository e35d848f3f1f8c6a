//! Several processes on one wallet.

use std::fs;
use std::process::Child;

use crate::place::{Place, said};

fn ends(child: Child) -> (String, String, bool) {
    said(&child.wait_with_output().unwrap())
}

#[test]
fn four_signs_take_four_presignatures() {
    let place = Place::new();
    place.wallet("w", "ecdsa-secp256k1");
    place.ok("presign --dir @w --signers 1,3 --count 3");
    let sign = |number: u8| {
        let line = format!("sign --dir @w --signers 1,3 @letter.txt --out @sig{number}");
        place.process(&line).spawn().unwrap()
    };
    let children: Vec<_> = (0..4).map(sign).collect();
    let (mut spent, mut none) = (0, 0);
    for child in children {
        let (out, err, ok) = ends(child);
        assert!(ok, "{err}");
        spent += out.matches("from a presignature, which is spent now").count();
        none += out.matches("no presignature of these signers is left").count();
    }
    // Three were there for four.
    assert_eq!((spent, none), (3, 1));
    let stock = fs::read_dir(place.path("w/presignatures")).unwrap();
    let names = stock.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.contains(".party-")));
    // Each by both signers, on one message.
    assert_eq!(fs::read_dir(place.path("w/spent")).unwrap().count(), 2 * 3);
    let signatures = (0..4).map(|number| {
        place.ok(&format!("verify --dir @w @letter.txt @sig{number}"));
        fs::read(place.path(&format!("sig{number}"))).unwrap()
    });
    let mut signatures: Vec<_> = signatures.collect();
    signatures.sort();
    signatures.dedup();
    assert_eq!(signatures.len(), 4);
}

#[test]
fn one_process_makes_a_wallet_and_the_other_is_told() {
    let place = Place::new();
    // Moduli of 3072 bits: seconds at the least.
    let keygen = "keygen --dir @w --suite ecdsa-p256 --threshold 2 --parties 2 --plaintext";
    let mut first = place.process(keygen).spawn().unwrap();
    let held = format!("(keygen, process {})", first.id());
    let lock = place.path("w/lock");
    let begun = || place.path("w/plan").exists();
    while !fs::read_to_string(&lock).is_ok_and(|text| text.ends_with('\n')) || !begun() {
        std::thread::yield_now();
    }
    let (_, err, ok) = said(&place.process(keygen).output().unwrap());
    let says = "error: another process is at work on the wallet in ";
    assert!(!ok && err.starts_with(says) && err.contains(&held), "{err}");
    let (_, err, ok) =
        said(&place.process("sign --dir @w --signers 1,2 @letter.txt").output().unwrap());
    assert!(!ok && err.starts_with(says) && err.contains(&held), "{err}");
    first.kill().unwrap();
    first.wait().unwrap();
    // Killed, it holds no lock, whatever its file says.
    let (_, err, ok) = said(&place.process(&keygen.replace("p256", "secp256k1")).output().unwrap());
    assert!(!ok && err.contains("is ecdsa-p256, threshold 2 of 2, level 128, not "), "{err}");
}

/// Whoever signs shares the wallet with others that sign, and not with one that changes it.
#[test]
fn a_lock_that_is_shared() {
    use quorate_wallet::lock::Lock;
    let place = Place::new();
    place.wallet("w", "ed25519");
    let sign = "sign --dir @w --signers 1,2 @letter.txt";
    let (one, two) = (Lock::shared(&place.path("w")), Lock::shared(&place.path("w")));
    place.ok(sign);
    let refused = Lock::alone(&place.path("w"), "refresh").unwrap_err().to_string();
    assert!(refused.contains("at work on the wallet in "), "{refused}");
    assert!(refused.contains("(presign or sign)"), "{refused}");
    drop((one, two));
    let alone = Lock::alone(&place.path("w"), "refresh").unwrap();
    place.fails(sign, &format!("(refresh, process {})", std::process::id()));
    drop(alone);
    place.ok(sign);
}
