//! A folder for files, and the wallet's command line, in this process or in one of its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use quorate_examples::files::fresh_name;
use quorate_examples::out::Out;

/// A folder with a file to sign, removed in the end.
pub(crate) struct Fixture(pub(crate) PathBuf);

impl Fixture {
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

    /// Makes a wallet whose secrets are in clear, which saves Argon2id's time in every command. The tests share one key
    /// of each ECDSA suite, because the search for its primes takes longer than most tests.
    pub(crate) fn wallet(&self, name: &str, suite: &str) {
        if suite.starts_with("ecdsa") {
            self.shared_wallet(name, suite)
        } else {
            self.keygen(name, suite, "")
        }
    }

    /// Makes a wallet as [`wallet`](Self::wallet) does, whose key no other test has.
    pub(crate) fn own_wallet(&self, name: &str, suite: &str) {
        self.keygen(name, suite, if suite.starts_with("ecdsa") { " --level 112" } else { "" });
    }

    fn keygen(&self, name: &str, suite: &str, level: &str) {
        self.ok(&format!(
            "keygen --dir @{name} --suite {suite} --threshold 2 --parties 3 --plaintext{level}"
        ));
    }

    /// Writes the files of the suite's shared wallet to a folder. Makes them first if no test has.
    fn shared_wallet(&self, name: &str, suite: &str) {
        static MADE: Mutex<BTreeMap<String, Vec<StoredFile>>> = Mutex::new(BTreeMap::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let files = made.entry(suite.to_owned()).or_insert_with(|| {
            let fixture = Self::new();
            // The quicker level.
            fixture.keygen("w", suite, " --level 112");
            StoredFile::all(&fixture.path("w"))
        });
        StoredFile::write_all(files, &self.path(name));
    }

    /// Copies a wallet.
    pub(crate) fn copy(&self, from: &str, to: &str) {
        copy(&self.path(from), &self.path(to));
    }

    /// A wallet's signature by these signers, which verifies.
    pub(crate) fn signs(&self, wallet: &str, signers: &str) {
        self.ok(&format!(
            "sign --replace --dir @{wallet} --signers {signers} @letter.txt --out @sig"
        ));
        self.ok(&format!("verify --dir @{wallet} @letter.txt @sig"));
    }

    /// Makes a file with a passphrase.
    pub(crate) fn passphrase(&self, name: &str, passphrase: &str) {
        fs::write(self.path(name), format!("{passphrase}\n")).unwrap();
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// An entry of a folder in memory.
struct StoredFile {
    path: PathBuf,
    permissions: fs::Permissions,
    /// `None` for a folder.
    bytes: Option<Vec<u8>>,
}

impl StoredFile {
    /// The folder itself and everything in it, each folder before its entries.
    fn all(root: &Path) -> Vec<Self> {
        let mut found = Vec::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            found.push(Self::read(root, folder.clone()));
            for entry in fs::read_dir(root.join(&folder)).unwrap() {
                let path = folder.join(entry.unwrap().file_name());
                if root.join(&path).is_dir() {
                    folders.push(path);
                } else {
                    found.push(Self::read(root, path));
                }
            }
        }
        found
    }

    fn read(root: &Path, path: PathBuf) -> Self {
        let full = root.join(&path);
        let permissions = fs::metadata(&full).unwrap().permissions();
        let bytes = full.is_file().then(|| fs::read(&full).unwrap());
        Self { path, permissions, bytes }
    }

    fn write_all(files: &[Self], root: &Path) {
        for Self { path, permissions, bytes } in files {
            let full = root.join(path);
            match bytes {
                Some(bytes) => fs::write(&full, bytes).unwrap(),
                None => fs::create_dir(&full).unwrap(),
            }
            fs::set_permissions(&full, permissions.clone()).unwrap();
        }
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
