import { createHash, randomBytes } from 'node:crypto';
import { backupName, stationMark } from '../../../server/store/restore/backup-names.ts';

export const MAGIC = Buffer.from('age-encryption.org/v1\n');
export const RECIPIENT = 'qpzry9x8';

/** What a station would send: central cannot tell it from an encrypted backup. */
export function backupOf(station: string, at: string, size = 40_000) {
  const bytes = Buffer.concat([MAGIC, randomBytes(size - MAGIC.length)]);
  return {
    bytes,
    about: {
      file: backupName(at, { station: stationMark(station), key: RECIPIENT }),
      bytes: bytes.length,
      digest: createHash('sha256').update(bytes).digest('hex'),
    },
  };
}

export type Sent = ReturnType<typeof backupOf>;
