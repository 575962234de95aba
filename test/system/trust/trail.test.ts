import { execFile } from 'node:child_process';
import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOfKey } from '../../../server/keys/ed25519.ts';
import type { CheckpointFile } from '../../../shared/operations/checkpoint-operations.ts';
import { environmentOf, holdpoint } from '../../server/transfer/holdpoint.ts';
import { Station } from '../../support/station.ts';
import {
  dataOf,
  startCentral,
  startStation,
  supplierAt,
  untilInStep,
} from '../sync/processes/installation.ts';
import { rewrittenStore } from './rewritten-store.ts';
import {
  hashedAnew,
  type Line,
  otherKey,
  readTrail,
  signedAnew,
  type TrailCommit,
  writeTrail,
} from './trail-file.ts';
import { Verifier } from './verifier.ts';

const VERIFIER = fileURLToPath(new URL('../../../docs/verify/verify.mjs', import.meta.url));
const PYTHON = fileURLToPath(new URL('verify.py', import.meta.url));

let folder: string;
let central: Station;
let dock: Station;
let lab: Station;
/** Kept elsewhere before the last changes. */
let kept: string;
let trail: string;
let key: KeyObject;
let fingerprint: string;

const [own, second] = [Verifier.own(), Verifier.second()];

const inFolder = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-trust-'));
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  lab = await startStation(central, 'Lab');
  for (const [index, at] of [dock, lab, central, dock, lab].entries()) await supplierAt(at, `Maker ${index}`);
  const id = await supplierAt(dock, 'Maker of "ä" \u2028 and \u0001');
  dataOf(await dock.patch(`/suppliers/${id}`, { name: 'Maker, renamed' }));
  await untilInStep(central, [dock, lab]);
  kept = inFolder('kept.json');
  expect(await holdpoint(environmentOf(central), 'checkpoint', kept)).toMatchObject({ code: 0 });
  for (const at of [central, dock]) await supplierAt(at, 'After the checkpoint');
  await untilInStep(central, [dock, lab]);
  trail = inFolder('trail.jsonl');
  expect(await holdpoint(environmentOf(central), 'trail', trail)).toMatchObject({ code: 0 });
  key = createPrivateKey(readFileSync(join(central.folder, 'authority.key')));
  const own = read(kept).checkpoints[0];
  fingerprint = fingerprintOfKey(own?.key ?? '');
});
afterAll(async () => {
  await Promise.all([own.close(), second.close()]);
  for (const station of [dock, lab, central]) await station?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

function read(file: string): CheckpointFile {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Ends with its output and code. */
function run(program: string, ...words: string[]): Promise<{ code: number; output: string }> {
  return new Promise(resolve => {
    execFile(program, words, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 99;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

const verified = (file: string, ...words: string[]) => own.verify(file, ...words);

async function hasPython(): Promise<boolean> {
  const [python, openssl] = await Promise.all([run('python3', '--version'), run('openssl', 'version')]);
  return python.code === 0 && openssl.code === 0;
}

describe('what is whole', () => {
  it.each([
    ['central', () => central],
    ['a station', () => dock],
  ])('is whole by both verifiers: the trail of %s', async (name, at) => {
    const file = inFolder(`whole ${name}.jsonl`);
    expect(await holdpoint(environmentOf(at()), 'trail', file)).toMatchObject({ code: 0 });
    const checked = await run(process.execPath, VERIFIER, file, '--checkpoint', kept);
    expect(checked.output).toMatch(
      /Nothing is wrong with .*: \d+ commits in \d chains, \d+ entries of the log; \d of \d places are as they were signed\./,
    );
    expect(checked.code).toBe(0);
    if (!(await hasPython()) && process.env.CI === undefined) return;
    expect(await run('python3', PYTHON, file)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^(chain \S+: signed by its station up to \d+\n)*whole\n$/),
    });
  });

  it('is one that stands alone and was restored, which writes in another chain since', async () => {
    const alone = new Station();
    await alone.start();
    try {
      await supplierAt(alone, 'Before');
      const before = inFolder('before.json');
      await holdpoint(environmentOf(alone), 'checkpoint', before);
      await holdpoint(environmentOf(alone), 'backup');
      const backups = join(alone.folder, 'backups');
      const backup = join(backups, readdirSync(backups).at(-1) ?? '');
      await alone.end();
      const restored = await holdpoint({ HOLDPOINT_DATA: alone.folder }, 'restore', backup);
      expect(restored.output).toContain('is restored');
      await alone.start();
      // That it was restored is the first that stands in its new chain.
      for (const name of ['restored.jsonl', 'written since.jsonl']) {
        const file = inFolder(name);
        expect(await holdpoint(environmentOf(alone), 'trail', file)).toMatchObject({ code: 0 });
        const checked = await verified(file, '--checkpoint', before);
        expect(checked.output).toContain(' in 2 chains');
        expect(checked.code).toBe(0);
        const lines = readTrail(file);
        const renamed = lines.map(line => {
          if (!line.commit?.entries.some(({ changes }) => changes.some(one => one.new === 'Before')))
            return line;
          return { commit: { ...line.commit, user: 'user:9' } };
        });
        const anew = hashedAnew(renamed).with(-1, lines.at(-1) ?? {});
        writeTrail(inFolder('forged.jsonl'), anew);
        const found = await verified(inFolder('forged.jsonl'));
        expect(found.output).toContain('does not end where the checkpoint says');
        expect(found.code).toBe(1);
        await supplierAt(alone, 'Since');
      }
    } finally {
      await alone.stop();
    }
  });

  it('is one that stands alone, with no log', async () => {
    const elsewhere = inFolder('elsewhere');
    mkdirSync(elsewhere);
    const alone = new Station({ env: { HOLDPOINT_CHECKPOINTS: elsewhere } });
    await alone.start();
    try {
      await supplierAt(alone, 'Alone');
      const [file, checkpoint] = [inFolder('alone.jsonl'), inFolder('alone.json')];
      await holdpoint(environmentOf(alone), 'checkpoint', checkpoint);
      await supplierAt(alone, 'Alone still');
      await holdpoint(environmentOf(alone), 'trail', file);
      expect(await verified(file, '--checkpoint', checkpoint)).toMatchObject({ code: 0 });
      await alone.end();
      const days = readdirSync(elsewhere).map(day => join(elsewhere, day));
      expect(days.length).toBeGreaterThan(0);
      for (const day of days) expect(await verified(file, '--checkpoint', day)).toMatchObject({ code: 0 });
      const last = await verified(days.at(-1) ?? '', '--checkpoint', checkpoint);
      expect(last.output).toContain(': 1 checkpoint.');
      const words = ['verify', '--checkpoint', checkpoint];
      const proved = await holdpoint({ HOLDPOINT_DATA: alone.folder }, ...words);
      expect(proved.output).toContain('1 place is here as');
      expect(proved.code).toBe(0);
    } finally {
      await alone.stop();
    }
  });

  it('says at the start that its key is another one, with both fingerprints, and what to do', async () => {
    const alone = new Station();
    await alone.start();
    try {
      await supplierAt(alone, 'Alone');
      const keyOf = async () =>
        dataOf<CheckpointFile>(await alone.get('/x/checkpoints')).checkpoints[0]?.key ?? '';
      const former = await keyOf();
      await alone.end();
      await alone.start();
      expect(await keyOf()).toBe(former);
      expect(alone.output).not.toContain('signs with another key');
      await alone.end();
      rmSync(join(alone.folder, 'authority.key'));
      await alone.start();
      const [next, told] = [await keyOf(), alone.output];
      expect(next).not.toBe(former);
      for (const part of ['signs with another key', fingerprintOfKey(former), fingerprintOfKey(next)])
        expect(told).toContain(part);
    } finally {
      await alone.stop();
    }
  });

  it('names who signed, and whom one did not expect', async () => {
    expect(await verified(trail, '--key', fingerprint.toUpperCase())).toMatchObject({ code: 0 });
    const other = await verified(trail, '--key', 'ab'.repeat(32));
    expect(other.output).toContain('it is signed by another key than the one you gave');
    expect(other.code).toBe(1);
  });

  it('is what central signed at a station, where it is kept', async () => {
    await dock.end();
    await dock.start();
    const { checkpoints } = dataOf<CheckpointFile>(await dock.get('/x/checkpoints'));
    const [own, ofCentral] = checkpoints;
    expect(own).toMatchObject({
      log: { sequence: expect.any(Number) },
      chain: { number: expect.any(Number) },
    });
    expect(ofCentral?.installation).toBe(read(kept).checkpoints[0]?.installation);
    expect(fingerprintOfKey(ofCentral?.key ?? '')).toBe(fingerprint);
  });

  it('gives the key away to no backup, and to nobody else', async () => {
    const { code } = await holdpoint(environmentOf(central), 'backup');
    expect(code).toBe(0);
    expect(statSync(join(central.folder, 'authority.key')).mode & 0o777).toBe(0o600);
    const secret = readFileSync(join(central.folder, 'authority.key'), 'utf8').split('\n')[1] ?? '';
    const files = readdirSync(central.folder, { recursive: true, withFileTypes: true }).filter(
      one => one.isFile() && one.name !== 'authority.key',
    );
    expect(files.length).toBeGreaterThan(3);
    for (const one of files) {
      const content = readFileSync(join(one.parentPath, one.name));
      expect(content.includes(secret), one.name).toBe(false);
      expect(content.includes(Buffer.from(secret, 'base64')), one.name).toBe(false);
    }
  });
});

/** What somebody does to the commit of a line in the middle. */
function altered(change: (commit: TrailCommit) => void): (lines: Line[]) => Line[] {
  return lines => {
    const copy = structuredClone(lines);
    const line = copy.find(({ commit }) =>
      commit?.entries.some(({ changes }) => changes.some(one => one.new === 'Maker 1')),
    );
    if (!line?.commit) throw new Error('There is no such line.');
    change(line.commit);
    return copy;
  };
}

/** The line that holds the fifth commit. */
const FIFTH = 5;
const ways: [string, (lines: Line[]) => Line[]][] = [
  [
    'a value',
    altered(commit => {
      for (const { changes } of commit.entries)
        for (const one of changes) if (one.new === 'Maker 1') one.new = 'Maker 9';
    }),
  ],
  [
    'the author',
    altered(commit => {
      commit.user = 'user:1';
    }),
  ],
  [
    'the time',
    altered(commit => {
      commit.at = '2020-01-01T00:00:00.000Z';
    }),
  ],
  [
    'the reason',
    altered(commit => {
      commit.reason = 'As agreed';
    }),
  ],
  [
    'the record',
    altered(commit => {
      for (const entry of commit.entries) entry.subject = 'supplier:99';
    }),
  ],
  [
    'a member that nobody knows',
    altered(commit => {
      Object.assign(commit, { approved_by: 'user:1' });
    }),
  ],
  ['a commit that is taken out', lines => lines.filter((_, index) => index !== FIFTH)],
  [
    'a commit that is put in',
    lines => {
      const copy = structuredClone(lines);
      const line = copy[FIFTH];
      if (!line?.commit) throw new Error('There is no such line.');
      const commit_id = randomUUID();
      const decisions = line.decisions?.map(one => ({ ...one, commit_id }));
      const commit = { ...line.commit, commit_id };
      return copy.toSpliced(FIFTH, 0, { ...line, commit, ...(decisions && { decisions }) });
    },
  ],
  [
    'two that change places',
    lines => {
      const [one, other] = [lines[FIFTH], lines[FIFTH + 1]];
      return one && other ? lines.with(FIFTH, other).with(FIFTH + 1, one) : lines;
    },
  ],
  [
    'what was decided',
    lines =>
      lines.map((line, index) =>
        index === FIFTH && line.decisions
          ? { ...line, decisions: line.decisions.map(one => ({ ...one, outcome: 'held' })) }
          : line,
      ),
  ],
];

/** Whoever rewrites leaves out what the stations have signed, which a trail need not have. */
function withoutEnds(lines: readonly Line[]): Line[] {
  return lines.map(({ ends: _, ...line }) => line);
}

describe('a trail in which somebody changed', () => {
  const written = (name: string, lines: readonly Line[]) => {
    const file = inFolder(`${name}.jsonl`);
    writeTrail(file, lines);
    return file;
  };

  it('a value of a station, with central’s own key, is found by what the station has signed', async () => {
    const [[, change] = []] = ways;
    const lines = change?.(readTrail(trail)) ?? [];
    const { code, output } = await verified(written('of a station', signedAnew(hashedAnew(lines), key)));
    expect(output).toContain('its station has signed another commit');
    expect(code).toBe(1);
  });

  it.each(ways)('%s is found, also by the second verifier', async (name, change) => {
    const file = written(name, change(readTrail(trail)));
    const { code, output } = await verified(file);
    expect(output).toMatch(/^\d+\. /m);
    expect(code).toBe(1);
    if (!(await hasPython()) && process.env.CI === undefined) return;
    expect((await second.verify(file)).code).toBe(1);
  });

  it.each(ways)('%s and made all hashes right is found by the signature', async (name, change) => {
    const file = written(`${name} hashed`, hashedAnew(withoutEnds(change(readTrail(trail)))));
    const { output } = await verified(file);
    expect(output).toContain('it is not what the key in it has signed');
    expect(output).toContain('1 thing is wrong');
    if (!(await hasPython()) && process.env.CI === undefined) return;
    expect(await second.verify(file)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^(ask: .*\n)*the checkpoint: not signed\n$/),
    });
  });

  it.each(ways)(
    '%s, and signed it with a key of his own, is found by the fingerprint',
    async (name, change) => {
      const file = written(
        `${name} signed`,
        signedAnew(hashedAnew(withoutEnds(change(readTrail(trail)))), otherKey()),
      );
      expect(await verified(file)).toMatchObject({ code: 0 });
      const { code, output } = await verified(file, '--key', fingerprint);
      expect(output).toContain('another key');
      expect(code).toBe(1);
    },
  );

  it.each(ways)(
    '%s, with central’s own key, is found by a checkpoint that was kept',
    async (name, change) => {
      const file = written(
        `${name} stolen`,
        signedAnew(hashedAnew(withoutEnds(change(readTrail(trail)))), key),
      );
      expect(await verified(file, '--key', fingerprint)).toMatchObject({ code: 0 });
      const { code, output } = await verified(file, '--checkpoint', kept);
      expect(output).toMatch(/history was rewritten|is not here: what came last was taken out/);
      expect(code).toBe(1);
    },
  );

  it('the end of it, with central’s own key, is found by a checkpoint that was kept', async () => {
    const lines = readTrail(trail);
    const cut = signedAnew(hashedAnew([...lines.slice(0, FIFTH), ...lines.slice(-1)]), key);
    expect((await verified(written('ended', cut), '--checkpoint', kept)).output).toContain(
      'what came last was taken out',
    );
  });

  it('nothing but cut it off is told so', async () => {
    const file = written('cut', readTrail(trail).slice(0, -1));
    expect((await verified(file)).output).toContain('there is no checkpoint: the file is cut off');
  });

  it('something in the checkpoint that was kept is told so', async () => {
    const forged = read(kept);
    for (const { log } of forged.checkpoints) if (log) log.hash = 'ab'.repeat(32);
    const file = inFolder('forged.json');
    writeFileSync(file, JSON.stringify(forged));
    expect((await verified(trail, '--checkpoint', file)).output).toContain(
      'it is not what the key in it has signed',
    );
    const said = await holdpoint(environmentOf(central), 'verify', '--checkpoint', file);
    expect(said.output).toContain('it was altered');
    expect(said.code).toBe(1);
  });

  it.each([
    ['nothing', []],
    ['no trail', ['package.json']],
    ['two files', ['a', 'b']],
    ['an unknown option', ['--what']],
  ])('is told how to ask, given %s', async (_name, words) => {
    const { code, output } = await run(process.execPath, VERIFIER, ...words);
    expect(output).toMatch(/^verify\.mjs: /);
    expect(code).toBe(2);
  });
});

describe('a database in which somebody put in a reason, and made everything right', () => {
  it('is found by verify with a checkpoint, of central and of another station', async () => {
    const to = rewrittenStore(central.folder, folder);
    const env = { HOLDPOINT_DATA: to };
    const plain = await holdpoint(env, 'verify');
    expect(plain.output).toMatch(/^Nothing is wrong/);
    const found = await holdpoint(env, 'verify', '--checkpoint', kept);
    expect(found.output).toContain('history was rewritten');
    expect(found.code).toBe(1);
    const ofLab = inFolder('lab.json');
    await holdpoint(environmentOf(lab), 'checkpoint', ofLab);
    const byLab = await holdpoint(env, 'verify', '--checkpoint', ofLab);
    expect(byLab.output).toContain('history was rewritten');
    expect(existsSync(join(to, 'authority.key'))).toBe(false);
    const hidden = new DatabaseSync(join(to, 'holdpoint.db'));
    const { log } = read(kept).checkpoints[0] ?? {};
    const say = hidden.prepare('INSERT OR REPLACE INTO local (name, value) VALUES (?, ?)');
    say.run('log_start', JSON.stringify({ sequence: log?.sequence, hash: log?.hash }));
    for (const [name, value] of [
      ['station', 'another'],
      ['role', 'station'],
    ] as const)
      say.run(name, value);
    hidden.close();
    const hiding = await holdpoint(env, 'verify', '--checkpoint', kept);
    expect(hiding.output).toContain('It was not compared.');
    expect(hiding.code).toBe(1);
    const both = await holdpoint(env, 'verify', '--central', '--checkpoint', kept);
    expect(both.output).toContain('--checkpoint compares a data folder or a backup');
    expect(both.code).not.toBe(0);
    const sound = await holdpoint(environmentOf(central), 'verify', '--checkpoint', kept);
    expect(sound.output).toContain('2 places are here as');
    expect(sound.code).toBe(0);
  });
});
