//! Points in time, as RFC 5280, 4.1.2.5 writes them.

use super::der;
use crate::error::Malformed;
use crate::time::Time;
use crate::wire::Reader;

const OTHER: Malformed = Malformed("a time is not in the form of RFC 5280");

/// `YYMMDDHHMMSSZ` up to 2049, `YYYYMMDDHHMMSSZ` from 2050.
pub(super) fn read(reader: &mut Reader<'_>) -> Result<Time, Malformed> {
    let (tag, content) = der::any(reader)?;
    let digits = content.strip_suffix(b"Z").ok_or(OTHER)?;
    let (pairs, []) = digits.as_chunks::<2>() else { return Err(OTHER) };
    let mut numbers = [0; 7];
    for (place, [tens, ones]) in pairs.iter().enumerate() {
        let digit = |byte: u8| byte.checked_sub(b'0').filter(|digit| *digit < 10);
        let number = digit(*tens).zip(digit(*ones)).ok_or(OTHER)?;
        let number = i64::from(number.0).saturating_mul(10).saturating_add(number.1.into());
        *numbers.get_mut(place).ok_or(OTHER)? = number;
    }
    let (year, [month, day, hour, minute, second]) = match (tag, pairs.len(), numbers) {
        (der::UTC_TIME, 6, [year, month, day, hour, minute, second, _]) => {
            let century = if year < 50 { 2000 } else { 1900 };
            (century + year, [month, day, hour, minute, second])
        }
        (der::GENERALIZED_TIME, 7, [century, year, rest @ ..]) => (century * 100 + year, rest),
        _ => return Err(OTHER),
    };
    if (tag == der::GENERALIZED_TIME && year < 2050) || hour > 23 || minute > 59 || second > 59 {
        return Err(OTHER);
    }
    let days = days(year, month, day).ok_or(OTHER)?;
    Ok(Time::from_seconds(((days * 24 + hour) * 60 + minute) * 60 + second))
}

/// Days from the beginning of 1970 to a day of the Gregorian calendar, in the years from 1950 to 9999.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = is_multiple(year, 4) && (!is_multiple(year, 100) || is_multiple(year, 400));
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let month = usize::try_from(month.checked_sub(1)?).ok()?;
    if day < 1 || day > *lengths.get(month)? {
        return None;
    }
    let past = year.checked_sub(1)?;
    let leaps = quotient(past, 4) - quotient(past, 100) + quotient(past, 400);
    let before: i64 = lengths.iter().take(month).sum();
    // 719,162 days lie between the beginnings of the years 1 and 1970.
    Some(past * 365 + leaps + before + day - 1 - 719_162)
}

/// Neither operand is secret.
const fn quotient(number: i64, by: i64) -> i64 {
    match number.checked_div_euclid(by) {
        Some(quotient) => quotient,
        None => 0,
    }
}

const fn is_multiple(number: i64, of: i64) -> bool {
    quotient(number, of) * of == number
}
