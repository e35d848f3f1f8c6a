//! Files of the folder that others are made from.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

/// The folder of the files.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// The path of a file.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.json"))
    }

    /// A file that is there.
    pub(crate) fn read(&self, name: &str) -> Value {
        let path = self.path(name);
        let text =
            fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
    }
}
