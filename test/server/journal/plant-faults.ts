import { JournalConnection } from '../../../server/journal/connection.ts';
import { Journal } from '../../../server/journal/journal.ts';
import { TELL } from '../../../server/journal/schema.ts';
import { Database } from '../../../server/store/sqlite/database.ts';

const IN_THE_WAY = "DO $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = '40001'; END $$";

/** Where a write is on its way through the journal. */
export type DyingPoint = 'locked' | 'sent' | 'committed';

/** As when the disk is full: the transaction is undone. */
const FULL = 'The disk is full.';

/** Faults of this process and of PostgreSQL, between the journal and the real server. */
export function plantFaults() {
  let point: DyingPoint | undefined;
  let share = 0;
  let isSilent = false;
  const die = (at: DyingPoint) => {
    if (at === point) process.kill(process.pid, 'SIGKILL');
  };
  let isFull = false;
  let isAppended = false;
  const { commit } = Database.prototype;
  Database.prototype.commit = function () {
    if (isFull && isAppended) throw new Error(FULL);
    commit.call(this);
  };
  const { appendLast, lock } = Journal.prototype;
  const { query } = JournalConnection.prototype;
  Journal.prototype.lock = async function () {
    const head = await lock.call(this);
    die('locked');
    return head;
  };
  Journal.prototype.appendLast = async function (...given) {
    const appending = appendLast.apply(this, given);
    die('sent');
    await appending;
    isAppended = true;
    die('committed');
  };
  const refusing: typeof query = async function (this: JournalConnection, sql, values, session) {
    if (isSilent && sql === TELL) throw new Error('There is no NOTIFY.');
    // As the server has it: the transaction is over, and says so.
    if (Math.random() < share && sql !== 'ROLLBACK') await query.call(this, IN_THE_WAY, undefined, session);
    return query.call(this, sql, values, session) as never;
  };
  JournalConnection.prototype.query = refusing;
  return {
    dieAt(at: DyingPoint) {
      point = at;
    },
    fillDisk() {
      [isFull, isAppended] = [true, false];
    },
    refuse(given: number) {
      share = given;
      isSilent = true;
    },
  };
}
