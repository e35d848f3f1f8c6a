//! A place for files, and the wallet's command line, in this process or in one of its own.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use quorate_examples::files::fresh_name;
use quorate_examples::out::Out;

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

    /// The words of a command line; those that begin with `@` are files in this folder.
    fn args(&self, line: &str) -> Vec<OsString> {
        let arg = |word: &str| match word.strip_prefix('@') {
            Some(name) => self.path(name).into_os_string(),
            None => OsString::from(word),
        };
        line.split_whitespace().map(arg).collect()
    }

    /// Runs a command line in this process.
    pub(crate) fn run(&self, line: &str) -> Result<String, String> {
        let mut out = Out::captured();
        let result = quorate_wallet::run(self.args(line).into_iter(), &mut out);
        result.map(|()| out.into_text()).map_err(|failure| failure.to_string())
    }

    pub(crate) fn ok(&self, line: &str) -> String {
        self.run(line).unwrap_or_else(|failure| panic!("{line}: {failure}"))
    }

    /// Runs a command line that has to fail, and checks that the message has `part` in it.
    pub(crate) fn fails(&self, line: &str, part: &str) {
        let failure = self.run(line).expect_err(line);
        assert!(failure.contains(part), "{line}\n  says: {failure}\n  not:  {part}");
    }

    /// The program itself, with its streams connected to pipes, and no terminal.
    pub(crate) fn process(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wallet"));
        command.args(self.args(line));
        command.env_remove("QUORATE_PASSPHRASE");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Makes a wallet whose secrets are in clear, which saves Argon2id's time in every command.
    pub(crate) fn wallet(&self, name: &str, suite: &str) {
        // The quicker level, where there are levels.
        let level = if suite.starts_with("ecdsa") { " --level 112" } else { "" };
        self.ok(&format!(
            "keygen --dir @{name} --suite {suite} --threshold 2 --parties 3 --plaintext{level}"
        ));
    }

    /// Copies a wallet.
    pub(crate) fn copy(&self, from: &str, to: &str) {
        copy(&self.path(from), &self.path(to));
    }

    /// A wallet's signature by these signers, which verifies.
    pub(crate) fn signs(&self, wallet: &str, signers: &str) {
        self.ok(&format!("sign --dir @{wallet} --signers {signers} @letter.txt --out @sig"));
        self.ok(&format!("verify --dir @{wallet} @letter.txt @sig"));
    }

    /// Makes a file with a passphrase.
    pub(crate) fn passphrase(&self, name: &str, passphrase: &str) {
        fs::write(self.path(name), format!("{passphrase}\n")).unwrap();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap().path();
        let to = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy(&entry, &to);
        } else {
            fs::copy(&entry, to).unwrap();
        }
    }
}

/// Changes a bit of a byte of a file.
pub(crate) fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}

/// A process's output, its errors, and whether it went well.
pub(crate) fn said(output: &Output) -> (String, String, bool) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.success())
}
