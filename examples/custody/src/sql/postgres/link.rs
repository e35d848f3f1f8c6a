//! One connection.

use std::collections::HashMap;

use futures_util::future::{join, try_join_all};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, SimpleQueryMessage, Statement};

use super::super::row::Cell;
use super::super::{Row, Set, Value, text};

pub(super) type Outcome<T> = Result<T, Error>;

/// Statements that are under way at a time.
const MANY: usize = 256;

#[derive(Debug)]
pub(super) struct Link {
    client: Client,
    statements: HashMap<&'static str, Statement>,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Idle,
    /// A transaction begins with the next statement.
    Begins,
    Within,
}

impl Link {
    pub(super) fn new(client: Client) -> Self {
        Self { client, statements: HashMap::new(), stage: Stage::Idle }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    pub(super) fn is_within(&self) -> bool {
        self.stage == Stage::Within
    }

    pub(super) fn begins(&self) -> bool {
        self.stage == Stage::Begins
    }

    pub(super) const fn begin(&mut self) {
        self.stage = Stage::Begins;
    }

    /// Runs a script.
    pub(super) async fn batch(&self, text: &str) -> Outcome<()> {
        self.client.batch_execute(text).await
    }

    /// Whether a statement without values gives a row that begins with `true`.
    pub(super) async fn holds(&self, text: &str) -> Outcome<bool> {
        let messages = self.client.simple_query(text).await?;
        let row = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        Ok(row == Some("t"))
    }

    pub(super) async fn commit(&mut self) -> Outcome<()> {
        match core::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Within => self.batch("COMMIT").await,
            Stage::Begins | Stage::Idle => Ok(()),
        }
    }

    pub(super) async fn roll_back(&mut self) -> Outcome<()> {
        match core::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Within => self.batch("ROLLBACK").await,
            Stage::Begins | Stage::Idle => Ok(()),
        }
    }

    /// A statement, which is prepared now if it was not.
    pub(super) async fn plain(&mut self, sql: &'static str) -> Outcome<Statement> {
        self.prepared(sql, || text::postgres(sql)).await
    }

    pub(super) async fn set(&mut self, set: &'static Set) -> Outcome<Statement> {
        self.prepared(set.sql, || set.for_postgres()).await
    }

    async fn prepared(
        &mut self,
        key: &'static str,
        text: impl FnOnce() -> String,
    ) -> Outcome<Statement> {
        if let Some(statement) = self.statements.get(key) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(&text()).await?;
        self.statements.insert(key, statement.clone());
        Ok(statement)
    }

    /// Does something, along with the beginning of the transaction if there is to be one.
    async fn send<T>(&mut self, act: impl AsyncFnOnce(&Client) -> Outcome<T>) -> Outcome<T> {
        if self.stage != Stage::Begins {
            return act(&self.client).await;
        }
        self.stage = Stage::Within;
        // In this order: each is sent when it is first looked at.
        let (begun, done) = join(self.client.batch_execute("BEGIN"), act(&self.client)).await;
        begun?;
        done
    }

    pub(super) async fn execute(
        &mut self,
        statement: &Statement,
        values: &[impl ToSql + Sync],
    ) -> Outcome<u64> {
        self.send(async |client| client.execute(statement, &params(values)).await).await
    }

    pub(super) async fn query(
        &mut self,
        statement: &Statement,
        values: &[impl ToSql + Sync],
    ) -> Outcome<Vec<Row>> {
        let rows = self.send(async |client| client.query(statement, &params(values)).await).await?;
        rows.iter().map(row).collect()
    }

    pub(super) async fn execute_many(
        &mut self,
        statement: &Statement,
        rows: &[Vec<Value<'_>>],
    ) -> Outcome<u64> {
        let mut changed = 0_u64;
        for rows in rows.chunks(MANY) {
            let counts = self.send(async |client| {
                let one = async |values: &Vec<Value<'_>>| {
                    client.execute(statement, &params(values)).await
                };
                try_join_all(rows.iter().map(one)).await
            });
            changed = counts.await?.into_iter().fold(changed, u64::saturating_add);
        }
        Ok(changed)
    }
}

fn params(values: &[impl ToSql + Sync]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

fn row(row: &tokio_postgres::Row) -> Outcome<Row> {
    (0..row.len()).map(|at| row.try_get::<_, Cell>(at)).collect::<Outcome<Vec<Cell>>>().map(Row)
}
