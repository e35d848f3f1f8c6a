//! A record of how far a node has come, outside of everything that may be put back together with it.
//!
//! A node that starts uses what it had made ahead only if somebody knows that its database is the latest: peers that have
//! stayed up, or a counter. Where a whole deployment is restarted, or put back, there are no such peers, and a node without
//! a counter drops its presignatures and nonces. With a counter it keeps them.
//!
//! A counter is good for this if nothing that puts the node back puts the counter back, too: a TPM, an object store that
//! keeps versions, receipts of the requesters, a machine that is in no snapshot. Each release advances it before anything is
//! sent, so it costs a node its own latency on every turn.

use core::str::FromStr;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

use crate::directory::hexadecimal;
use crate::store::Mark;

/// Where a node notes the last thing that it has released.
pub trait Counter: core::fmt::Debug + Send + Sync {
    /// The mark that it has, if it has any.
    ///
    /// # Errors
    /// A [`Failure`] if that is not known: then the node does not start.
    fn read(&self) -> Result<Option<Mark>, Failure>;

    /// Keeps a mark, unless it has one with a number at least as high. It has it durably when this returns. Workers of one
    /// node call this at the same time.
    ///
    /// # Errors
    /// A [`Failure`] if that is not known: then nothing is sent.
    fn advance(&self, mark: &Mark) -> Result<(), Failure>;
}

/// The memory of a process: a core that is begun anew in it knows how far the one before has come.
#[derive(Default, Debug)]
pub struct Memory(Mutex<Option<Mark>>);

impl Counter for Memory {
    fn read(&self) -> Result<Option<Mark>, Failure> {
        Ok(*self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn advance(&self, mark: &Mark) -> Result<(), Failure> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.number < mark.number) {
            *last = Some(*mark);
        }
        Ok(())
    }
}

/// A counter in a file: on a disk that no snapshot and no backup of the node reaches.
#[derive(Clone, Debug)]
pub struct CounterFile(PathBuf);

impl CounterFile {
    /// The counter of this file, which is made at the first release; its folder is there.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    fn beside(&self, end: &str) -> PathBuf {
        let mut path = self.0.clone().into_os_string();
        path.push(end);
        path.into()
    }

    fn write(&self, mark: &Mark) -> std::io::Result<()> {
        let new = self.beside(".new");
        let mut file = File::create(&new)?;
        writeln!(file, "{}", text(mark))?;
        file.sync_all()?;
        fs::rename(&new, &self.0)?;
        let folder = self.0.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or_else(|| Path::new(".")))?.sync_all()
    }
}

impl Counter for CounterFile {
    fn read(&self) -> Result<Option<Mark>, Failure> {
        match fs::read_to_string(&self.0) {
            Ok(text) => parse(&text).map(Some).ok_or_else(|| none(&self.0.display().to_string())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::file("read", &self.0)(error)),
        }
    }

    fn advance(&self, mark: &Mark) -> Result<(), Failure> {
        let path = self.beside(".lock");
        let lock = OpenOptions::new().create(true).append(true).open(&path);
        let lock = lock.map_err(Failure::file("write", &path))?;
        // It is free again when it is closed.
        lock.lock().map_err(Failure::file("lock", &path))?;
        if self.read()?.is_some_and(|last| last.number >= mark.number) {
            return Ok(());
        }
        self.write(mark).map_err(Failure::file("write", &self.0))
    }
}

/// A counter behind a program. `PROGRAM … read` prints `EPOCH NUMBER HEAD`, or nothing; `PROGRAM … advance EPOCH NUMBER HEAD`
/// keeps it, unless it has a number that is at least as high, and ends with 0 once that is durable. The head is 64
/// hexadecimal digits.
#[derive(Clone, Debug)]
pub struct CounterCommand(Vec<String>);

impl CounterCommand {
    /// The counter of this program with its first arguments.
    #[must_use]
    pub const fn new(words: Vec<String>) -> Self {
        Self(words)
    }

    fn run(&self, arguments: &[String]) -> Result<String, Failure> {
        let Some((program, first)) = self.0.split_first() else {
            return Err(Failure::new("a counter without a program"));
        };
        let mut command = Command::new(program);
        command.args(first).args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit());
        let output = command.output().map_err(Failure::file("start", Path::new(program)))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(Failure::new(format!("{program}: {}", output.status)))
    }
}

impl Counter for CounterCommand {
    fn read(&self) -> Result<Option<Mark>, Failure> {
        let said = self.run(&["read".to_owned()])?;
        if said.trim().is_empty() {
            return Ok(None);
        }
        let program = self.0.first().map_or("", String::as_str);
        parse(&said).map(Some).ok_or_else(|| none(program))
    }

    fn advance(&self, mark: &Mark) -> Result<(), Failure> {
        let words = text(mark);
        let words = words.split(' ').map(str::to_owned);
        let arguments: Vec<String> = core::iter::once("advance".to_owned()).chain(words).collect();
        self.run(&arguments).map(drop)
    }
}

fn none(what: &str) -> Failure {
    Failure::new(format!("{what}: not the mark of a counter"))
}

fn text(mark: &Mark) -> String {
    format!("{} {} {}", mark.epoch, mark.number, hex(&mark.head))
}

fn parse(text: &str) -> Option<Mark> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [epoch, number, head] = words.as_slice() else { return None };
    let (epoch, number) = (u32::from_str(epoch).ok()?, u64::from_str(number).ok()?);
    Some(Mark { epoch, number, head: hexadecimal::array(head)? })
}

#[cfg(test)]
mod tests {
    use quorate_examples::files::fresh_name;

    use super::*;

    const fn mark(epoch: u32, number: u64) -> Mark {
        Mark { epoch, number, head: [7; 32] }
    }

    fn counts(counter: &dyn Counter) {
        assert_eq!(counter.read().unwrap(), None);
        for (next, then) in [(5, 5), (9, 9), (7, 9), (9, 9), (10, 10)] {
            counter.advance(&mark(2, next)).unwrap();
            assert_eq!(counter.read().unwrap(), Some(mark(2, then)));
        }
    }

    #[test]
    fn a_counter_never_goes_back() {
        let dir = std::env::temp_dir().join(fresh_name("quorate-counter-"));
        fs::create_dir(&dir).unwrap();
        counts(&Memory::default());
        let path = dir.join("n1");
        counts(&CounterFile::new(&path));
        fs::write(&path, "2 x").unwrap();
        assert!(CounterFile::new(&path).read().is_err(), "what is damaged is not nothing");
        assert!(CounterFile::new(&path).advance(&mark(2, 11)).is_err());
        // A program over a file of its own.
        let kept = dir.join("kept");
        let script = format!(
            "f={}; case $1 in read) cat $f 2>/dev/null || true;; \
             advance) n=$(cut -d' ' -f2 $f 2>/dev/null || echo 0); \
             [ \"${{n:-0}}\" -ge $3 ] || echo $2 $3 $4 > $f;; *) exit 1;; esac",
            kept.display()
        );
        let words = ["/bin/sh", "-c", &script, "counter"].map(str::to_owned);
        counts(&CounterCommand::new(words.to_vec()));
        let fails = CounterCommand::new(["/bin/sh", "-c", "exit 3"].map(str::to_owned).to_vec());
        assert!(fails.read().is_err() && fails.advance(&mark(1, 1)).is_err());
        fs::remove_dir_all(dir).unwrap();
    }
}
