import { resolve, sep } from 'node:path';
import { keyNameOf } from './backup-key.ts';
import type { BackupNotes } from './backup-notes.ts';
import type { Seen } from './folder-looks.ts';

/** What a backup's warnings are worked out from. */
export interface BackupFacts {
  data: string;
  folder: string;
  /** Of the second folder; undefined: there is none, or nobody has looked. */
  seen: Seen | undefined;
  /** Bytes of the newest backup; undefined: there is none. */
  newest: number | undefined;
  /** Why the last backup failed; null: it did not. */
  failure: string | null;
  practised: BackupNotes['practised'];
  recipient: string | null;
  /** Whether the trail says that this recipient was set by Holdpoint. */
  isKeyKnown: boolean;
  /** Plain backups are meant. */
  isPlainMeant: boolean;
  /** Why none gets to central; null: nothing is wrong, or none is sent. */
  sendingFault: string | null;
  /** When the next practice is due; null: never. */
  practiceDue: Date | null;
  now: Date;
}

/** What a person should put right, a sentence or two each. */
export function backupWarnings(facts: BackupFacts): string[] {
  const { folder } = facts;
  const inside = `Backups stand in the data folder only (${folder}): what takes that disk takes them along. `;
  const remedy = 'Name a folder on another disk or machine in Setup, Backup.';
  return [...backupFaults(facts), ...(isInside(facts) ? [inside + remedy] : [])];
}

/** The same, of what is meant and does not work. */
export function backupFaults(facts: BackupFacts): string[] {
  const { folder, seen, newest, failure, practised, recipient, isKeyKnown, sendingFault } = facts;
  const warnings: string[] = [];
  if (failure !== null) warnings.push(failure);
  else if (seen?.fault !== undefined) warnings.push(seen.fault);
  const free = seen?.look?.free ?? null;
  if (!isInside(facts) && free !== null && newest !== undefined && free < newest)
    warnings.push(
      `The folder ${folder} is nearly full: ${mebibytes(free)} are free, and the last backup has ${mebibytes(newest)}. Free some space, or keep fewer backups.`,
    );
  if (recipient !== null && !isKeyKnown)
    warnings.push(
      `Backups are encrypted to the key ${keyNameOf(recipient)}, which nobody set in Holdpoint: the database was changed past it. Make another key in Setup, Backup, and find out who has that one.`,
    );
  if (sendingFault !== null) warnings.push(sendingFault);
  if (practised?.fault)
    warnings.push(
      `The restore that was practised on ${practised.at.slice(0, 10)} failed: ${practised.fault} Make a backup now, and practise again.`,
    );
  return warnings;
}

/** What a person should think of. */
export function backupHints({ recipient, isPlainMeant, practiceDue, now, practised }: BackupFacts): string[] {
  const hints: string[] = [];
  if (recipient === null && !isPlainMeant)
    hints.push(
      'Backups are not encrypted: who takes one can read all of it. Make a recovery key in Setup, Backup, or say there that they stay plain.',
    );
  if (practiceDue !== null && practiceDue <= now)
    hints.push(
      practised
        ? `A restore was practised last on ${practised.at.slice(0, 10)}. Practise it again, with the recovery key: Setup, Backup.`
        : 'No restore was practised yet. Practise one, with the recovery key: Setup, Backup.',
    );
  return hints;
}

function isInside({ data, folder }: BackupFacts): boolean {
  return `${resolve(folder)}${sep}`.startsWith(`${resolve(data)}${sep}`);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
