//! The folder of the files: writing it, and replaying what it contains.

use core::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::disk::Folder;
use crate::seeds::Seeds;
use crate::table::{File, stages};

/// A defect of a folder of vectors.
#[derive(Debug)]
pub enum Problem {
    /// A file cannot be written or read.
    Io(PathBuf, io::Error),
    /// A file is no JSON.
    Json(PathBuf, serde_json::Error),
    /// A run from the seeds of the file gives another file. The number is that of the first line that differs.
    Differs(PathBuf, usize),
    /// No file has such a name.
    NoSuchName(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, why) => write!(f, "{}: {why}", path.display()),
            Self::Json(path, why) => write!(f, "{}: {why}", path.display()),
            Self::Differs(path, line) => {
                write!(f, "{}: a run from its seeds differs from line {line} on", path.display())
            }
            Self::NoSuchName(name) => write!(f, "no file's name begins with {name}"),
        }
    }
}

impl core::error::Error for Problem {}

/// Writes the files whose names begin with one of these, or all if there are none. Files that others need have to be there,
/// or to be among them. Returns how many files were written.
///
/// # Errors
/// [`Problem`], if a file cannot be written.
pub fn write(folder: &Path, chosen: &[String]) -> Result<usize, Problem> {
    let folder = Folder(folder.to_owned());
    fs::create_dir_all(&folder.0).map_err(|why| Problem::Io(folder.0.clone(), why))?;
    each(chosen, |file| {
        let json = (file.make)(&folder, &Seeds::Derived(&file.name));
        let path = folder.path(&file.name);
        fs::write(&path, json.to_text()).map_err(|why| Problem::Io(path, why))
    })
}

/// Makes the files whose names begin with one of these, or all if there are none, again from the seeds in them, and compares
/// them byte for byte. Returns how many files are equal.
///
/// # Errors
/// [`Problem`] with the first file that differs.
pub fn replay(folder: &Path, chosen: &[String]) -> Result<usize, Problem> {
    let folder = Folder(folder.to_owned());
    each(chosen, |file| {
        let path = folder.path(&file.name);
        let text = fs::read_to_string(&path).map_err(|why| Problem::Io(path.clone(), why))?;
        let stored = serde_json::from_str(&text).map_err(|why| Problem::Json(path.clone(), why))?;
        let again = (file.make)(&folder, &Seeds::Stored(&stored)).to_text();
        match first_difference(&text, &again) {
            None => Ok(()),
            Some(line) => Err(Problem::Differs(path, line)),
        }
    })
}

/// The number of the first line in which two texts differ.
fn first_difference(one: &str, other: &str) -> Option<usize> {
    if one == other {
        return None;
    }
    let same = one.lines().zip(other.lines()).take_while(|(one, other)| one == other);
    Some(same.count() + 1)
}

/// Does the work for each chosen file, on all cores, stage by stage. Returns how many there are.
fn each(
    chosen: &[String],
    work: impl Fn(&File) -> Result<(), Problem> + Sync,
) -> Result<usize, Problem> {
    let names = crate::names();
    if let Some(name) = chosen.iter().find(|name| !names.iter().any(|one| one.starts_with(*name))) {
        return Err(Problem::NoSuchName(name.clone()));
    }
    let mut count = 0;
    for mut stage in stages() {
        stage.retain(|file| {
            chosen.is_empty() || chosen.iter().any(|name| file.name.starts_with(name))
        });
        count += stage.len();
        on_all_cores(stage, &work)?;
    }
    Ok(count)
}

fn on_all_cores(
    files: Vec<File>,
    work: &(impl Fn(&File) -> Result<(), Problem> + Sync),
) -> Result<(), Problem> {
    let (left, problem) = (Mutex::new(files.into_iter()), Mutex::new(None));
    let next = || left.lock().expect("nobody panics with it").next();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = next() {
                    if let Err(why) = work(&file) {
                        problem.lock().expect("nobody panics with it").get_or_insert(why);
                    }
                }
            });
        }
    });
    problem.into_inner().expect("nobody panics with it").map_or(Ok(()), Err)
}
