import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOLDPOINT } from '../../support/command-line.ts';
import { Station } from '../../support/station.ts';
import { environmentOf } from '../transfer/holdpoint.ts';
import { Browser, dataOf, PASSWORD } from './browser.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const station = new Station();
beforeAll(() => station.start());
afterAll(() => station.stop());

async function holdpoint(words: string[], input = '', env = environmentOf(station)) {
  const child = spawn(process.execPath, [HOLDPOINT, ...words], {
    cwd: PROJECT,
    env: { ...process.env, NODE_ENV: undefined, ...env },
  });
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { out, err, code };
}

it('the start and the command line print links for the first administrator; each makes the former void', async () => {
  const [, printed = ''] = /First sign-in {2}\S+\/first#([A-Z2-7]{26}) /.exec(station.output) ?? [];
  expect(printed).toHaveLength(26);
  const { out, code } = await holdpoint(['user', 'link']);
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^${station.origin}/first#[A-Z2-7]{26}\n$`));
  const browser = new Browser(station.origin);
  const boss = { name: 'Boss', login: 'boss', password: PASSWORD };
  expect((await browser.post('/x/first-administrator', { ...boss, code: printed })).status).toBe(422);
  const fresh = out.trim().split('#')[1];
  expect((await browser.post('/x/first-administrator', { ...boss, code: fresh })).status).toBe(201);
  const late = await holdpoint(['user', 'link']);
  expect([late.code, late.err]).toEqual([1, expect.stringContaining('There is a user already')]);
  await station.restart();
  expect(station.output.match(/First sign-in/g)).toHaveLength(1);
});

it('users are made, listed, given passwords and deactivated; a password is never an argument', async () => {
  const made = await holdpoint(
    ['user', 'create', 'Ann', '--name', 'Ann Keller', '--roles', 'operator, inspector', '--password-stdin'],
    `${PASSWORD}\n`,
  );
  expect([made.code, made.out]).toEqual([0, expect.stringContaining('"ann" (operator, inspector)')]);
  const browser = new Browser(station.origin);
  expect(dataOf(await browser.signIn('ann')).password_due).toBe('temporary');
  expect((await holdpoint(['user', 'list'])).out).toMatch(/2 +ann +Ann Keller +operator,inspector/);

  const weak = await holdpoint(['user', 'password', 'ann', '--password-stdin'], 'ann');
  expect([weak.code, weak.err]).toEqual([1, expect.stringContaining('too short')]);
  const nobody = await holdpoint(['user', 'password', 'nobody', '--password-stdin'], PASSWORD);
  expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('no user nobody')]);
  expect((await holdpoint(['user', 'password', 'ann', PASSWORD], '')).code).toBe(2);
  const unasked = await holdpoint(['user', 'password', 'ann'], PASSWORD);
  expect([unasked.code, unasked.err]).toEqual([1, expect.stringContaining('--password-stdin')]);
  expect((await holdpoint(['user', 'password', 'ANN', '--password-stdin'], 'nine brown otters')).code).toBe(
    0,
  );
  expect((await browser.get('/suppliers')).status).toBe(401);
  expect(dataOf(await browser.signIn('ann', 'nine brown otters'))).toMatchObject({ user: { login: 'ann' } });

  expect((await holdpoint(['user', 'deactivate', 'ann'])).code).toBe(0);
  expect((await browser.get('/suppliers')).status).toBe(401);
  const last = await holdpoint(['user', 'deactivate', 'boss']);
  expect([last.code, last.err]).toEqual([1, expect.stringContaining('last active administrator')]);
});

it('the server is found at the port that it has taken, where nobody names another', async () => {
  const env = { ...environmentOf(station), HOLDPOINT_PORT: '' };
  expect(await holdpoint(['user', 'list'], '', env)).toMatchObject({ code: 0, err: '' });
  // One that is named is meant.
  const wrong = await holdpoint(['user', 'list'], '', { ...env, HOLDPOINT_PORT: '9' });
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('none answers at') });
});

it('without a server users are made all the same, and a link is refused', async () => {
  await station.stop();
  const other = new Station();
  await other.start();
  await other.kill();
  const env = environmentOf(other);
  const link = await holdpoint(['user', 'link'], '', env);
  expect([link.code, link.err]).toEqual([1, expect.stringContaining('No server runs')]);
  const words = ['user', 'create', 'ann', '--name', 'Ann', '--own-password', '--password-stdin'];
  expect((await holdpoint(words, PASSWORD, env)).code).toBe(0);
  await other.start();
  expect(dataOf(await new Browser(other.origin).signIn('ann')).password_due).toBeNull();
  await other.stop();
});
