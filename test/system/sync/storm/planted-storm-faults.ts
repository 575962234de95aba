import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { DATABASE_FILE, RECORDS_TABLE } from '../../../../server/store/verify/verify.ts';
import type { Machine } from '../kit/machine-file.ts';
import type { Kind, Write } from './acknowledged.ts';
import type { StormEvidence, StormLetter } from './check-storm.ts';

/** A fault that the oracle must find in what a storm left. */
export interface PlantedStormFault {
  name: string;
  letters: StormLetter[];
  /** Changes copies of the databases, or answers what else is to be believed. */
  plant: (evidence: StormEvidence) => StormEvidence | undefined;
}

const COLUMNS = 'commit_id, at, clock_offset, user, reason, entries, previous_hash, hash, seal';

export const plantedStormFaults: PlantedStormFault[] = [
  {
    name: 'a commit was dropped everywhere',
    letters: ['history', 'verify'],
    plant: evidence =>
      changeAll(
        evidence,
        'DELETE FROM history WHERE instr(entries, ?) > 0',
        wrote(evidence, 'supplier').marker,
      ),
  },
  {
    name: 'a commit was dropped at one station',
    letters: ['history', 'same'],
    plant: evidence =>
      change(
        evidence.machines.at(-1),
        'DELETE FROM history WHERE instr(entries, ?) > 0',
        wrote(evidence, 'supplier').marker,
      ),
  },
  {
    name: 'a commit has effect twice, everywhere',
    letters: ['history'],
    plant: evidence =>
      changeAll(
        evidence,
        `INSERT INTO history (sequence, chain, number, ${COLUMNS})
         SELECT (SELECT max(sequence) + 1 FROM history), 'another', 1, ${COLUMNS} FROM history
         WHERE instr(entries, ?) > 0 ORDER BY sequence DESC LIMIT 1`,
        wrote(evidence, 'ncr').marker,
      ),
  },
  {
    name: 'a write is of another author',
    letters: ['history'],
    plant: evidence =>
      withWrite(evidence, wrote(evidence, 'receipt'), write => ({ ...write, author: 'eve' })),
  },
  {
    name: 'an update was lost without a conflict, everywhere',
    letters: ['update'],
    plant: evidence => {
      for (const machine of evidence.machines) {
        const opened = `SELECT id FROM conflict WHERE closed IS NULL AND subject LIKE 'supplier:%' ORDER BY id LIMIT 1`;
        change(machine, `DELETE FROM conflict WHERE id = (${opened})`);
      }
      return undefined;
    },
  },
  {
    name: 'an author had seen more than he wrote over',
    letters: ['history', 'update'],
    plant: evidence => {
      const victim = evidence.writes.find(
        ({ kind, seen, outcome, isLost }) =>
          kind === 'change' && seen.length > 0 && outcome === 'acknowledged' && !isLost,
      );
      return withWrite(evidence, victim, write => ({ ...write, seen: [] }));
    },
  },
  {
    name: 'a number was given twice, everywhere',
    letters: ['names'],
    plant: evidence => {
      const [one, other] = [wrote(evidence, 'shipment', 0), wrote(evidence, 'shipment', 1)];
      return changeAll(
        evidence,
        `UPDATE "${RECORDS_TABLE}" SET document = json_set(document, '$.fields.shipment_number', ?)
         WHERE json_extract(document, '$.fields.po_number') = ?`,
        one.told?.number ?? '',
        other.marker,
      );
    },
  },
  {
    name: 'one record is another at one station',
    letters: ['same', 'verify'],
    plant: evidence =>
      change(
        evidence.machines.at(-1),
        `UPDATE "${RECORDS_TABLE}" SET document = json_set(document, '$.fields.notes', 'other')
         WHERE json_extract(document, '$.fields.name') = ?`,
        wrote(evidence, 'supplier').marker,
      ),
  },
  {
    name: 'stock is another, everywhere',
    letters: ['stock'],
    plant: evidence => changeAll(evidence, 'UPDATE stock SET quantity = quantity + 1'),
  },
  {
    name: 'what was refused was written',
    letters: ['history'],
    plant: evidence =>
      withWrite(evidence, wrote(evidence, 'order'), write => ({ ...write, outcome: 'refused' })),
  },
  {
    name: 'what was lost with a disk is there again',
    letters: ['history'],
    plant: evidence => withWrite(evidence, wrote(evidence, 'order'), write => ({ ...write, isLost: true })),
  },
];

/** The nth write of a kind that must be there. */
function wrote({ writes }: StormEvidence, kind: Kind, index = 0): Write {
  const all = writes.filter(one => one.kind === kind && one.outcome === 'acknowledged' && !one.isLost);
  const write = all[index];
  if (!write) throw new Error(`Nobody wrote that many of the kind ${kind}.`);
  return write;
}

function withWrite(
  evidence: StormEvidence,
  victim: Write | undefined,
  edit: (write: Write) => Write,
): StormEvidence {
  if (!victim) throw new Error('There is no such write.');
  return { ...evidence, writes: evidence.writes.map(write => (write === victim ? edit(write) : write)) };
}

function changeAll({ machines }: StormEvidence, sql: string, ...values: SQLInputValue[]): undefined {
  for (const machine of machines) change(machine, sql, ...values);
}

function change(machine: Machine | undefined, sql: string, ...values: SQLInputValue[]): undefined {
  if (!machine) throw new Error('There is no such machine.');
  const database = new DatabaseSync(join(machine.folder, DATABASE_FILE));
  try {
    for (const action of ['changed', 'deleted', 'replaced']) {
      database.exec(`DROP TRIGGER IF EXISTS history_is_never_${action}`);
    }
    const { changes } = database.prepare(sql).run(...values);
    if (Number(changes) < 1) throw new Error(`Nothing is changed on ${machine.name}: ${sql}`);
  } finally {
    database.close();
  }
}
