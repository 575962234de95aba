import type { StoredRecord } from '../../shared/contract/present.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import type { Database } from '../store/sqlite/database.ts';
import type { Store } from '../store/store.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import { writersOf } from '../store/writers.ts';
import { readAuthorityCertificate } from './authority-certificate.ts';
import { hasLog } from './trail.ts';

/** Administrators who have to certify another key. */
export const CERTIFIERS_DUE = 2;
/** In `local`: what was found certified once. It stays so, whatever becomes of those who did it. */
const KNOWN = 'certified_authorities';

/** That an installation signs by another key. */
export interface KeyChange {
  installation: string;
  /** Public keys. */
  former: string;
  key: string;
  /**
   * The last entry of central's log that is known to be from before: who became an administrator later, or got a key later, may
   * be of whoever changed the key. Undefined where there is no log.
   */
  until: number | undefined;
}

/** Logins of those who have certified it: administrators by what stood before, each with the key that they had then. */
export function certifiersOf(
  { records, database }: Pick<Store, 'records' | 'database'>,
  change: KeyChange,
): string[] {
  const certifiers = new Map<number, string>();
  for (const { fields } of records.findBy('audit-event', 'kind', 'authority_certified')) {
    const certificate = readAuthorityCertificate(fields.details);
    const isOfIt =
      certificate?.installation === change.installation &&
      certificate.former === change.former &&
      certificate.key === change.key;
    const user = isOfIt ? records.get('user', certificate.user_id) : undefined;
    if (!certificate || !user || user.fields.public_key !== certificate.signer) continue;
    if (administers(user) && isFromBefore(database.reader, user, change.until))
      certifiers.set(user.id, String(user.fields.login));
  }
  return [...certifiers.values()];
}

/** Whether enough have certified it. */
export function isCertified(store: Pick<Store, 'records' | 'database'>, change: KeyChange): boolean {
  return isKnown(store.database.reader, change) || certifiersOf(store, change).length >= CERTIFIERS_DUE;
}

/** In the open transaction: that it is certified does not end when an administrator leaves or gets another key. */
export function keepCertified(database: Database, change: KeyChange): void {
  const known = readKnown(database);
  if (!known.includes(nameOf(change)))
    writeLocal(database, KNOWN, JSON.stringify([...known, nameOf(change)]));
}

export function isKnown(sql: SqlReader, change: KeyChange): boolean {
  return readKnown(sql).includes(nameOf(change));
}

export function administers({ fields }: Pick<StoredRecord, 'fields'>): boolean {
  const { is_active: isActive, roles } = fields;
  return isActive === true && Array.isArray(roles) && roles.includes('administrator');
}

/** Whether the user's key and roles stood in central's log by then. What is in no log came with the records in its place. */
export function isFromBefore(sql: SqlReader, user: StoredRecord, until: KeyChange['until']): boolean {
  if (until === undefined || !hasLog(sql)) return true;
  const commits = ['public_key', 'roles', 'is_active'].flatMap(path => writersOf(user, path));
  return commits.every(id => {
    const entry = sql.get<{ sequence: number }>('SELECT sequence FROM log WHERE commit_id = ?', id);
    return entry === undefined || entry.sequence <= until;
  });
}

function readKnown(sql: SqlReader): string[] {
  return JSON.parse(readLocal(sql, KNOWN) ?? '[]');
}

const nameOf = ({ installation, former, key }: KeyChange) => `${installation} ${former} ${key}`;
