import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { readJson } from '../shared/contract/read-json.ts';

export interface JsonFile<Value> {
  read(): Value;
  /** Durable when it returns: the former content or this one is there after any end of the machine. */
  write(value: Value): void;
}

/**
 * A small file that one process owns. What is not there, or is not what `schema` says, reads as `fallback`; the damaged
 * file is kept beside it, for whoever wonders.
 */
export function jsonFile<Value>(path: string, schema: z.ZodType<Value>, fallback: Value): JsonFile<Value> {
  return {
    read() {
      let text: string;
      try {
        text = readFileSync(path, 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return fallback;
        throw error;
      }
      const parsed = schema.safeParse(readJson(text));
      if (parsed.success) return parsed.data;
      renameSync(path, `${path}.damaged`);
      return fallback;
    },
    write(value) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify(value), { mode: 0o600, flush: true });
      renameSync(`${path}.new`, path);
      syncFolder(dirname(path));
    },
  };
}

/** Windows makes a rename durable by itself, and opens no folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
