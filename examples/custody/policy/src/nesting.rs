//! A bound on the nesting of a text, before Cedar's parser descends into it.

/// How deep brackets are nested at most.
const DEPTH: u32 = 64;
/// The highest number of operators in one policy: each may be a level of its tree.
const OPERATORS: u32 = 400;

/// Refuses a text whose tree could be deeper than a stack of 2 MiB bears.
pub(crate) fn check(text: &str) -> Result<(), &'static str> {
    let (mut depth, mut operators, mut previous) = (0_u32, 0_u32, b' ');
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match (previous, byte) {
            (_, b'"') => skip_text(&mut bytes),
            (b'/', b'/') => while bytes.next().is_some_and(|byte| byte != b'\n') {},
            (_, b'(' | b'[' | b'{') => depth = depth.saturating_add(1),
            (_, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            (_, b';') => operators = 0,
            (b'i', b'f') => operators = operators.saturating_add(4),
            (_, byte) if byte.is_ascii_punctuation() && byte != b',' => {
                operators = operators.saturating_add(1);
            }
            _ => {}
        }
        if depth > DEPTH || operators > OPERATORS {
            return Err(
                "brackets are nested more than 64 deep, or a policy has more than 400 operators",
            );
        }
        previous = byte;
    }
    Ok(())
}

/// Skips the rest of a text in quotes.
fn skip_text(bytes: &mut core::str::Bytes<'_>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' => _ = bytes.next(),
            _ => {}
        }
    }
}
