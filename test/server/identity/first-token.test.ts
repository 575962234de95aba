import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ensureFirstToken } from '../../../server/identity/first-token.ts';
import { createTokens, type Tokens } from '../../../server/identity/tokens.ts';
import { createTokenTable } from './token-table.ts';

let parent: string;
let folder: string;
let path: string;
let tokens: Tokens;

const withoutTokens = () =>
  createTokens({ table: createTokenTable(), now: () => new Date(), random: randomBytes });
const identityInFile = () => tokens.authenticate(`Bearer ${readFileSync(path, 'utf8').trim()}`);
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'first-token-'));
  folder = join(parent, 'data', 'station');
  path = join(folder, 'token');
  tokens = withoutTokens();
});
afterEach(() => rmSync(parent, { recursive: true }));

describe('ensureFirstToken', () => {
  it('writes an administrator’s token that only the owner can read', () => {
    expect(ensureFirstToken({ folder, tokens })).toEqual({ path, isNew: true });
    expect(identityInFile()?.scopes).toContain('admin');
    expect([modeOf(path), modeOf(folder)]).toEqual(['600', '700']);
  });

  it('closes a folder that others could read', () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    ensureFirstToken({ folder, tokens });
    expect(modeOf(folder)).toBe('700');
  });

  it('leaves the file at the next start', () => {
    ensureFirstToken({ folder, tokens });
    const before = readFileSync(path, 'utf8');
    expect(ensureFirstToken({ folder, tokens })).toEqual({ path, isNew: false });
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(tokens.list()).toHaveLength(1);
  });

  it('does not bring back a file that was taken away', () => {
    ensureFirstToken({ folder, tokens });
    rmSync(path);
    expect(ensureFirstToken({ folder, tokens })).toBeNull();
    expect(existsSync(path)).toBe(false);
  });

  it('makes good a crash between the file and the stored hash', () => {
    ensureFirstToken({ folder, tokens });
    tokens = withoutTokens();
    expect(identityInFile()).toBeNull();
    expect(ensureFirstToken({ folder, tokens })).toEqual({ path, isNew: false });
    expect(identityInFile()?.scopes).toContain('admin');
  });

  it('names a file that holds something else, and keeps it', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, 'notes');
    expect(() => ensureFirstToken({ folder, tokens })).toThrow(path);
    expect(readFileSync(path, 'utf8')).toBe('notes');
    expect(tokens.list()).toEqual([]);
  });
});
