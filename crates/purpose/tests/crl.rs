//! Lists of revoked certificates: OpenSSL's, and what is refused.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::certificates::*;
use common::*;
use quorate_purpose::x509::X509Crl;
use quorate_purpose::*;

fn list(facts: &Facts, name: &str) -> Vec<String> {
    match facts.get(name) {
        Some(Value::List(values)) => values.iter().map(ToString::to_string).collect(),
        None => vec![],
        other => unreachable!("{name}: {other:?}"),
    }
}

#[test]
fn facts_and_watermark_of_a_list_of_revoked_certificates() {
    let purpose = Purpose::from(crl());
    let facts = purpose.facts();
    assert_eq!(facts.text("purpose"), Some("x509-crl"));
    assert_eq!(facts.text("issuer"), Some("CN=Root 1,O=Example\\, Ltd.,C=CH"));
    assert_eq!(
        facts.bytes("issuer_der"),
        Purpose::from(certificate(CA)).facts().bytes("subject_der")
    );
    assert_eq!(facts.get("this_update"), Some(&Time::from_seconds(1_795_551_111).into()));
    assert_eq!(facts.integer("lifetime"), Some(&(7 * 86_400_u64).into()));
    assert_eq!(facts.integer("crl_number"), Some(&6_u64.into()));
    assert_eq!(facts.integer("revoked"), Some(&2_u64.into()));
    assert_eq!(list(&facts, "revoked_serials"), ["0x4d", "0x0123456789"]);
    assert_eq!(list(&facts, "extensions"), ["\"2.5.29.20\"", "\"2.5.29.35\""]);
    let watermark = purpose.watermark().unwrap();
    assert_eq!(watermark.mark().order, Order([0, 0, 6]));
    let mut marks = Watermarks::new();
    assert_eq!(marks.admit(&watermark), Ok(Allowed::Rises));
    assert_eq!(marks.admit(&watermark), Ok(Allowed::Again));
    let other = |from: &str, to: &str| {
        let bytes = hex(&to_hex(crl().tbs_bytes()).replacen(from, to, 1));
        Purpose::from(X509Crl::from_tbs_bytes(&bytes).unwrap()).watermark().unwrap()
    };
    let conflict = Refused::Conflicts { order: Order([0, 0, 6]) };
    assert_eq!(marks.admit(&other("02014d", "02014e")), Err(conflict));
    let falls = Refused::Falls { asked: Order([0, 0, 5]), last: Order([0, 0, 6]) };
    assert_eq!(marks.admit(&other("020106", "020105")), Err(falls));
    assert_eq!(marks.admit(&other("020106", "020107")), Ok(Allowed::Rises));
}

#[test]
fn lists_that_are_in_parts_or_without_a_number_are_refused() {
    let number = extension(&[0x55, 0x1d, 20], None, &der(2, &[1]));
    let time = |text: &str| der(0x17, text.as_bytes());
    let entry = sequence_of(&[der(2, &[1]), time("260101000000Z")]);
    let make = |version: u8, to: &str, revoked: Option<&[Vec<u8>]>, extensions: &[Vec<u8>]| {
        let bytes = sequence_of(&[
            der(2, &[version]),
            small().algorithm,
            name("a"),
            time("260101000000Z"),
            time(to),
            revoked.map(sequence_of).unwrap_or_default(),
            der(0xa0, &sequence_of(extensions)),
        ]);
        X509Crl::from_tbs_bytes(&bytes).map_err(|refused| refused.reason())
    };
    let late = "260201000000Z";
    let numbered = || [number.clone()];
    assert!(make(1, late, None, &numbered()).is_ok());
    assert!(make(1, late, Some(core::slice::from_ref(&entry)), &numbered()).is_ok());
    assert_eq!(make(0, late, None, &numbered()), Err("the list is not of version 2"));
    let early = make(1, "260101000000Z", None, &numbered());
    assert_eq!(early, Err("the list ends before it begins"));
    let empty = make(1, late, Some(&[]), &numbered());
    assert_eq!(empty, Err("the list of revoked certificates is empty"));
    let twice = make(1, late, Some(&[entry.clone(), entry]), &numbered());
    assert_eq!(twice, Err("a certificate is revoked twice"));
    assert_eq!(make(1, late, None, &[]), Err("the list of extensions is empty"));
    let key = extension(&[0x55, 0x1d, 35], None, &der(0x30, &[]));
    assert_eq!(make(1, late, None, &[key]), Err("the list has no number"));
    let twice = make(1, late, None, &[number.clone(), number.clone()]);
    assert_eq!(twice, Err("an extension stands twice"));
    for last in [27, 28] {
        let part = extension(&[0x55, 0x1d, last], Some(0xff), &der(2, &[1]));
        let refused = make(1, late, None, &[number.clone(), part]);
        assert_eq!(refused, Err("a critical extension is unknown"), "{last}");
    }
    for value in [vec![0xff], vec![1; 21]] {
        let number = extension(&[0x55, 0x1d, 20], None, &der(2, &value));
        let refused = make(1, late, None, &[number]);
        assert_eq!(refused, Err("the number of the list is out of range"));
    }
    let issuer = extension(&[0x55, 0x1d, 29], Some(0xff), &der(0x30, &[]));
    let other = sequence_of(&[der(2, &[1]), time("260101000000Z"), sequence_of(&[issuer])]);
    let refused = make(1, late, Some(&[other]), &numbered());
    assert_eq!(refused, Err("a critical extension is unknown"));
}
