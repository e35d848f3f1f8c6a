//! PEM, the textual encoding of RFC 7468: base64 (RFC 4648, section 4) between two lines. Public keys have it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Groups of four characters on a line.
const LINE: usize = 16;

/// The text of these bytes: lines of 64 characters, each ended by a line feed.
#[must_use]
pub fn encode(label: &str, bytes: &[u8]) -> String {
    let mut text = format!("-----BEGIN {label}-----\n");
    for line in bytes.chunks(3 * LINE) {
        text.extend(line.chunks(3).flat_map(group));
        text.push('\n');
    }
    text.push_str(&format!("-----END {label}-----\n"));
    text
}

/// One to three bytes as four characters.
fn group(bytes: &[u8]) -> [char; 4] {
    let byte = |at| u32::from(bytes.get(at).copied().unwrap_or_default());
    let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    [(18, 0), (12, 0), (6, 1), (0, 2)].map(|(shift, needs)| {
        let digit = ALPHABET.get((bits >> shift & 63) as usize);
        digit.filter(|_| bytes.len() > needs).map_or('=', |digit| char::from(*digit))
    })
}

/// The bytes of a text that [`encode`] gives; lines may have any length, and end in any way.
///
/// # Errors
/// A sentence that says what was expected.
pub fn decode(label: &str, text: &str) -> Result<Vec<u8>, &'static str> {
    let body = text
        .trim_ascii()
        .strip_prefix(format!("-----BEGIN {label}-----").as_str())
        .ok_or("expected BEGIN and the label")?
        .strip_suffix(format!("-----END {label}-----").as_str())
        .ok_or("expected END and the label")?;
    let characters: Vec<u8> = body.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let (groups, rest) = characters.as_chunks::<4>();
    let base64 = "expected base64";
    let Some((last, groups)) = groups.split_last().filter(|_| rest.is_empty()) else {
        return Err(base64);
    };
    let mut bytes = Vec::with_capacity(characters.len());
    for group in groups {
        bytes.extend(three(group).ok_or(base64)?);
    }
    let end = match last {
        [_, _, b'=', b'='] => 1,
        [_, _, _, b'='] => 2,
        _ => 3,
    };
    let filled = last.map(|character| if character == b'=' { b'A' } else { character });
    let three = three(&filled).ok_or(base64)?;
    bytes.extend(three.iter().take(end));
    // One text for each string of bytes: as many `=` as were counted, and no bits beside the bytes.
    let again = three.get(..end).map(group).unwrap_or_default();
    if again.iter().zip(last).all(|(ours, theirs)| *ours == char::from(*theirs)) {
        Ok(bytes)
    } else {
        Err(base64)
    }
}

fn three(group: &[u8; 4]) -> Option<[u8; 3]> {
    let mut bits = 0;
    for character in group {
        let digit = ALPHABET.iter().position(|digit| digit == character)?;
        bits = bits << 6 | u32::try_from(digit).ok()?;
    }
    let [_, bytes @ ..] = bits.to_be_bytes();
    Some(bytes)
}
