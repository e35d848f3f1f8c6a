//! PostgreSQL, over a connection of its own.
//!
//! The client is asynchronous; a runtime on the caller's own thread drives it while a statement is under way. A transaction
//! begins along with its first statement, in one exchange; if the connection turns out to be lost by then, nothing has
//! happened, and it begins on another.

mod link;
pub(super) mod tls;
mod wire;

use core::time::Duration;
use std::time::Instant;

use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};
use tokio_postgres::Config;

use self::link::{Link, Outcome};
use self::tls::Way;
use super::{Error, Kind, Result, Row, Set, Settings, Value, text};

/// The pauses between attempts to connect: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(250));

#[derive(Debug)]
pub(super) struct Postgres {
    runtime: Runtime,
    config: Config,
    way: Way,
    settings: Settings,
    /// None if it was lost.
    link: Option<Link>,
}

impl Postgres {
    pub(super) fn open(url: &str, settings: Settings) -> Result<Self> {
        let (mut config, authority) = tls::parse(url)?;
        let way = Way::of(&mut config, authority.as_deref())?;
        let config = with_options(config, &settings);
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::other(error.to_string()))?;
        let mut made = Self { runtime, config, way, settings, link: None };
        made.connect()?;
        Ok(made)
    }

    /// Connects, if there is no connection, until it succeeds or patience is over.
    fn connect(&mut self) -> Result<()> {
        if self.link.as_ref().is_some_and(|link| !link.is_closed()) {
            return Ok(());
        }
        self.link = None;
        let (until, mut pause) = (Instant::now().checked_add(self.settings.patience), PAUSES.0);
        loop {
            match self.attempt() {
                Ok(link) => {
                    self.link = Some(link);
                    return Ok(());
                }
                Err(error) if error.kind() == Kind::Other => return Err(error),
                Err(error) if until.is_none_or(|until| Instant::now() >= until) => {
                    return Err(error);
                }
                Err(_) => self.runtime.block_on(async { sleep(pause).await }),
            }
            pause = pause.saturating_mul(2).min(PAUSES.1);
        }
    }

    fn attempt(&self) -> Result<Link> {
        let connect =
            async { timeout(self.settings.connect, self.way.connect(&self.config)).await };
        let connected = self.runtime.block_on(connect);
        Ok(Link::new(connected.map_err(|_| Error::lost("nobody answers"))??))
    }

    /// Does something on the connection, within the time for a statement.
    fn on_link<T>(&mut self, act: impl AsyncFn(&mut Link) -> Outcome<T>) -> Result<T> {
        let link = self.link.as_mut().ok_or_else(|| Error::lost("it was lost before"))?;
        // The server ends a statement before that; this is for a server that is gone without a word.
        let most = self.settings.statement.saturating_mul(2);
        let done = self.runtime.block_on(async { timeout(most, act(link)).await });
        let result = match done {
            Ok(result) => result.map_err(Error::from),
            Err(_) => Err(Error::lost("the server does not answer")),
        };
        if result.as_ref().is_err_and(|error| error.kind() == Kind::Lost) {
            self.link = None;
        }
        result
    }

    /// Runs a statement, alone or in the transaction.
    fn run<T>(&mut self, act: impl AsyncFn(&mut Link) -> Outcome<T>) -> Result<T> {
        let first = self.link.as_ref().is_some_and(Link::begins);
        if first {
            self.begin()?;
        } else if !self.link.as_ref().is_some_and(Link::is_within) {
            self.connect()?;
        }
        match self.on_link(&act) {
            // Nothing of the transaction has happened.
            Err(error) if first && error.kind() == Kind::Lost => {
                self.begin()?;
                self.on_link(&act)
            }
            result => result,
        }
    }

    pub(super) fn schema(&mut self, sql: &str) -> Result<()> {
        self.connect()?;
        // What is there is left alone: making it again, to no effect, waits for all who use it, and they may wait for us.
        let is_made = text::is_made(sql);
        if self.on_link(async |link| link.holds(&is_made).await)? {
            return Ok(());
        }
        // One at a time: two that make the same table disturb each other. All of it is one transaction.
        let text = format!("SELECT pg_advisory_xact_lock(0); {}", text::postgres(sql));
        self.on_link(async |link| link.batch(&text).await)
    }

    pub(super) fn begin(&mut self) -> Result<()> {
        self.connect()?;
        self.link.iter_mut().for_each(Link::begin);
        Ok(())
    }

    pub(super) fn commit(&mut self) -> Result<()> {
        self.on_link(async |link| link.commit().await)
    }

    pub(super) fn roll_back(&mut self) {
        if self.link.is_some() && self.on_link(async |link| link.roll_back().await).is_err() {
            self.link = None;
        }
    }

    pub(super) fn execute(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<u64> {
        self.run(async |link| {
            let statement = link.plain(sql).await?;
            link.execute(&statement, values).await
        })
    }

    pub(super) fn query(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        self.run(async |link| {
            let statement = link.plain(sql).await?;
            link.query(&statement, values).await
        })
    }

    pub(super) fn execute_many(
        &mut self,
        sql: &'static str,
        rows: &[Vec<Value<'_>>],
    ) -> Result<u64> {
        self.run(async |link| {
            let statement = link.plain(sql).await?;
            link.execute_many(&statement, rows).await
        })
    }

    pub(super) fn execute_set(
        &mut self,
        set: &'static Set,
        rows: &[Vec<Value<'_>>],
    ) -> Result<u64> {
        let columns = wire::columns(set, rows)?;
        self.run(async |link| {
            let statement = link.set(set).await?;
            link.execute(&statement, &columns).await
        })
    }

    pub(super) fn query_set(
        &mut self,
        set: &'static Set,
        rows: &[Vec<Value<'_>>],
    ) -> Result<Vec<Row>> {
        let columns = wire::columns(set, rows)?;
        self.run(async |link| {
            let statement = link.set(set).await?;
            link.query(&statement, &columns).await
        })
    }
}

/// What is committed is on the disk. Each statement is a look-up by a key, planned once for all values.
fn with_options(mut config: Config, settings: &Settings) -> Config {
    let (statement, lock) = (settings.statement.as_millis(), settings.lock.as_millis());
    let options = format!(
        "{} -c synchronous_commit=on -c default_transaction_isolation=read\\ committed \
         -c statement_timeout={statement} -c lock_timeout={lock} \
         -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off \
         -c enable_mergejoin=off -c jit=off",
        config.get_options().unwrap_or_default()
    );
    config.options(options).connect_timeout(settings.connect);
    config
}
