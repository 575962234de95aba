import { createHash } from 'node:crypto';

/** What the name of a backup says. */
export interface NamedBackup {
  /** ISO 8601 UTC. */
  at: string;
  /** Which key opens it, by `keyNameOf`; null: it is plain. */
  key: string | null;
  /** Of which installation it is, by `stationMark`; null: the name does not say. */
  station: string | null;
}

const NAME =
  /^holdpoint-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z(?:\.db|-([0-9a-f]{8})-([0-9a-z]{8})\.db\.age)$/;
/** Of one that is not finished. */
export const PART = '.part';

/** Undefined for a name that no backup has. */
export function readBackupName(name: string): NamedBackup | undefined {
  const [, year, month, day, hour, minute, second, fraction, station, key] = NAME.exec(name) ?? [];
  if (fraction === undefined) return undefined;
  const at = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`;
  return { at, key: key ?? null, station: station ?? null };
}

/** An encrypted one cannot be asked whose it is: its name says so, and which key opens it. */
export function backupName(at: string, encrypted?: { station: string; key: string }): string {
  const stem = `holdpoint-${stampOf(at)}`;
  return encrypted ? `${stem}-${encrypted.station}-${encrypted.key}.db.age` : `${stem}.db`;
}

/** A short name of an installation, for file names in a folder that several share. */
export function stationMark(station: string): string {
  return createHash('sha256').update(station).digest('hex').slice(0, 8);
}

export function stampOf(at: string): string {
  return at.replace(/[-:.]/g, '');
}
