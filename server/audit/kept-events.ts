import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../shared/contract/read-json.ts';
import type { Database } from '../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import type { AuditEvent } from './event.ts';

export const KEPT_EVENTS_FILE = 'audit-events.jsonl';
/** Under which `local` has the digest of what was last taken from the file. */
const TAKEN = 'audit_kept_taken';
/** Bytes: whoever can fill the disk's last corner with events must not. */
const LIMIT = 1024 * 1024;
/** Events that are noted in one commit. */
const AT_ONCE = 1_000;

/** Events in the data folder: of a store that cannot be written, and of commands that have none open. */
export type KeptEvents = ReturnType<typeof keptEvents>;

export function keptEvents(folder: string) {
  const path = join(folder, KEPT_EVENTS_FILE);
  const taken = join(folder, `${KEPT_EVENTS_FILE}.taken`);
  return {
    /** @throws Error where the file cannot be written, or is full */
    add(events: readonly AuditEvent[]): void {
      const text = events.map(event => `${JSON.stringify(event)}\n`).join('');
      const file = openSync(path, 'a', 0o600);
      try {
        if (statSync(path).size + text.length > LIMIT) throw new Error(`${path} is full.`);
        // A line that was cut off before must not take the next one along.
        writeSync(file, statSync(path).size > 0 ? `\n${text}` : text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    /** What was kept until now, out of the way of what comes; undefined where nothing was. */
    take(): string | undefined {
      if (!existsSync(taken) && existsSync(path)) renameSync(path, taken);
      return existsSync(taken) ? readFileSync(taken, 'utf8') : undefined;
    },
    /** What was taken is noted. */
    remove: () => rmSync(taken, { force: true }),
  };
}

/** Notes what was kept, once: what a crash left in the file was noted before it, which the digest tells. */
export async function takeKept(
  kept: KeptEvents,
  database: Database,
  write: (events: readonly AuditEvent[], act: () => void) => Promise<void>,
): Promise<void> {
  const text = kept.take();
  if (text === undefined) return;
  const digest = hash('sha256', text);
  if (readLocal(database.reader, TAKEN) !== digest) {
    const events = text.split('\n').flatMap(line => eventIn(line) ?? []);
    const first = events.slice(0, AT_ONCE);
    const left = events.length - first.length;
    const rest: AuditEvent[] = left > 0 ? [{ kind: 'not_kept', count: left }] : [];
    await write([...first, ...rest], () => writeLocal(database, TAKEN, digest));
  }
  kept.remove();
}

function eventIn(line: string): AuditEvent | undefined {
  const value = line === '' ? undefined : readJson(line);
  const { kind, at } = Object(value) as Partial<AuditEvent>;
  return typeof kind === 'string' && typeof at === 'string' ? (value as AuditEvent) : undefined;
}
