import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { knownUsers, rememberUser } from '../../../../renderer/screens/session/known-users.ts';

const kept = new Map<string, string>();

/** As a browser has it; Node has none of its own. */
beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const user = (login: string, name = login) => ({ login, name });

it('who signed in last comes first, once, by the name of that time', () => {
  for (const each of [user('ina'), user('otto'), user('ina', 'Ina Quality')]) rememberUser(each);
  expect(knownUsers()).toEqual([user('ina', 'Ina Quality'), user('otto')]);
});

it('eight are kept', () => {
  for (let number = 1; number <= 10; number += 1) rememberUser(user(`user ${number}`));
  expect(knownUsers().map(({ login }) => login)).toEqual(
    [10, 9, 8, 7, 6, 5, 4, 3].map(number => `user ${number}`),
  );
});

it.each(['', '{', 'null', '{"login":"a"}', '[{"login":1}]'])('what is kept as %j is no list', text => {
  rememberUser(user('ina'));
  for (const key of kept.keys()) kept.set(key, text);
  expect(knownUsers()).toEqual([]);
  rememberUser(user('otto'));
  expect(knownUsers()).toEqual([user('otto')]);
});

it('nobody is known at first', () => {
  expect(knownUsers()).toEqual([]);
});
