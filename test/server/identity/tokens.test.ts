import { createHash, randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import { createTokens, type Tokens, type TokensOptions } from '../../../server/identity/tokens.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { createTokenTable } from './token-table.ts';

const NOW = '2025-03-01T10:00:00.000Z';
let table: ReturnType<typeof createTokenTable>;
let tokens: Tokens;

const withTable = (options: Partial<TokensOptions> = {}) =>
  createTokens({ table, now: () => new Date(NOW), random: randomBytes, ...options });

beforeEach(() => {
  table = createTokenTable();
  tokens = withTable();
});

function refusalOf(action: () => unknown): AppError {
  try {
    action();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('accepted');
}

describe('create', () => {
  it('answers the secret once and stores its hash', () => {
    const { secret, token } = tokens.create({ name: ' line 1 ', scopes: ['read'] });
    expect(secret).toMatch(/^hp_[\w-]{43}$/);
    expect(token).toEqual({
      id: 1,
      name: 'line 1',
      scopes: ['read'],
      effective_scopes: ['read'],
      roles: ['viewer'],
      ...{ ends_at: null, families: null, networks: null, created_by: null },
      ...{ last_used_at: null, last_used_from: null },
      created_at: NOW,
      revoked_at: null,
    });
    expect(tokens.list()).toEqual([token]);
    expect(table.rows[0]?.hash).toBe(createHash('sha256').update(secret).digest('hex'));
    expect(JSON.stringify(table.rows)).not.toContain(secret);
    expect(tokens.create({ name: 'line 2', scopes: ['read'] }).secret).not.toBe(secret);
  });

  it.each([
    [['read'], ['read']],
    [['write'], ['read', 'write']],
    [
      ['write', 'read', 'read'],
      ['read', 'write'],
    ],
    [['admin'], ['read', 'write', 'admin']],
  ])('takes the scopes %j as %j', (scopes, stored) => {
    expect(tokens.create({ name: 'x', scopes }).token.scopes).toEqual(stored);
  });

  it.each([
    ['an empty name', { name: '  ', scopes: ['read'] }, 'name'],
    ['a long name', { name: 'x'.repeat(101), scopes: ['read'] }, 'name'],
    ['a line break in a name', { name: 'a\r\nSet-Cookie: b', scopes: ['read'] }, 'name'],
    ['a name in use', { name: 'taken', scopes: ['read'] }, 'name'],
    ['no scope', { name: 'x', scopes: [] }, 'scopes'],
    ['an unknown scope', { name: 'x', scopes: ['read', 'root'] }, 'scopes'],
  ])('refuses %s', (_name, token, field) => {
    tokens.create({ name: 'taken', scopes: ['read'] });
    const refusal = refusalOf(() => tokens.create(token));
    expect([refusal.status, Object.keys(refusal.errors ?? {})]).toEqual([422, [field]]);
    expect(table.rows).toHaveLength(1);
  });

  it('takes a name of 100 characters', () => {
    expect(tokens.create({ name: 'x'.repeat(100), scopes: ['read'] }).token.id).toBe(1);
  });

  it.each(['scale', 'setup', 'sign-in', 'first-administrator', 'HOLDPOINT_TOKEN'])(
    'never gives the name %s to another author',
    name => {
      if (name === 'scale') tokens.revoke(tokens.create({ name, scopes: ['read'] }).token.id);
      expect(() => tokens.create({ name, scopes: ['read'] })).toThrow(/was given already/);
    },
  );
});

describe('authenticate', () => {
  it('knows the token, at first sight and again, after a restart too', () => {
    const { secret } = tokens.create({ name: 'a', scopes: ['write'] });
    const identity = { tokenId: 1, name: 'a', scopes: ['read', 'write'] };
    expect(tokens.authenticate(`Bearer ${secret}`)).toEqual(identity);
    expect(tokens.authenticate(`Bearer ${secret}`)).toEqual(identity);
    expect(withTable().authenticate(`Bearer ${secret}`)).toEqual(identity);
  });

  it('does not trust a table that finds what is not equal', () => {
    const { secret } = tokens.create({ name: 'a', scopes: ['read'] });
    const loose = withTable({ table: { ...table, findByHash: () => table.rows[0] } });
    expect(loose.authenticate('Bearer wrong')).toBeNull();
    expect(loose.authenticate(`Bearer ${secret}`)?.name).toBe('a');
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer ä', `Bearer ${'x'.repeat(513)}`])(
    'refuses %j',
    header => {
      expect(tokens.authenticate(header)).toBeNull();
    },
  );
});

describe('authenticate over one connection', () => {
  it('knows what it has heard before, and no more than that', () => {
    const connection = {};
    const first = tokens.create({ name: 'a', scopes: ['read'] });
    const second = tokens.create({ name: 'b', scopes: ['read'] });
    const callerOf = (secret: string) => tokens.authenticate(`Bearer ${secret}`, connection)?.name;
    expect([first, first, second, first].map(({ secret }) => callerOf(secret))).toEqual(['a', 'a', 'b', 'a']);
    expect(callerOf(`${first.secret}x`)).toBeUndefined();
    expect(callerOf(first.secret)).toBe('a');
    tokens.revoke(first.token.id);
    expect(callerOf(first.secret)).toBeUndefined();
    expect(tokens.authenticate(undefined, connection)).toBeNull();
  });
});

describe('a token that has an end', () => {
  it('tells listeners when it comes, once, whether it is used then or not', () => {
    let time = Date.parse(NOW);
    tokens = withTable({ now: () => new Date(time) });
    const body = { name: 'a', scopes: ['read'], ends_at: '2025-03-01T11:00:00.000Z' };
    const { secret, token } = tokens.create(body);
    const ended: number[] = [];
    tokens.onRevoke(id => ended.push(id));
    expect(tokens.authenticate(`Bearer ${secret}`)?.name).toBe('a');
    tokens.endOver();
    expect(ended).toEqual([]);
    time += 3_600_000;
    tokens.endOver();
    tokens.endOver();
    expect(ended).toEqual([token.id]);
    expect(refusalOf(() => tokens.authenticate(`Bearer ${secret}`)).status).toBe(401);
  });

  it('is over also where the clock was set back since', () => {
    let least: string | undefined;
    tokens = withTable({ atLeast: () => least });
    const body = { name: 'a', scopes: ['read'], ends_at: '2025-03-01T11:00:00.000Z' };
    const { secret } = tokens.create(body);
    expect(tokens.authenticate(`Bearer ${secret}`)?.name).toBe('a');
    least = '2025-03-01T11:00:00.000Z';
    expect(refusalOf(() => tokens.authenticate(`Bearer ${secret}`)).status).toBe(401);
  });
});

describe('revoke', () => {
  it('ends the token at once, for good, and tells listeners', () => {
    const { secret, token } = tokens.create({ name: 'a', scopes: ['read'] });
    const other = tokens.create({ name: 'b', scopes: ['read'] });
    const revoked: number[] = [];
    const stop = tokens.onRevoke(id => revoked.push(id));
    expect(tokens.authenticate(`Bearer ${secret}`)).not.toBeNull();
    tokens.revoke(token.id);
    tokens.revoke(token.id);
    expect(tokens.authenticate(`Bearer ${secret}`)).toBeNull();
    expect(withTable().authenticate(`Bearer ${secret}`)).toBeNull();
    expect(tokens.authenticate(`Bearer ${other.secret}`)).not.toBeNull();
    expect(tokens.list()[0]).toMatchObject({ name: 'a', revoked_at: NOW });
    stop();
    tokens.revoke(other.token.id);
    expect(revoked).toEqual([token.id]);
  });

  it.each([0, 1, -1, 1.5])('answers 404 for the unknown id %d', id => {
    expect(refusalOf(() => tokens.revoke(id)).status).toBe(404);
  });
});

describe('the environment’s token', () => {
  it('is an administrator’s and is not listed', () => {
    const own = withTable({ environmentToken: 'test-token' });
    expect(own.authenticate('Bearer test-token')).toMatchObject({
      tokenId: 0,
      scopes: ['read', 'write', 'admin'],
    });
    expect(own.authenticate('Bearer test-tokem')).toBeNull();
    expect(own.list()).toEqual([]);
    expect(tokens.authenticate('Bearer test-token')).toBeNull();
  });

  it('is none when it is empty', () => {
    expect(withTable({ environmentToken: '' }).authenticate('Bearer ')).toBeNull();
  });

  it.each(['two words', 'line\n', 'ä', 'x'.repeat(513)])(
    'is refused when no header can carry it: %j',
    environmentToken => {
      expect(refusalOf(() => withTable({ environmentToken })).message).toContain('HOLDPOINT_TOKEN');
    },
  );
});
