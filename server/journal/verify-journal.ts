import { sameJson } from '../../shared/contract/canonical-json.ts';
import { isItsHash } from '../store/history.ts';
import { JOURNAL_PLACE } from '../store/shared-folder.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { readLocal } from '../store/tables.ts';
import { sha256 } from '../sync/log/log.ts';
import { LOG_START, type LogPlace, logEntry } from '../sync/protocol/log.ts';
import type { SignedEntry } from '../sync/protocol/packed-entries.ts';
import type { Journal } from './journal.ts';
import { factsIn, nameOf } from './small-tables.ts';
import type { Fact, JournalPlace } from './turn.ts';

const AT_ONCE = 50;

/**
 * Compares a journal with a folder that is a copy of it, as far as the copy goes: turns without a gap, each entry after the one
 * before by its hash and the same in the folder, and the small tables' rows as the turns say. Answers what is at fault, a sentence each.
 * @param sql on one state of the folder
 * @throws JournalLostError
 */
export async function verifyJournal(journal: Pick<Journal, 'after'>, sql: SqlReader): Promise<string[]> {
  const end: JournalPlace = JSON.parse(readLocal(sql, JOURNAL_PLACE) ?? '{"position":0,"turn":""}');
  const faults: string[] = [];
  const facts = new Map<string, Fact>();
  let [position, turn] = [0, ''];
  let place: LogPlace = LOG_START;
  while (position < end.position) {
    const { turns } = await journal.after(position, AT_ONCE);
    const part = turns.filter(each => each.position <= end.position);
    if (part[0]?.position !== position + 1) {
      faults.push(`The journal has no turn ${position + 1}.`);
      break;
    }
    for (const each of part) {
      if (each.position !== position + 1) faults.push(`The journal has no turn ${position + 1}.`);
      for (const entry of each.entries) {
        faults.push(...faultsOf(entry, place, sql));
        place = entry;
      }
      for (const fact of each.facts) facts.set(nameOf(fact), fact);
      ({ position, turn } = each);
    }
  }
  if (turn !== end.turn) faults.push(`The folder has another turn ${end.position} than the journal.`);
  const last = sql.get<{ last: number | null }>('SELECT max(sequence) AS last FROM log')?.last ?? 0;
  if (last !== place.sequence)
    faults.push(`The folder's log ends at ${last}, and the journal's at ${place.sequence}.`);
  return [...faults, ...differences(facts, factsIn(sql))];
}

function faultsOf(entry: SignedEntry, before: LogPlace, sql: SqlReader): string[] {
  const { sequence, hash, commit } = entry;
  const expected = logEntry(before, commit, entry.decisions, sha256);
  const isSound = isItsHash(commit) && expected.sequence === sequence && expected.hash === hash;
  const here = sql.get<{ hash: string; countersignature: string }>(
    'SELECT hash, countersignature FROM log WHERE sequence = ?',
    sequence,
  );
  const isSame = here?.hash === hash && here.countersignature === entry.countersignature;
  return [
    ...(isSound ? [] : [`The journal's entry ${sequence} is not what was written.`]),
    ...(isSame ? [] : [`The folder has another entry ${sequence} than the journal.`]),
  ];
}

function differences(facts: ReadonlyMap<string, Fact>, here: readonly Fact[]): string[] {
  const rows = new Map(here.map(fact => [nameOf(fact), fact.row]));
  const names = new Set([...facts.keys(), ...rows.keys()]);
  return [...names].flatMap(name =>
    sameJson(facts.get(name)?.row ?? null, rows.get(name) ?? null)
      ? []
      : [`The row ${name} is another one in the folder than in the journal.`],
  );
}
