//! Totals of the tables, kept beside them: what each start asks for costs the same however many runs are open.
//!
//! Triggers keep them, so an earlier release that writes to the database, or a cascade, keeps them too.

use quorate_session::PartyId;

use crate::engine::{Connection, Dialect, Sql, making};
use crate::error::Result;
use crate::schema::{self, in_dialect};
use crate::value::{party, values};

/// The table, as it is at first. Totals of messages are under the number of their recipient, others under numbers that no party has:
/// -1 for open runs, -2 for packets.
const TABLE: &str = "
    CREATE TABLE quorate_totals (what {int} NOT NULL PRIMARY KEY, number {int} NOT NULL, bytes {int} NOT NULL) {narrow};
    INSERT INTO quorate_totals SELECT -1, count(*), 0 FROM runs WHERE ended = 0;
    INSERT INTO quorate_totals SELECT -2, count(*), coalesce(sum(bytes), 0) FROM packets;
    INSERT INTO quorate_totals SELECT recipient, count(*), sum(bytes) FROM outbox GROUP BY recipient;
    -- Only the total of a recipient was read from it.
    DROP INDEX IF EXISTS outbox_by_recipient;
";

const SQLITE: &str = "
    CREATE TRIGGER totals_run_begins AFTER INSERT ON runs WHEN new.ended = 0 BEGIN
        UPDATE quorate_totals SET number = number + 1 WHERE what = -1; END;
    CREATE TRIGGER totals_run_ends AFTER UPDATE OF ended ON runs WHEN old.ended <> new.ended BEGIN
        UPDATE quorate_totals SET number = number + old.ended - new.ended WHERE what = -1; END;
    CREATE TRIGGER totals_packet_more AFTER INSERT ON packets BEGIN
        UPDATE quorate_totals SET number = number + 1, bytes = bytes + new.bytes WHERE what = -2; END;
    CREATE TRIGGER totals_packet_less AFTER DELETE ON packets BEGIN
        UPDATE quorate_totals SET number = number - 1, bytes = bytes - old.bytes WHERE what = -2; END;
    CREATE TRIGGER totals_outbox_more AFTER INSERT ON outbox BEGIN
        INSERT INTO quorate_totals (what, number, bytes) VALUES (new.recipient, 1, new.bytes)
            ON CONFLICT (what) DO UPDATE SET number = number + 1, bytes = bytes + excluded.bytes; END;
    CREATE TRIGGER totals_outbox_less AFTER DELETE ON outbox BEGIN
        UPDATE quorate_totals SET number = number - 1, bytes = bytes - old.bytes WHERE what = old.recipient; END;
";

const POSTGRES: &str = "
    CREATE FUNCTION totals_of_runs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'INSERT' THEN
            UPDATE quorate_totals SET number = number + 1 - new.ended WHERE what = -1;
        ELSE
            UPDATE quorate_totals SET number = number + old.ended - new.ended WHERE what = -1;
        END IF;
        RETURN NULL; END $$;
    CREATE TRIGGER totals_run_begins AFTER INSERT ON runs FOR EACH ROW EXECUTE FUNCTION totals_of_runs();
    CREATE TRIGGER totals_run_ends AFTER UPDATE OF ended ON runs FOR EACH ROW
        WHEN (old.ended <> new.ended) EXECUTE FUNCTION totals_of_runs();
    CREATE FUNCTION totals_of_packets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'INSERT' THEN
            UPDATE quorate_totals SET number = number + 1, bytes = bytes + new.bytes WHERE what = -2;
        ELSE
            UPDATE quorate_totals SET number = number - 1, bytes = bytes - old.bytes WHERE what = -2;
        END IF;
        RETURN NULL; END $$;
    CREATE TRIGGER totals_packets AFTER INSERT OR DELETE ON packets
        FOR EACH ROW EXECUTE FUNCTION totals_of_packets();
    CREATE FUNCTION totals_of_outbox() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'INSERT' THEN
            INSERT INTO quorate_totals AS here (what, number, bytes) VALUES (new.recipient, 1, new.bytes)
                ON CONFLICT (what) DO UPDATE
                SET number = here.number + 1, bytes = here.bytes + excluded.bytes;
        ELSE
            UPDATE quorate_totals SET number = number - 1, bytes = bytes - old.bytes WHERE what = old.recipient;
        END IF;
        RETURN NULL; END $$;
    CREATE TRIGGER totals_outbox AFTER INSERT OR DELETE ON outbox
        FOR EACH ROW EXECUTE FUNCTION totals_of_outbox();
";

/// Makes the table if there is none, from what the database has.
pub(crate) fn prepare(db: &mut dyn Connection) -> Result<()> {
    if schema::exists(db, "quorate_totals")? {
        return Ok(());
    }
    making(db, |tx| {
        // Another process may have been first.
        if schema::exists(tx, "quorate_totals")? {
            return Ok(());
        }
        let dialect = tx.dialect();
        tx.script(&in_dialect(TABLE, dialect))?;
        tx.script(match dialect {
            Dialect::Sqlite => SQLITE,
            Dialect::Postgres => POSTGRES,
        })
    })
}

/// The number of open runs.
pub(crate) fn open_runs(db: &mut dyn Sql) -> Result<usize> {
    db.one("SELECT number FROM quorate_totals WHERE what = -1", &[])?.number(0)
}

/// The bytes of the messages that wait for a recipient.
pub(crate) fn waiting_for(db: &mut dyn Sql, to: PartyId) -> Result<usize> {
    let row = db.first("SELECT bytes FROM quorate_totals WHERE what = $1", values![party(to)])?;
    row.map_or(Ok(0), |row| row.number(0))
}
