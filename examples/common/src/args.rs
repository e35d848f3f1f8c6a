//! Reading the command line.

use std::ffi::OsString;

use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use quorate::PartyId;
use quorate_paillier::Level;

use crate::failure::Failure;
use crate::out::Out;

/// Reads the arguments that follow the program's name; `None` if help was asked for and is printed.
///
/// # Errors
/// A [`Failure`] that names the argument, its value, and the values that it may have.
pub fn parse<C: Parser>(
    args: impl Iterator<Item = OsString>,
    out: &mut Out,
) -> Result<Option<C>, Failure> {
    let name = C::command().get_name().to_owned();
    match C::try_parse_from(core::iter::once(OsString::from(name)).chain(args)) {
        Ok(command) => Ok(Some(command)),
        Err(error) if error.use_stderr() => {
            let text = error.render().to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            Err(Failure::usage(text.trim_end()))
        }
        Err(help) => {
            write!(out, "{}", help.render());
            Ok(None)
        }
    }
}

/// The number of a party.
///
/// # Errors
/// A text for the user.
pub fn party(text: &str) -> Result<PartyId, &'static str> {
    let number = text.trim().parse().ok().and_then(PartyId::new);
    number.ok_or("the number of a party is between 1 and 65535")
}

/// The level of the big moduli of ECDSA: 112 or 128.
#[must_use]
pub fn level() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(["112", "128"]).map(|name| match &*name {
        "112" => Level::Bits112,
        _ => Level::Bits128,
    })
}
