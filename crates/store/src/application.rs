//! Transactions of the application in the databases of a store.

use crate::engine::transaction;
use crate::error::{Error, Result};
use crate::pair;
use crate::records::{Ledger, Records};
use crate::store::{Engine, SqlStore};

impl<E: Engine> SqlStore<E> {
    /// Reads rows of the application in the database of the runs. What the function writes is stored, each row by itself:
    /// use [`records`](Self::records).
    ///
    /// # Errors
    /// [`Error`] of the database or of the function.
    pub fn read_records<T>(
        &mut self,
        read: impl FnOnce(&mut Records<'_>) -> Result<T>,
    ) -> Result<T> {
        read(&mut Records(&mut self.runs))
    }

    /// Reads rows of the application in the database of what was spent.
    ///
    /// # Errors
    /// [`Error`] of the database or of the function.
    pub fn read_ledger<T>(
        &mut self,
        read: impl FnOnce(&mut Records<'_>) -> Result<T>,
    ) -> Result<T> {
        let db = self.spent.as_mut().unwrap_or(&mut self.runs);
        read(&mut Records(db))
    }

    /// Reads and writes rows of the application in the database of the runs, in one transaction.
    ///
    /// The function is called again where the transaction meets another one. If it returns an error, nothing is stored.
    ///
    /// # Errors
    /// [`Error`] of the database or of the function.
    pub fn records<T>(&mut self, mut act: impl FnMut(&mut Records<'_>) -> Result<T>) -> Result<T> {
        self.step(|_| false, |tx| act(&mut Records(tx)))
    }

    /// Records claims, and reads and writes rows of the application beside them, in one transaction of the database of what
    /// was spent. The transaction is a step, which the [head](Self::head) shows.
    ///
    /// The function is called again where the transaction meets another one. If it returns an error, nothing is stored, not
    /// even its claims.
    ///
    /// So a share of a signature is stored together with its claim, and with all that has to be known before it leaves:
    /// make it with a receipt of [`SpentInMemory`](quorate_session::SpentInMemory), and let it out when this has returned.
    ///
    /// # Errors
    /// [`Error`] of the databases or of the function.
    pub fn spend<T>(&mut self, act: impl FnMut(&mut Ledger<'_>) -> Result<T>) -> Result<T> {
        self.spend_then(act, |_, _| Ok(()))
    }

    /// As [`spend`](Self::spend), and then writes rows beside the runs: in the transaction that tells their database of the step,
    /// which costs nothing more. `then` removes what was spent, for example.
    ///
    /// # Errors
    /// [`Error`] of the databases or of the functions. If the error is of `then`, the claims may be stored.
    pub fn spend_then<T>(
        &mut self,
        mut act: impl FnMut(&mut Ledger<'_>) -> Result<T>,
        mut then: impl FnMut(&mut Records<'_>, &T) -> Result<()>,
    ) -> Result<T> {
        let known = self.steps.spent;
        let Some(spent) = &mut self.spent else { return self.spend_in_one(act, then) };
        let (value, head) = transaction(spent, |tx| {
            let value = act(&mut Ledger(Records(tx)))?;
            Ok((value, pair::leave(tx, true, known)?))
        })?;
        self.tell_runs(&head, |tx| then(&mut Records(tx), &value))?;
        Ok(value)
    }

    /// The same where what was spent is in the database of the runs.
    fn spend_in_one<T>(
        &mut self,
        mut act: impl FnMut(&mut Ledger<'_>) -> Result<T>,
        mut then: impl FnMut(&mut Records<'_>, &T) -> Result<()>,
    ) -> Result<T> {
        let known = self.steps.runs;
        let (value, head) = transaction(&mut self.runs, |tx| {
            if pair::is_apart(tx)? {
                return Err(Error::SpentIsApart);
            }
            let value = act(&mut Ledger(Records(tx)))?;
            then(&mut Records(tx), &value)?;
            Ok((value, pair::leave(tx, false, known)?))
        })?;
        self.tell_spent(Some(head))?;
        Ok(value)
    }
}
