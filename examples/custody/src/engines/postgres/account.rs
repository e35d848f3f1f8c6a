//! The account that a server runs as: the caller's, or an unprivileged one if that is root, which PostgreSQL refuses.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use quorate_examples::failure::Failure;

/// User and group, if they are others than the caller's.
#[derive(Clone, Debug)]
pub(super) struct Account(Option<(u32, u32)>);

impl Account {
    pub(super) fn of_servers() -> Result<Self, Failure> {
        let me =
            fs::metadata("/proc/self").map_err(Failure::file("read", Path::new("/proc/self")))?;
        if me.uid() != 0 {
            return Ok(Self(None));
        }
        let users = fs::read_to_string("/etc/passwd")?;
        let ids = ["postgres", "nobody"].iter().find_map(|name| {
            let mut fields = users.lines().map(|line| line.split(':'));
            let mut line = fields.find(|line| line.clone().next() == Some(name))?.skip(2);
            Some((line.next()?.parse().ok()?, line.next()?.parse().ok()?))
        });
        let ids = ids.ok_or_else(|| {
            Failure::new("PostgreSQL does not run as root, and there is no user postgres or nobody")
        })?;
        Ok(Self(Some(ids)))
    }

    /// A command of this account.
    pub(super) fn command(&self, program: &Path) -> Command {
        let Some((user, group)) = self.0 else { return Command::new(program) };
        let mut command = Command::new("setpriv");
        command.arg(format!("--reuid={user}")).arg(format!("--regid={group}"));
        command.arg("--clear-groups").arg(program);
        command
    }

    /// Makes a folder of this account that nobody else can enter.
    pub(super) fn own(&self, dir: &Path) -> Result<(), Failure> {
        fs::create_dir(dir).map_err(Failure::file("create", dir))?;
        fs::set_permissions(dir, Permissions::from_mode(0o700))
            .map_err(Failure::file("use", dir))?;
        self.give(dir)
    }

    /// Lets this account alone read a file.
    pub(super) fn keep_to(&self, file: &Path) -> Result<(), Failure> {
        fs::set_permissions(file, Permissions::from_mode(0o600))
            .map_err(Failure::file("use", file))?;
        self.give(file)
    }

    /// A file that this account can write to.
    pub(super) fn writable(&self, file: &Path) -> Result<PathBuf, Failure> {
        File::options()
            .create(true)
            .append(true)
            .open(file)
            .map_err(Failure::file("write", file))?;
        self.keep_to(file)?;
        Ok(file.to_owned())
    }

    fn give(&self, path: &Path) -> Result<(), Failure> {
        let Some((user, group)) = self.0 else { return Ok(()) };
        std::os::unix::fs::chown(path, Some(user), Some(group))
            .map_err(Failure::file("give away", path))
    }
}
