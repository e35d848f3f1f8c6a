//! Party 3 has lost its share. Parties 1 and 2 give it back, over four rounds, and learn nothing.
//!
//! ```sh
//! cargo run -p quorate-frost-ed448 --example repair
//! ```

#![allow(clippy::expect_used, reason = "an example: each helper holds a share")]

use core::error::Error;
use std::collections::BTreeMap;

use getrandom::{SysRng, rand_core::Rng, rand_core::UnwrapErr};
use quorate_frost::session::sim::Network;
use quorate_frost::session::{Parties, SessionId};
use quorate_frost_ed448::{Dealing, Repair, RepairParams, RepairPlan, Repaired};

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let parties = Parties::numbered(3)?;
    let dealing = Dealing::new(2, &parties, &mut rng)?;
    let public = dealing.public;
    let mut shares = BTreeMap::new();
    for share in dealing.shares {
        shares.insert(share.id(), share.accept(2, &public)?);
    }
    let (target, lost) = shares.pop_last().ok_or("no shares")?;

    let helpers = Parties::new(shares.keys().copied())?;
    let plan = RepairPlan::new(public.shared(), helpers, target)?;

    // `Network` stands for three machines with a transport that authenticates.
    let mut sid = [0; 32]; // in life, all parties agree on it beforehand
    rng.fill_bytes(&mut sid);
    let network = Network::new(rng.next_u64());
    let ended =
        network.run::<Repair>(SessionId::new(sid), &parties, |party| match shares.get(&party) {
            Some(share) => RepairParams::helper(&plan, share.secret_share()).expect("a helper"),
            None => RepairParams::target(&plan),
        })?;
    for (party, result) in ended.results {
        match result? {
            Repaired::Helped => println!("party {party} has helped"),
            Repaired::Share(share) => {
                assert_eq!(*share.to_bytes(), *lost.to_bytes());
                println!("party {party} has its share again");
            }
        }
    }
    Ok(())
}
