//! Times of requests: `20261202T160000Z`.

/// Reads a time as seconds since 1970, if it is between 1970 and 9999.
pub(crate) fn read(text: &str) -> Option<u64> {
    let bytes: &[u8; 16] = text.as_bytes().try_into().ok()?;
    if bytes.get(8) != Some(&b'T') || bytes.get(15) != Some(&b'Z') {
        return None;
    }
    let number = |from: usize, to: usize| {
        let digits = text.get(from..to)?;
        if digits.bytes().all(|digit| digit.is_ascii_digit()) { digits.parse().ok() } else { None }
    };
    let (year, month, day): (u64, u64, u64) = (number(0, 4)?, number(4, 6)?, number(6, 8)?);
    let (hour, minute, second): (u64, u64, u64) =
        (number(9, 11)?, number(11, 13)?, number(13, 15)?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let days = days(year, month, day)?;
    Some(days * 86_400 + hour * 3_600 + minute * 60 + second)
}

/// The days from 1 January 1970 to a date.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    const BEFORE: [u64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    const LENGTH: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let index = usize::try_from(month).ok()?.checked_sub(1)?;
    let last = LENGTH.get(index)? + u64::from(is_leap && month == 2);
    if year < 1970 || !(1..=last).contains(&day) {
        return None;
    }
    let leap_day = u64::from(is_leap && month > 2);
    Some(
        (year - 1970) * 365 + leap_days(year) - leap_days(1970)
            + BEFORE.get(index)?
            + leap_day
            + day
            - 1,
    )
}

/// The leap days in the years before this one.
#[allow(clippy::integer_division_remainder_used, reason = "nothing is secret")]
fn leap_days(year: u64) -> u64 {
    let before = year - 1;
    before / 4 - before / 100 + before / 400
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn times_are_those_of_date() {
        // By `date -u -d … +%s`.
        let times = [
            ("19700101T000000Z", 0),
            ("20000229T235959Z", 951_868_799),
            ("20150830T123600Z", 1_440_938_160),
            ("20261202T160000Z", 1_796_227_200),
            ("21000301T000000Z", 4_107_542_400),
        ];
        for (text, seconds) in times {
            assert_eq!(read(text), Some(seconds), "{text}");
        }
    }

    #[test]
    fn dates_that_are_none_are_refused() {
        for text in [
            "",
            "20261202",
            "20261202T160000",
            "20261202T160000z",
            "20261302T160000Z",
            "20260001T160000Z",
            "20270229T160000Z",
            "21000229T000000Z",
            "20261200T160000Z",
            "20261202T240000Z",
            "20261202T166000Z",
            "2026-12-02T16:00Z",
            "+0261202T160000Z",
            "19691231T235959Z",
            "20261202T1600 0Z",
            "２０261202T16000Z",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
