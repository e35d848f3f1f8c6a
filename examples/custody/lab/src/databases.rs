//! Databases of PostgreSQL for all machines of a cluster.

use anyhow::{Context as _, Result};
use postgres::{Client, NoTls};

/// Two databases that exist as long as this value: one for the rows of all machines, each in a schema of its own, and one for what
/// was spent. The cluster has to end first.
#[derive(Debug)]
pub struct Databases {
    server: String,
    name: String,
}

impl Databases {
    /// Creates both on a server. `server` is a connection string without a database, of a user that may create some.
    ///
    /// Call it where blocking is allowed.
    ///
    /// # Errors
    /// If the server is not there, or does not create them.
    pub fn create(server: &str) -> Result<Self> {
        let name = format!("custody_lab_{}", std::process::id());
        let databases = Self { server: server.to_owned(), name };
        let mut client = databases.connect()?;
        for name in databases.names() {
            client.batch_execute(&format!("CREATE DATABASE {name}"))?;
        }
        Ok(databases)
    }

    fn connect(&self) -> Result<Client> {
        Client::connect(&format!("{} dbname=postgres", self.server), NoTls).context("PostgreSQL")
    }

    fn remove(&self) -> Result<()> {
        let mut client = self.connect()?;
        for name in self.names() {
            client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))?;
        }
        Ok(())
    }

    fn names(&self) -> [String; 2] {
        [self.name.clone(), format!("{}_spent", self.name)]
    }

    /// Puts the databases into the settings of a machine, in place of files of SQLite.
    pub(crate) fn put_in(&self, settings: &str, is_gateway: bool) -> String {
        let [url, spent] = self.names().map(|name| format!("{} dbname={name}", self.server));
        let spent = if is_gateway { String::new() } else { format!(", spent = {spent:?}") };
        let database = format!("database = {{ url = {url:?}{spent} }}");
        let line = |line: &str| {
            let is_database = line.starts_with("database = ");
            format!("{}\n", if is_database { &database } else { line })
        };
        settings.lines().map(line).collect()
    }
}

impl Drop for Databases {
    fn drop(&mut self) {
        // The client blocks, which a thread of a runtime must not.
        std::thread::scope(|scope| drop(scope.spawn(|| drop(self.remove())).join()));
    }
}
