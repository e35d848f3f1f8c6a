//! The fields of a key share in JSON.

use alloc::vec::Vec;

use super::super::MigrateError;
use super::super::encoded::Encoded;
use super::super::json::{Json, need, set};

/// The side of a key that the file has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Public,
    Share,
}

/// The fields of a key share, or of the public side of a key, as far as they can be read without arithmetic.
#[derive(Default)]
pub(super) struct Fields<'a> {
    curve: Option<()>,
    pub(super) i: Option<u16>,
    pub(super) shared_public_key: Option<Encoded<'a>>,
    /// By index.
    pub(super) public_shares: Option<Vec<Encoded<'a>>>,
    pub(super) vss_setup: Option<Option<Setup<'a>>>,
    pub(super) chain_code: Option<Option<Encoded<'a>>>,
    pub(super) x: Option<Encoded<'a>>,
}

/// `vss_setup`: the polynomial's number of coefficients, and the place of each share.
pub(super) struct Setup<'a> {
    pub(super) min_signers: u16,
    pub(super) places: Vec<Encoded<'a>>,
}

impl<'a> Fields<'a> {
    /// Reads a file: either the fields or, for a share, an object that has them as `core` beside `aux`.
    pub(super) fn open(
        stored: &'a [u8],
        side: Side,
        curve: &'static str,
    ) -> Result<Self, MigrateError> {
        let (mut fields, mut core, mut aux, mut bare) = (Self::default(), None, None, false);
        let mut json = Json::new(stored);
        json.object(|json, name| match (name, side) {
            (b"core", Side::Share) => set(&mut core, "core", Self::read(json, side, curve)?),
            (b"aux", Side::Share) => set(&mut aux, "aux", json.skip()?),
            _ => {
                bare = true;
                fields.member(json, name, side, curve)
            }
        })?;
        json.end()?;
        let fields = match (core, aux, bare) {
            (Some(core), Some(()), false) => core,
            (None, None, true) => fields,
            (Some(_), None, false) => return Err(MigrateError::MissingField("aux")),
            (None, ..) => return Err(MigrateError::MissingField("core")),
            (Some(_), ..) => return Err(MigrateError::RepeatedField("core")),
        };
        need(fields.curve, "curve")?;
        Ok(fields)
    }

    fn read(json: &mut Json<'a>, side: Side, curve: &'static str) -> Result<Self, MigrateError> {
        let mut fields = Self::default();
        json.object(|json, name| fields.member(json, name, side, curve))?;
        Ok(fields)
    }

    fn member(
        &mut self,
        json: &mut Json<'a>,
        name: &[u8],
        side: Side,
        curve: &'static str,
    ) -> Result<(), MigrateError> {
        match (name, side) {
            (b"curve", _) => set(&mut self.curve, "curve", named(json, curve)?),
            (b"i", Side::Share) => set(&mut self.i, "i", json.number("i")?),
            (b"shared_public_key", _) => {
                set(&mut self.shared_public_key, "shared_public_key", hex(json)?)
            }
            (b"public_shares", _) => {
                set(&mut self.public_shares, "public_shares", list(json, hex)?)
            }
            (b"vss_setup", _) => {
                let value = if json.null()? { None } else { Some(setup(json, curve)?) };
                set(&mut self.vss_setup, "vss_setup", value)
            }
            (b"chain_code", _) => {
                let value = if json.null()? { None } else { Some(hex(json)?) };
                set(&mut self.chain_code, "chain_code", value)
            }
            (b"x", Side::Share) => set(&mut self.x, "x", hex(json)?),
            _ => Err(json.unknown_field()),
        }
    }
}

fn setup<'a>(json: &mut Json<'a>, curve: &'static str) -> Result<Setup<'a>, MigrateError> {
    let (mut min_signers, mut places) = (None, None);
    json.object(|json, name| match name {
        b"min_signers" => set(&mut min_signers, "min_signers", json.number("min_signers")?),
        b"I" => set(&mut places, "I", list(json, |json| scalar(json, curve))?),
        _ => Err(json.unknown_field()),
    })?;
    Ok(Setup { min_signers: need(min_signers, "min_signers")?, places: need(places, "I")? })
}

/// Reads a scalar: digits, or an object that also names the curve, as older releases wrote it.
fn scalar<'a>(json: &mut Json<'a>, curve: &'static str) -> Result<Encoded<'a>, MigrateError> {
    if !json.at_object()? {
        return hex(json);
    }
    let (mut name_of_curve, mut digits) = (None, None);
    json.object(|json, name| match name {
        b"curve" => set(&mut name_of_curve, "curve", named(json, curve)?),
        b"scalar" => set(&mut digits, "scalar", hex(json)?),
        _ => Err(json.unknown_field()),
    })?;
    need(name_of_curve, "curve")?;
    need(digits, "scalar")
}

/// Reads the name of the curve.
fn named(json: &mut Json<'_>, expected: &'static str) -> Result<(), MigrateError> {
    if json.string()? == expected.as_bytes() {
        Ok(())
    } else {
        Err(MigrateError::WrongSuite { expected })
    }
}

fn list<'a, T>(
    json: &mut Json<'a>,
    element: impl Fn(&mut Json<'a>) -> Result<T, MigrateError>,
) -> Result<Vec<T>, MigrateError> {
    let mut list = Vec::new();
    json.array(|json| {
        list.push(element(json)?);
        Ok(())
    })?;
    Ok(list)
}

fn hex<'a>(json: &mut Json<'a>) -> Result<Encoded<'a>, MigrateError> {
    json.string().map(Encoded::Hex)
}
