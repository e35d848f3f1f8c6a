//! Times of requests: `20261202T160000Z`.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

const FORM: &str = "%Y%m%dT%H%M%SZ";

/// Reads a time as seconds since 1970.
pub(crate) fn read(text: &str) -> Option<u64> {
    let time = DateTime::strptime(FORM, text).ok()?;
    // Signs, spaces and missing digits can be read, and the text is signed as it is.
    if time.strftime(FORM).to_string() != text {
        return None;
    }
    u64::try_from(TimeZone::UTC.to_timestamp(time).ok()?.as_second()).ok()
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
