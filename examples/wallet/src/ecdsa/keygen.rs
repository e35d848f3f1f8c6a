//! The parts of an ECDSA wallet: shares of a key, and the auxiliary information of every party.
//!
//! Each step stores in the wallet's folder what it needs to resume after it was interrupted.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, KeyShare, Keygen, KeygenParams, PublicKeyPackage,
};
use quorate_examples::table::{Table, time};
use quorate_examples::{Out, Result, failure};

use super::{EcdsaSuite, aux};
use crate::making::{Form, MADE, Making};
use crate::shares::SHARE;

const KEYGEN_ROUNDS: [&str; 4] = ["commitments", "openings, key shares", "proofs", "confirmations"];
pub(super) const AUX_ROUNDS: [&str; 4] = ["commitments", "big moduli", "proofs", "confirmations"];

/// Makes a key of which any `threshold` of the parties can sign, which needs no big numbers. Then every party searches for its
/// primes, and proves to every other that its numbers are well formed. They serve any number of keys of the same parties.
pub(super) fn generate<C: EcdsaSuite>(
    making: &Making,
    out: &mut Out,
) -> Result<PublicKeyPackage<C>> {
    let form = Form::<KeyShare<C>> {
        public: |key| key.public().to_bytes(),
        made: MADE,
        file: SHARE,
        secret: |key| key.to_bytes(),
    };
    let params = |_| Ok(KeygenParams::new(making.new.threshold));
    let keys = making.run::<Keygen<C>>(making.plan.keygen, params, &form)?;
    keys.traffic.print(&KEYGEN_ROUNDS, "checks, key kept", out);

    let level = making.new.level.unwrap_or_default();
    let bits = level.modulus_bits();
    writeln!(out, "\nEach searches for its primes, for two moduli of {bits} bits.");
    let mut secrets = BTreeMap::new();
    let mut table = Table::new(&["party", "primes", "time"]);
    let mut progress = out.progress();
    for party in making.parties.iter() {
        let (found, elapsed) = aux::search_primes(&making.home, level, party, &mut progress)?;
        secrets.insert(party, Arc::new(found));
        table.row(vec![party.to_string(), "2, and 2 safe ones".to_owned(), time(elapsed)]);
    }
    drop(progress);
    table.print(out);

    writeln!(out, "\nAnd proves to the others that the moduli are what they must be.");
    let form =
        Form { public: |_| Vec::new(), made: MADE, file: aux::AUX, secret: AuxInfo::to_bytes };
    let params = |me| {
        let own = secrets.get(&me).ok_or_else(|| failure!("a party has no primes"))?;
        Ok(AuxInfoParams::new(Arc::clone(own)))
    };
    let aux = making.run::<AuxInfoGen>(making.plan.aux_info, params, &form)?;
    aux.traffic.print(&AUX_ROUNDS, "checks, moduli kept", out);
    Ok(keys.first()?.public().clone())
}
