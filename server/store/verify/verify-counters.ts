import type { Collection, Family } from '../../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families, familyOf } from '../../../shared/families/registry.ts';
import { mapOf } from '../changes.ts';
import { BLOCK_SIZE, FIRST_OPEN_BLOCK, itemCounter } from '../ids.ts';
import { readLocal } from '../tables.ts';
import { remedies } from './findings.ts';
import type { VerifyContext } from './verify-context.ts';

/**
 * No counter stands at or before an id in use, so that none is given twice: `record` for every record, then `finish`.
 * Left out are families whose ids the caller may choose, ahead of the counter: there the gate passes over what is taken.
 */
export function counterVerifier(context: VerifyContext): {
  record: (record: StoredRecord) => void;
  finish: () => void;
} {
  const highest = new Map<string, number>();
  const see = (counter: string, id: number) => {
    const place = `${counter} ${Math.floor(id / BLOCK_SIZE)}`;
    highest.set(place, Math.max(highest.get(place) ?? 0, id % BLOCK_SIZE));
  };
  const seeItems = (described: Family | Collection, fields: Record<string, unknown>): void => {
    for (const [name, collection] of Object.entries(described.collections)) {
      for (const [id, item] of Object.entries(mapOf(fields[name]))) {
        // Ids that clients give are no matter of the counter; adding an item passes over them.
        if (!collection.idsFromClient) see(itemCounter(collection), Number(id));
        seeItems(collection, mapOf(item));
      }
    }
  };
  return {
    record({ family: name, id, fields }) {
      const family = familyOf(name);
      if (!family) return;
      if (!family.operations.acceptsId && family !== families.setting) see(name, id);
      seeItems(family, fields);
    },
    finish() {
      const { sql, findings, table } = context;
      // Of the blocks before it a restore has closed, and what a station had sent of them comes back.
      const firstOpen = Number(readLocal(sql, FIRST_OPEN_BLOCK) ?? 0);
      const own = sql
        .all<{ block: number }>('SELECT block FROM main.block WHERE block >= ?', firstOpen)
        .map(({ block }) => block);
      for (const [place, n] of highest) {
        const space = place.lastIndexOf(' ');
        const [counter, block] = [place.slice(0, space), Number(place.slice(space + 1))];
        if (!own.includes(block)) continue;
        const next = sql.get<{ next: number }>(
          'SELECT next FROM main.allocation WHERE counter = ? AND block = ?',
          counter,
          block,
        )?.next;
        if ((next ?? 1) > n) continue;
        findings.add(
          `The counter would give ${block * BLOCK_SIZE + (next ?? 1)} next, but ${block * BLOCK_SIZE + n} is in use.`,
          `allocation of ${counter}, block ${block}`,
          remedies.restore,
        );
      }
      const last = sql.get<{ last: number | null; written: number | null }>(
        `SELECT (SELECT last FROM main.collection_sequence WHERE collection = ?) AS last,
           (SELECT max(sequence) FROM main."${table}") AS written`,
        table,
      );
      if ((last?.written ?? 0) > (last?.last ?? 0)) {
        findings.add('The counter of changes is behind a change.', 'collection_sequence', remedies.restore);
      }
    },
  };
}
