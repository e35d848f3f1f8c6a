//! Nothing is open past its deadline: runs of the nodes, and jobs of the gateway.

use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::claims::short;
use super::{Bounds, Check, Places, open};
use crate::sql::{Db, Sql};

pub(super) const NAME: &str = "no run and no job is open past its deadline";

pub(super) fn check(places: &Places, bounds: &Bounds) -> Result<Check, Failure> {
    let mut check = Check::new(NAME);
    for place in &places.nodes {
        let mut db = open(&place.database)?;
        let all = "SELECT count(*) FROM runs";
        let sql = "SELECT context, deadline FROM runs WHERE ended = 0";
        look(&mut check, (&mut db, &format!("node {}: run", place.node)), (all, sql), bounds)?;
    }
    let mut db = open(&places.gateway)?;
    let all = "SELECT count(*) FROM orders";
    let sql = "SELECT sid, deadline FROM orders WHERE state = 0";
    look(&mut check, (&mut db, "gateway: job"), (all, sql), bounds)?;
    Ok(check)
}

fn look(
    check: &mut Check,
    (db, what): (&mut Db, &str),
    (all, sql): (&'static str, &'static str),
    bounds: &Bounds,
) -> Result<(), Failure> {
    check.looked = check.looked.saturating_add(db.one(all, &[])?.number(0)?);
    for mut row in db.query(sql, &[])? {
        let deadline: Time = row.number(1)?;
        if deadline.saturating_add(bounds.slack) < bounds.now {
            let late = bounds.now.saturating_sub(deadline);
            check.found(format!(
                "{what} {} is open {late} ms after its deadline",
                short(&row.bytes(0)?)
            ));
        }
    }
    Ok(())
}
