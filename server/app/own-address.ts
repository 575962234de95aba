import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Where a server that uses a data folder listens, for whoever starts there a second time: the desktop app of the next shift. */
const FILE = 'own-address';

const addressSchema = z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ });

/** Says it in the folder, which only those can write who can read the records too; of other addresses than the app's nothing. */
export function publishAddress(folder: string, origin: string): void {
  if (!addressSchema.safeParse(origin).success) return;
  const part = join(folder, `${FILE}.part`);
  writeFileSync(part, `${origin}\n`, { mode: 0o600 });
  renameSync(part, join(folder, FILE));
}

export function withdrawAddress(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/** What a server has said that may be gone; undefined where none said it listens on this machine alone. */
export function publishedAddress(folder: string): string | undefined {
  try {
    const parsed = addressSchema.safeParse(readFileSync(join(folder, FILE), 'utf8').trim());
    return parsed.success ? new URL(parsed.data).origin : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
