//! A runner on a store that was restored to an older copy.

use quorate_runner::{Runner, Time};

use crate::error::Error;
use crate::rolled_back::RolledBack;
use crate::store::{Engine, SqlStore};

/// Makes a runner usable whose store was opened with `allow_rolled_back`, if a database was restored: ends all runs that were
/// open, has the application drop its presignatures and nonces, and [accepts](SqlStore::accept_rolled_back) the databases as
/// they are. Returns the finding. Does nothing if no database was restored.
///
/// Call it between [`open`](quorate_runner::RunnerBuilder::open), with the [continuity](SqlStore::continuity) of the store, and
/// the first packet. `drop_stock` returns when the disk has the stock without its presignatures. After a crash in between, the
/// next opening finds the same again.
///
/// # Errors
/// The errors of the runner, the store and `drop_stock`.
pub fn settle_rolled_back<E: Engine, A, F>(
    runner: &mut Runner<SqlStore<E>, A>,
    now: Time,
    drop_stock: impl FnOnce(&mut A) -> Result<(), F>,
) -> Result<Option<RolledBack>, F>
where
    F: From<quorate_runner::Error<Error>> + From<Error>,
{
    let Some(found) = runner.store().rolled_back().copied() else { return Ok(None) };
    runner.work(now)?;
    drop_stock(runner.app())?;
    runner.store().accept_rolled_back()?;
    Ok(Some(found))
}
