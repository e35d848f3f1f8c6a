"""The store of a runner, and a table of spent names, in SQLite."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing, contextmanager
from typing import Iterator, List, Union

from . import Change, Row, Rows, RowsError, SpentTable, TableEntry, TableError

Path = Union[str, "os.PathLike[str]"]


class _Database:
    """A file of SQLite's that is durable after each transaction. Threads take turns; several processes may have it open."""

    def __init__(self, path: Path, schema: str) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        with self.transaction() as connection:
            for statement in schema.split(";"):
                connection.execute(statement)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def read(self, query: str, arguments: tuple) -> List[tuple]:
        with self._lock, closing(self._connection.execute(query, arguments)) as found:
            return found.fetchall()

    def close(self) -> None:
        with self._lock:
            self._connection.close()


class SqliteRows(Rows):
    """The rows of one party's runner in a file. **Leave the file out of backups, and never restore an older copy.**"""

    def __init__(self, path: Path) -> None:
        self._database = _Database(
            path,
            "CREATE TABLE IF NOT EXISTS rows (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;"
            "CREATE TABLE IF NOT EXISTS generation (number INTEGER NOT NULL);"
            "INSERT INTO generation SELECT 0 WHERE NOT EXISTS (SELECT * FROM generation)",
        )

    def generation(self) -> int:
        try:
            [(number,)] = self._database.read("SELECT number FROM generation", ())
            return number
        except sqlite3.Error as error:
            raise RowsError.Failed(reason=str(error)) from error

    def scan(self, start: bytes, until: bytes, most: int) -> List[Row]:
        query = "SELECT key, value FROM rows WHERE key >= ? AND key < ? ORDER BY key LIMIT ?"
        try:
            return [Row(key=key, value=value) for key, value in self._database.read(query, (start, until, most))]
        except sqlite3.Error as error:
            raise RowsError.Failed(reason=str(error)) from error

    def write(self, generation: int, changes: List[Change]) -> bool:
        try:
            with self._database.transaction() as connection:
                step = "UPDATE generation SET number = number + 1 WHERE number = ?"
                if connection.execute(step, (generation,)).rowcount != 1:
                    return False
                for change in changes:
                    if change.value is None:
                        connection.execute("DELETE FROM rows WHERE key = ?", (change.key,))
                    else:
                        connection.execute("REPLACE INTO rows VALUES (?, ?)", (change.key, change.value))
            return True
        except sqlite3.Error as error:
            raise RowsError.Failed(reason=str(error)) from error

    def close(self) -> None:
        self._database.close()


class SqliteSpentTable(SpentTable):
    """The table of spent names in a file. **Never restore an older copy**: a name spent twice gives the key away."""

    def __init__(self, path: Path) -> None:
        self._database = _Database(
            path, "CREATE TABLE IF NOT EXISTS spent (id BLOB PRIMARY KEY, digest BLOB NOT NULL) WITHOUT ROWID"
        )

    def record(self, id: bytes, digest: bytes) -> TableEntry:
        insert = "INSERT INTO spent VALUES (?, ?) ON CONFLICT DO NOTHING"
        try:
            with self._database.transaction() as connection:
                if connection.execute(insert, (id, digest)).rowcount == 1:
                    return TableEntry.NEW()
                [(before,)] = connection.execute("SELECT digest FROM spent WHERE id = ?", (id,))
                return TableEntry.BEFORE(before)
        except sqlite3.Error as error:
            raise TableError.Failed(reason=str(error)) from error

    def close(self) -> None:
        self._database.close()
