import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { DATABASE_FILE, RECORDS_TABLE } from '../../../../server/store/verify/verify.ts';
import { isObject } from '../../../support/expect-shape.ts';
import { FaultLog, type Logged, outcomeOf } from '../../faults/fault-log.ts';
import type { FleetEvidence, FleetLetter } from './check-fleet.ts';
import type { Pair } from './check-kept.ts';
import type { Machine } from './machine-file.ts';

/** A fault that the checker must find. */
export interface PlantedFault {
  name: string;
  letters: FleetLetter[];
  /** Changes copies of the databases, or answers what else is to be believed. */
  plant: (evidence: FleetEvidence) => FleetEvidence | undefined;
}

const RECORD = `UPDATE "${RECORDS_TABLE}" SET document`;

export const plantedFaults: PlantedFault[] = [
  {
    name: 'a row of the log is gone on a station',
    letters: ['A', 'C'],
    plant: evidence => {
      const middle = '(SELECT max(sequence) / 2 FROM log)';
      return change(stationOf(evidence), `DELETE FROM log WHERE sequence = ${middle}`);
    },
  },
  {
    name: 'a record is another on a station',
    letters: ['A', 'C'],
    plant: evidence => {
      const { subject } = pairOf(evidence, 'same field');
      const sql = `${RECORD} = json_set(document, '$.fields.notes', 'other') WHERE key = ?`;
      return change(stationOf(evidence), sql, subject);
    },
  },
  {
    name: 'a conflict is gone on a station',
    letters: ['C', 'K'],
    plant: evidence => {
      const { subject } = pairOf(evidence, 'same field');
      return change(stationOf(evidence), 'DELETE FROM conflict WHERE subject = ?', subject);
    },
  },
  {
    name: 'a conflict names one value only, everywhere',
    letters: ['K'],
    plant: evidence => {
      const { subject } = pairOf(evidence, 'same field');
      const sql = "UPDATE conflict SET siblings = json_remove(siblings, '$[1]') WHERE subject = ?";
      return changeAll(evidence, sql, subject);
    },
  },
  {
    name: 'of different fields one is lost everywhere',
    letters: ['A', 'K'],
    plant: evidence => {
      const { subject, writes } = pairOf(evidence, 'different fields');
      const sql = `${RECORD} = json_remove(document, '$.fields.' || ?) WHERE key = ?`;
      return changeAll(evidence, sql, writes[1].path, subject);
    },
  },
  {
    name: 'a commit is gone from central',
    letters: ['A', 'C', 'D'],
    plant: evidence => {
      const { operation } = written(evidence);
      const sql = 'DELETE FROM history WHERE instr(entries, ?) > 0';
      return change(evidence.machines[0], sql, operation.marker);
    },
  },
  {
    name: 'a commit is gone everywhere',
    letters: ['A', 'D'],
    plant: evidence => {
      const { operation } = written(evidence);
      return changeAll(evidence, 'DELETE FROM history WHERE instr(entries, ?) > 0', operation.marker);
    },
  },
  {
    name: 'a write has effect twice, everywhere',
    letters: ['X'],
    plant: evidence => {
      const columns = 'commit_id, at, clock_offset, user, reason, entries, previous_hash, hash';
      const sql = `INSERT INTO history (sequence, chain, number, ${columns})
        SELECT (SELECT max(sequence) + 1 FROM history), 'another', 1, ${columns} FROM history
        WHERE instr(entries, ?) > 0`;
      return changeAll(evidence, sql, written(evidence).operation.marker);
    },
  },
  {
    name: 'a write is there that was answered 422',
    letters: ['N'],
    plant: evidence => {
      const { number } = written(evidence).operation;
      return withFirstLog(evidence, ({ attempts }) => {
        for (const attempt of attempts) if (attempt.operation === number) attempt.status = 422;
      });
    },
  },
  {
    name: 'an id was answered for two records at two machines',
    letters: ['S'],
    plant: ({ logs, ...evidence }) => {
      const [first, second] = logs;
      const [one, other] = [created(first), created(second)];
      if (!first || !second || !one || !other) throw new Error('Two clients have to create something.');
      return { ...evidence, logs: [changedLog(first, logged => giveId(logged, one, idOf(other))), second] };
    },
  },
  {
    name: 'a digest is another on a station',
    letters: ['A', 'C'],
    plant: evidence => change(stationOf(evidence), "UPDATE digest SET sum = 'abc' WHERE family = 'supplier'"),
  },
  {
    name: 'a commit still waits on a station',
    letters: ['C'],
    plant: evidence =>
      change(
        stationOf(evidence),
        `INSERT INTO undecided (sequence, commit_id, chain, number)
         SELECT sequence, commit_id, chain, number FROM history ORDER BY sequence DESC LIMIT 1`,
      ),
  },
];

function change(machine: Machine | undefined, sql: string, ...values: SQLInputValue[]): undefined {
  if (!machine) throw new Error('There is no such machine.');
  const database = new DatabaseSync(join(machine.folder, DATABASE_FILE));
  try {
    for (const action of ['changed', 'deleted', 'replaced']) {
      database.exec(`DROP TRIGGER IF EXISTS history_is_never_${action}`);
    }
    const { changes } = database.prepare(sql).run(...values);
    if (Number(changes) !== 1) throw new Error(`${changes} rows are changed on ${machine.name}: ${sql}`);
  } finally {
    database.close();
  }
}

function changeAll({ machines }: FleetEvidence, sql: string, ...values: SQLInputValue[]): undefined {
  for (const machine of machines) change(machine, sql, ...values);
}

function stationOf({ machines }: FleetEvidence): Machine | undefined {
  return machines.at(-1);
}

function pairOf({ pairs }: FleetEvidence, kind: Pair['kind']): Pair {
  const pair = pairs.find(one => one.kind === kind);
  if (!pair) throw new Error(`There is no pair: ${kind}.`);
  return pair;
}

/** A create of the first client that was answered 2xx. */
function written({ logs: [log] }: FleetEvidence): Logged {
  const logged = created(log);
  if (!logged) throw new Error('The first client has created nothing.');
  return logged;
}

function created(log: FaultLog | undefined): Logged | undefined {
  return log?.operations.find(
    logged => logged.operation.kind === 'supplier' && outcomeOf(logged) === 'written',
  );
}

function idOf({ attempts }: Logged): unknown {
  const answer = attempts.at(-1)?.answer;
  return isObject(answer) && isObject(answer.data) ? answer.data.id : undefined;
}

function giveId({ operation, attempts }: Logged, to: Logged, id: unknown): void {
  if (operation.number !== to.operation.number) return;
  for (const { answer } of attempts) if (isObject(answer) && isObject(answer.data)) answer.data.id = id;
}

function withFirstLog(evidence: FleetEvidence, edit: (logged: Logged) => void): FleetEvidence {
  const [first, ...others] = evidence.logs;
  if (!first) throw new Error('There is no log.');
  return { ...evidence, logs: [changedLog(first, edit), ...others] };
}

function changedLog(log: FaultLog, edit: (logged: Logged) => void): FaultLog {
  const copy = FaultLog.parse(log.text());
  for (const logged of copy.operations) edit(logged);
  return copy;
}
