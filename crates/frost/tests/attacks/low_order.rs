//! Points of low order, and points shifted by them: no decoder lets one pass.

use quorate_frost::{
    Ciphersuite, Commitments, DecodeError, PointBytes, PublishedNonces, SigningPackage,
};
use quorate_testkit::encodings::{Encoding, foreign_form, identity};
use quorate_testkit::unhex;

use super::bench::{Edwards, Key, Large, MESSAGE, replaced, rng};

/// Every list and message with commitments, each commitment replaced by this point.
fn refused_everywhere<S: Ciphersuite>(bad: &[u8]) {
    let key = Key::<S>::new(3, 1);
    let batch = key.shares[1].precompute(2, &mut rng(2));
    let list = batch.publish();
    let signed = key.sign(MESSAGE, 3);
    let (me, name) = (list.id(), list.package_id());
    let same = |bytes: &PointBytes<S>| bytes.as_ref().to_vec();
    for one in batch.commitments() {
        for honest in [one.hiding(), one.binding()].map(same) {
            let sent = replaced::<S>(&list.to_bytes(), &honest, bad);
            let read = PublishedNonces::<S>::from_bytes(me, &sent);
            assert_eq!(read, Err(DecodeError::BadPoint));
            let sent = replaced::<S>(&one.to_bytes(), &honest, bad);
            assert_eq!(Commitments::<S>::from_bytes(me, &sent), Err(DecodeError::BadPoint));
        }
        let [d, e] = [one.hiding(), one.binding()].map(same);
        for (d, e) in [(&d[..], bad), (bad, &e[..])] {
            let made = Commitments::<S>::from_parts(me, name, d, e);
            assert_eq!(made, Err(DecodeError::BadPoint));
        }
    }
    for honest in signed.sent.iter().flat_map(|one| [one.hiding(), one.binding()]).map(same) {
        let sent = replaced::<S>(&signed.package.to_bytes(), &honest, bad);
        assert_eq!(SigningPackage::<S>::from_bytes(&sent), Err(DecodeError::BadPoint));
    }
}

fn shifted_points<S: Ciphersuite<Curve: Encoding>>() {
    let key = Key::<S>::new(3, 1);
    let one = key.shares[1].precompute(2, &mut rng(2)).commitments().next().unwrap();
    refused_everywhere::<S>(&foreign_form::<S::Curve>(one.hiding().as_ref()));
    refused_everywhere::<S>(&identity::<S::Curve>());
}

#[test]
fn commitments_of_low_order_or_shifted_by_it_are_refused_in_every_message() {
    shifted_points::<Edwards>();
    shifted_points::<Large>();
    // Of order 2, 4 and 8; those with the other sign of x too.
    for low in [
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    ] {
        refused_everywhere::<Edwards>(&unhex(low));
    }
    // (0, −1), (1, 0) and (−1, 0).
    let minus_one = ["fe", &"ff".repeat(27), "fe", &"ff".repeat(27), "00"].concat();
    for low in [minus_one, "00".repeat(57), ["00".repeat(56), "80".into()].concat()] {
        refused_everywhere::<Large>(&unhex(&low));
    }
}
