//! Parties that cheat with ML-DSA.

use quorate::mldsa::{Dkg, DkgParams, Sign};
use quorate::session::frame::Header;
use quorate::{Parties, PartyId};
use quorate_examples::{Out, Result};

use super::{MlDsa, attempts, signing};
use crate::demo::{self, THRESHOLD, caught, parties, party};
use crate::family::Scheme;
use crate::home::Home;
use crate::rounds::{self, Message, fresh_sid};

/// Has parties 1 and 2 sign; party 2 opens another commitment than it has made.
pub(super) fn cheat_in_signing<const NUMBER: u8>(
    home: &Home,
    message: &[u8],
    out: &mut Out,
) -> Result {
    let (cheater, signers) = (party(2)?, parties(&[1, 2])?);
    let shares = signing::open_signers::<NUMBER>(home, &signers)?;
    let mu = MlDsa::<NUMBER>::package(home.dir())?.verifying_key().represent(message, b"")?;
    let (sid, signers) = (fresh_sid(), Parties::new(signers)?);
    let (_, params) = attempts::record(home, &shares, (sid, &signers), mu)?;
    let what = "shows other commitments than it has promised";
    writeln!(out, "\nParties 1 and 2 sign, and party {cheater} {what}:");
    let network = |frame: &mut Message| spoil(frame, cheater, 2);
    let run = rounds::run_as::<Sign>(sid, &signers, params, network, |_, _| Ok(()));
    writeln!(out, "  {}\n  nobody has a signature", caught(run, cheater)?);
    Ok(())
}

/// Begins a new key, in which party 1 shows other public shares than those it has committed to.
pub(super) fn cheat_in_keygen<const NUMBER: u8>(out: &mut Out) -> Result {
    let cheater = party(1)?;
    let cheats = (cheater, "shows other public shares than it has promised");
    let params = DkgParams::new(MlDsa::<NUMBER>::LEVEL, THRESHOLD);
    demo::cheat_in_keygen::<Dkg>(params, cheats, |frame| spoil(frame, cheater, 4), out)
}

/// Flips a bit of the last coefficient in a party's message of a round.
fn spoil(frame: &mut Message, cheater: PartyId, round: u8) {
    let found = Header::parse(&frame.bytes).map(|header| header.round.get());
    let byte = frame.bytes.iter_mut().nth_back(1);
    if let Some(byte) = byte.filter(|_| frame.from == cheater && found == Some(round)) {
        *byte ^= 1;
    }
}
