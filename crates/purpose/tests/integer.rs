//! Integers of 256 bits and a sign.
#![allow(clippy::unwrap_used, reason = "tests")]

use quorate_purpose::{Integer, ParseIntegerError};

#[test]
fn decimal_texts_come_back() {
    let largest = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    for text in ["0", "1", "-1", "10", "1000000000000000000", "-128", largest] {
        assert_eq!(text.parse::<Integer>().unwrap().to_string(), text);
    }
    assert_eq!(largest.parse(), Ok(Integer::from_be_bytes(&[0xff; 32]).unwrap()));
    let too_large =
        "115792089237316195423570985008687907853269984665640564039457584007913129639936";
    for text in ["", "-", "-0", "00", "01", "+1", "1e3", " 1", "0x1", too_large, &"9".repeat(79)] {
        assert_eq!(text.parse::<Integer>(), Err(ParseIntegerError), "{text}");
    }
}

#[test]
fn integers_compare_by_value() {
    let mut values: Vec<Integer> =
        ["5", "-7", "0", "-1", "256", "-256"].map(|text| text.parse().unwrap()).into();
    values.sort();
    let texts: Vec<String> = values.iter().map(Integer::to_string).collect();
    assert_eq!(texts, ["-256", "-7", "-1", "0", "5", "256"]);
}

#[test]
fn conversions_give_nothing_that_does_not_fit() {
    assert_eq!(Integer::from(u128::MAX).to_u128(), Some(u128::MAX));
    assert_eq!(Integer::from(i64::MIN).to_i64(), Some(i64::MIN));
    assert_eq!(Integer::from(i64::MIN).to_u128(), None);
    assert_eq!(Integer::from(u64::MAX).to_i64(), None);
    assert_eq!(Integer::from_be_bytes(&[1; 17]).unwrap().to_u128(), None);
    assert_eq!(Integer::from_be_bytes(&[1; 33]), None);
    assert_eq!(Integer::from_be_bytes(&[]), Some(Integer::ZERO));
    let minus_one = Integer::from_twos_complement([0xff; 32]);
    assert_eq!(minus_one, Integer::from(-1_i64));
    assert_eq!(minus_one.to_twos_complement(), [0xff; 32]);
    assert!(minus_one.is_negative() && minus_one.bits() == 1);
    assert_eq!((Integer::ZERO.bits(), Integer::from(256_u64).bits()), (0, 9));
}
