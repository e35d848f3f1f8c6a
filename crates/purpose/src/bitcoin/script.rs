//! The forms of an output's script that policies name.

/// The name of the form.
pub(super) const fn name(script: &[u8]) -> &'static str {
    match script {
        [0, 20, program @ ..] if program.len() == 20 => "p2wpkh",
        [0, 32, program @ ..] if program.len() == 32 => "p2wsh",
        [0x51, 32, program @ ..] if program.len() == 32 => "p2tr",
        [0x51, 2, 0x4e, 0x73] => "p2a",
        [0x76, 0xa9, 20, hash @ .., 0x88, 0xac] if hash.len() == 20 => "p2pkh",
        [0xa9, 20, hash @ .., 0x87] if hash.len() == 20 => "p2sh",
        [0x6a, ..] => "op_return",
        _ => "other",
    }
}

/// The output key of Taproot (BIP-341).
pub(super) fn output_key(script: &[u8]) -> Option<&[u8; 32]> {
    script.strip_prefix(&[0x51, 32])?.try_into().ok()
}

/// The hash of a key, which a witness of version 0 shows (BIP-141).
pub(super) fn key_hash(script: &[u8]) -> Option<&[u8; 20]> {
    script.strip_prefix(&[0, 20])?.try_into().ok()
}

/// The hash of a script, which a witness of version 0 shows (BIP-141).
pub(super) fn script_hash(script: &[u8]) -> Option<&[u8; 32]> {
    script.strip_prefix(&[0, 32])?.try_into().ok()
}
