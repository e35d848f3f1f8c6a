//! Bytes and numbers as texts: the `DATA` and `QUANTITY` of Ethereum's JSON-RPC.

use quorate_purpose::{Hash, Integer};

use crate::error::Error;

/// Writes bytes, with `0x`.
pub(crate) fn encode(bytes: &[u8]) -> String {
    use core::fmt::Write as _;
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("0x");
    for byte in bytes {
        // A string never fails to be written to.
        write!(text, "{byte:02x}").ok();
    }
    text
}

/// Reads bytes: `0x` and two digits for each. The name is that of the field, for the error.
pub(crate) fn data(name: &str, text: &str) -> Result<Vec<u8>, Error> {
    let digits = text.strip_prefix("0x").filter(|digits| digits.len() & 1 == 0);
    let digits = digits.ok_or_else(|| wrong(name, "0x and an even number of digits", text))?;
    decode(digits).ok_or_else(|| wrong(name, "hexadecimal digits", text))
}

/// Reads bytes of one length.
pub(crate) fn fixed<const N: usize>(name: &str, text: &str) -> Result<[u8; N], Error> {
    data(name, text)?.try_into().map_err(|_| wrong(name, &format!("{N} bytes"), text))
}

/// Reads an address. If it has digits of both cases, they are its checksum (EIP-55).
pub(crate) fn address(name: &str, text: &str) -> Result<[u8; 20], Error> {
    let address = fixed(name, text)?;
    let is_of_one_case = |digits: &str| {
        let has = |of: fn(&u8) -> bool| digits.as_bytes().iter().any(of);
        !(has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase))
    };
    let digits = text.get(2..).unwrap_or_default();
    if is_of_one_case(digits) || digits == checksummed(&address) {
        Ok(address)
    } else {
        Err(wrong(name, "an address whose checksum is right", text))
    }
}

/// The digits of an address, with a checksum in their case (EIP-55): a letter is large where the hash has a digit from 8.
fn checksummed(address: &[u8]) -> String {
    let lower = encode(address);
    let digits = lower.get(2..).unwrap_or_default();
    let hash = encode(&Hash::Keccak256.digest(digits.as_bytes()));
    let cased = |(digit, mark): (char, char)| {
        if mark >= '8' { digit.to_ascii_uppercase() } else { digit }
    };
    digits.chars().zip(hash.chars().skip(2)).map(cased).collect()
}

/// Reads a number: `0x` and the fewest digits. A number of JSON and a decimal text are refused, as nobody could tell 10 from 16.
pub(crate) fn quantity(name: &str, text: &str) -> Result<Integer, Error> {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return Err(wrong(name, "a number with 0x and without leading zeros", text));
    }
    integer(name, text)
}

/// Reads a number of at most 256 bits that may begin with zeros: those of signatures often have all their bytes.
pub(crate) fn integer(name: &str, text: &str) -> Result<Integer, Error> {
    let digits = text.strip_prefix("0x").filter(|digits| (1..=64).contains(&digits.len()));
    let digits = digits.ok_or_else(|| wrong(name, "0x and 1 to 64 digits", text))?;
    let even = if digits.len() & 1 == 0 { digits.to_owned() } else { format!("0{digits}") };
    let bytes = decode(&even).and_then(|bytes| Integer::from_be_bytes(&bytes));
    bytes.ok_or_else(|| wrong(name, "hexadecimal digits", text))
}

/// Reads a number of at most 128 bits.
pub(crate) fn wide(name: &str, text: &str) -> Result<u128, Error> {
    quantity(name, text)?.to_u128().ok_or_else(|| wrong(name, "at most 128 bits", text))
}

/// Reads a number of at most 64 bits.
pub(crate) fn number(name: &str, text: &str) -> Result<u64, Error> {
    u64::try_from(wide(name, text)?).map_err(|_| wrong(name, "at most 64 bits", text))
}

fn decode(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = digits.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some((digit(*high)? << 4) | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

fn wrong(name: &str, expected: &str, text: &str) -> Error {
    // What comes from a stranger is shown in part.
    let shown: String = text.chars().take(80).collect();
    Error::params(format!("{name}: expected {expected}, got {shown:?}"))
}
