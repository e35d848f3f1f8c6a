//! A place for files, and the wallet's command line.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use quorate_examples::wallet;
use quorate_examples::wallet::folder::fresh_name;

/// A folder with a file to sign, removed in the end.
pub(crate) struct Place(pub(crate) PathBuf);

impl Place {
    pub(crate) fn new() -> Self {
        let dir = std::env::temp_dir().join(fresh_name("quorate-wallet-test-"));
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join("letter.txt"), "Dear Sir or Madam").unwrap();
        Self(dir)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Runs a command line; words that begin with `@` are files in this folder.
    pub(crate) fn run(&self, line: &str) -> Result<String, String> {
        let args = line.split_whitespace().map(|word| match word.strip_prefix('@') {
            Some(name) => self.path(name).into_os_string(),
            None => OsString::from(word),
        });
        let mut out = String::new();
        wallet::run(args, &mut out).map(|()| out).map_err(|failure| failure.to_string())
    }

    pub(crate) fn ok(&self, line: &str) -> String {
        self.run(line).unwrap_or_else(|failure| panic!("{line}: {failure}"))
    }

    /// Runs a command line that has to fail, and checks that the message has `part` in it.
    pub(crate) fn fails(&self, line: &str, part: &str) {
        let failure = self.run(line).expect_err(line);
        assert!(failure.contains(part), "{line}\n  says: {failure}\n  not:  {part}");
    }

    pub(crate) fn wallet(&self, name: &str, suite: &str) {
        // The quicker level, where there are levels.
        let level = if suite.starts_with("ecdsa") { " --level 112" } else { "" };
        self.ok(&format!("keygen --dir @{name} --suite {suite} --threshold 2 --parties 3{level}"));
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Changes a bit of a byte of a file.
pub(crate) fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}
