import { describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { tokenTable } from '../../../server/store/token-table.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, update } from '../store/temporary-store.ts';
import { refusalOf } from './refusal.ts';
import { openSite } from './site.ts';

const add = async (store: Store, login: string, fields: object = {}) =>
  (await create(store, 'user', { name: login, login, ...fields })).id;

const formerOf = (store: Store, id: number) => store.records.get('user', id)?.fields.former_logins;

const taken = (login: string) => ({
  login: `"${login}" is taken; history names an author by it. Give another one.`,
});

describe('a login', () => {
  it.each(['setup', 'sign-in', 'holdpoint_token', 'first-administrator', 'command-line'])(
    'is not %s, which history names as an author',
    async login => {
      const store = await openSite();
      expect(await refusalOf(add(store, login))).toEqual(taken(login));
    },
  );

  it("is nobody else's, now or formerly; one's own former one can be taken again", async () => {
    const store = await openSite();
    const ann = await add(store, 'ann');
    const bob = await add(store, 'bob');
    expect(formerOf(store, ann)).toBeUndefined();
    await update(store, 'user', ann, { login: 'anna' });
    expect(formerOf(store, ann)).toEqual(['ann']);
    for (const login of ['ann', 'anna']) {
      expect(await refusalOf(update(store, 'user', bob, { login }))).toEqual(taken(login));
    }
    await update(store, 'user', ann, { login: 'annie' });
    expect(formerOf(store, ann)).toEqual(['ann', 'anna']);
    await update(store, 'user', ann, { login: 'ann' });
    expect(formerOf(store, ann)).toEqual(['anna', 'annie']);
    // Sent back as it is, or left out, it is no change.
    await update(store, 'user', ann, { login: 'ann', name: 'Ann' });
    expect(formerOf(store, ann)).toEqual(['anna', 'annie']);
    expect(await refusalOf(add(store, 'annie'))).toEqual(taken('annie'));
  });

  it('is not taken by two users of one commit', async () => {
    const store = await openSite();
    const body = parseInput(families.user, { name: 'Ann', login: 'ann' }, { mode: 'create' });
    const both = store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: draft => {
        draft.create(families.user, body);
        return draft.create(families.user, body);
      },
      answer: record => record,
    });
    expect(await refusalOf(both)).toEqual(taken('ann'));
  });

  it('is free again in the commit that changes it, though its former owner keeps it', async () => {
    const store = await openSite();
    const ann = await add(store, 'ann');
    const swapped = store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: draft => {
        draft.update(families.user, ann, parseInput(families.user, { login: 'anna' }, { mode: 'patch' }));
        const other = { name: 'Other', login: 'ann' };
        return draft.create(families.user, parseInput(families.user, other, { mode: 'create' }));
      },
      answer: record => record,
    });
    expect(await refusalOf(swapped)).toEqual(taken('ann'));
  });

  it('is not the name of a token, in any case', async () => {
    const store = await openSite();
    const earlier = await add(store, 'printer');
    const row = { scopes: [], created_at: '2026-01-01T00:00:00.000Z', revoked_at: null };
    for (const name of ['Scale', 'Printer']) tokenTable(store.database).insert({ name, hash: name, ...row });
    expect(await refusalOf(add(store, 'scale'))).toEqual({
      login: '"scale" is the name of a token; history names its author by it. Give another login.',
    });
    expect(await refusalOf(add(store, 'scales'))).toEqual({});
    // Who had the name before the token keeps it.
    await update(store, 'user', earlier, { name: 'Printer', login: 'printer' });
    expect(formerOf(store, earlier)).toBeUndefined();
  });
});

describe('an administrator', () => {
  const administrator = { roles: ['administrator'] };
  const refused = {
    conflict: 'This is the last active administrator. Make another user an administrator first.',
  };

  it.each([
    ['loses the role', { roles: ['quality'] }],
    ['is made inactive', { is_active: false }],
  ])('who is the last one never %s', async (_, change) => {
    const store = await openSite();
    await add(store, 'bob', { roles: ['quality'] });
    await add(store, 'eve', { ...administrator, is_active: false });
    const ann = await add(store, 'ann', administrator);
    expect(await refusalOf(update(store, 'user', ann, change))).toEqual(refused);
    await update(store, 'user', ann, { name: 'Ann' });
    await add(store, 'zoe', administrator);
    await update(store, 'user', ann, change);
  });

  it('may be replaced in one commit', async () => {
    const store = await openSite();
    const ann = await add(store, 'ann', administrator);
    const bob = await add(store, 'bob');
    const inOne = (change: object, ...others: [number, object][]) =>
      store.gate.commit({
        actor: { rights: BY_SERVER, user: 'tester' },
        reason: null,
        work: draft => {
          const set = (id: number, body: object) =>
            draft.update(families.user, id, parseInput(families.user, body, { mode: 'patch' }));
          for (const [id, body] of others) set(id, body);
          return set(ann, change);
        },
        answer: record => record,
      });
    await inOne({ is_active: false }, [bob, administrator]);
    expect(await refusalOf(update(store, 'user', bob, { roles: [] }))).toEqual(refused);
  });

  it('is not missed among those who never were one', async () => {
    const store = await openSite();
    const bob = await add(store, 'bob', { roles: ['quality'] });
    await update(store, 'user', bob, { is_active: false, roles: [] });
  });
});
