import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const FILE = 'backups.json';
const schema = z.object({
  /** The last backup that went into the second folder. */
  delivered: z.object({ folder: z.string(), file: z.string() }).optional(),
  /** The last backup that central has. */
  sent: z.object({ file: z.string(), at: z.string(), bytes: z.int() }).optional(),
  /** The last practice of a restore. */
  practised: z
    .object({
      at: z.string(),
      file: z.string(),
      records: z.int(),
      commits: z.int(),
      seconds: z.number(),
      fault: z.string().nullable(),
    })
    .optional(),
});

/** What a machine remembers of its backups, beside the database: a restore leaves it. */
export type BackupNotes = z.infer<typeof schema>;

/** What cannot be read was never noted: the next backup and practice note it again. */
export function readBackupNotes(data: string): BackupNotes {
  const path = join(data, FILE);
  if (!existsSync(path)) return {};
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
    throw error;
  }
}

export function writeBackupNotes(data: string, notes: BackupNotes): void {
  const path = join(data, FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(notes)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}
