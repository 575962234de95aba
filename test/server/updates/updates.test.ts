import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonFile } from '../../../electron/json-file.ts';
import { createUpdates, seenReleaseSchema } from '../../../electron/updates.ts';
import type { UpdateState } from '../../../shared/contract/desktop-bridge.ts';
import { PUBLISHER_KEY, STRANGER } from '../../support/publisher.ts';
import { Station } from '../../support/station.ts';
import { newCode } from '../enrolment/enrolled.ts';
import { environmentOf, holdpoint } from '../transfer/holdpoint.ts';
import { digestOf, inHours, releaseOf, statementOf, writeRelease } from './release.ts';
import { StandInUpdater } from './stand-in-updater.ts';

const BYTES = randomBytes(3 * 1024 * 1024);
const LOOKED_AT = new Date().toISOString();

let central: Station;
let releases: string;
let scratch: string;
let network: Awaited<ReturnType<typeof brokenNetwork>>;
beforeAll(async () => {
  network = await brokenNetwork(() => Number(new URL(central.origin).port));
  const hosts = new URL(network.origin).host;
  central = new Station({ role: 'central', env: { HOLDPOINT_HOSTS: hosts } });
  await central.start();
  releases = join(central.folder, 'updates');
});
afterAll(async () => {
  await central.stop();
  network.close();
});
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'holdpoint-updates-'));
});
afterEach(async () => {
  await rm(scratch, { recursive: true });
  await rm(releases, { recursive: true, force: true });
});

/** Stations of these tests run in UTC (station.ts). */
const zoned = (at: Date) => at.toISOString().slice(11, 16);

interface How {
  needsAdministrator?: boolean;
  isOff?: boolean;
  ring?: string;
  window?: string;
  now?: string;
  clock?: () => Date;
}

/** The desktop's updates at a server, from one version; `settled` is how its looking and fetching end. */
async function updatesAt(origin: string, version: string, how: How = {}) {
  const updater = await StandInUpdater.open(join(scratch, randomBytes(4).toString('hex')), version);
  const { needsAdministrator = false, isOff = false, ring, window, now = LOOKED_AT } = how;
  const { clock = () => new Date(now) } = how;
  const states: UpdateState[] = [];
  const updates = createUpdates({
    updater,
    origin: () => origin,
    onState: state => states.push(state),
    keys: [PUBLISHER_KEY],
    seen: jsonFile(join(scratch, 'seen.json'), seenReleaseSchema, null),
    ring: () => ring,
    window: () => window,
    needsAdministrator,
    isOff: () => isOff,
    now: clock,
  });
  const settled = async () => {
    await updates.look();
    await expect.poll(() => updates.state().kind).not.toMatch(/looking|arriving/);
    return updates.state();
  };
  /** The app ends, in the order in which it does (electron/desktop.ts). */
  const endApp = () => {
    updates.close();
    updates.end();
    updater.endApp();
  };
  return { updater, updates, states, settled, endApp };
}

describe('a central publishes its folder of releases', () => {
  const get = (name: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${central.origin}/updates/${name}`, { method, headers });

  it('to anybody, whole or from a byte on', async () => {
    const name = await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
    expect(await (await get('latest-linux.yml?noCache=1')).text()).toContain(`url: ${name}`);
    const whole = await get(name);
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    expect(digestOf(Buffer.from(await whole.arrayBuffer()))).toBe(digestOf(BYTES));
    const rest = await get(name, { Range: `bytes=${BYTES.length - 10}-` });
    expect([rest.status, Buffer.from(await rest.arrayBuffer())]).toEqual([206, BYTES.subarray(-10)]);
    const head = await get(name, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(BYTES.length)]);
  });

  it('but nothing that no feed offers', async () => {
    await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
    await writeFile(join(releases, 'notes.txt'), 'not published');
    for (const name of ['notes.txt', 'latest-mac.yml', 'holdpoint-9.9.9-linux-x64.AppImage']) {
      expect((await get(name)).status).toBe(404);
    }
    // `fetch` would resolve dots itself; whoever is not let into the folder is asked who he is, or refused.
    for (const path of ['..%2Ftoken', '%2e%2e%2ftoken', '..%5Ctoken', 'sub%2Ftoken']) {
      expect((await get(path)).status).toBe(400);
    }
    expect((await get('latest-linux.yml', {}, 'POST')).status).toBe(401);
  });
});

describe('the updater at a central', () => {
  it('is offered what is newer, and installs it when the app ends', async () => {
    const name = await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
    const { updater, updates, states, settled } = await updatesAt(central.origin, '1.2.2');
    expect(updates.report()).toEqual({ state: { kind: 'latest' }, looked_at: null });
    expect(await settled()).toEqual({ kind: 'ready', version: '1.2.3', needs_administrator: false });
    expect(updates.report()).toEqual({ state: updates.state(), looked_at: LOOKED_AT });
    expect(states.map(({ kind }) => kind)).toContain('arriving');
    expect(updater.installed).toEqual([]);
    updater.endApp();
    expect(updater.installed).toMatchObject([{ options: { isSilent: true } }]);
    const file = updater.installed[0]?.file ?? '';
    expect(file.endsWith(name)).toBe(true);
    expect(digestOf(await readFile(file))).toBe(digestOf(BYTES));
  });

  it('asks nobody for an administrator at the end of the app, but when one installs it', async () => {
    await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
    const { updater, updates, settled, endApp } = await updatesAt(central.origin, '1.2.2', {
      needsAdministrator: true,
    });
    expect(await settled()).toEqual({ kind: 'ready', version: '1.2.3', needs_administrator: true });
    endApp();
    expect(updater.installed).toEqual([]);
    updates.installAtEnd();
    endApp();
    expect(updater.installed).toHaveLength(1);
  });

  describe('with hours of the policy', () => {
    const window = '22:00-05:00';
    /** By the clock of the machine. */
    const at = (hour: number, minute = 0) => new Date(new Date().setHours(hour, minute, 0, 0));
    let now = at(12);
    const open = async () => {
      await writeRelease(releases, { version: '1.2.3', bytes: BYTES, signed: SOON });
      return updatesAt(central.origin, '1.2.2', { window, clock: () => now });
    };
    /** The days of these tests: the release is signed before any of them, and believed after. */
    const SOON = { signed_at: inHours(-48), expires_at: inHours(48) };
    const READY = { kind: 'ready', version: '1.2.3', needs_administrator: false };

    it('nothing is looked for outside of them, and what is there is fetched and installed within', async () => {
      now = at(21, 59);
      const { updates, states, updater, settled, endApp } = await open();
      expect(await updates.look()).toEqual({ kind: 'closed', window });
      expect(updates.report()).toEqual({ state: { kind: 'closed', window }, looked_at: null });
      expect(states.map(({ kind }) => kind)).toEqual(['closed']);
      now = at(22);
      expect(await settled()).toEqual(READY);
      now = at(4, 59);
      expect(updates.state()).toEqual(READY);
      endApp();
      expect(updater.installed).toHaveLength(1);
    });

    it('what was fetched within is neither shown nor installed outside', async () => {
      now = at(23);
      const { updates, updater, settled, endApp } = await open();
      expect(await settled()).toEqual(READY);
      now = at(5);
      expect(updates.state()).toEqual({ kind: 'closed', window });
      updates.installAtEnd();
      endApp();
      // Whatever the end of the app does not go through.
      updater.endApp();
      expect(updater.installed).toEqual([]);
    });

    it('a station offers nothing outside of them, also to an app that does not know them', async () => {
      const policy = join(scratch, 'policy.json');
      const hours = (from: number, to: number) =>
        [from, to].map(offset => zoned(new Date(Date.now() + offset * 3_600_000))).join('-');
      const name = await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
      for (const [update_window, status] of [
        [hours(-2, 2), 200],
        [hours(2, -2), 404],
      ] as const) {
        await writeFile(policy, JSON.stringify({ update_window }));
        const station = new Station({ env: { HOLDPOINT_POLICY: policy } });
        await station.start();
        try {
          const code = await newCode(central, `Hours ${status}`);
          await holdpoint(environmentOf(station), 'enrol', central.origin, code);
          for (const path of ['latest-linux.yml', 'release.json', name])
            expect((await fetch(`${station.origin}/updates/${path}`)).status, path).toBe(status);
          const { settled: end } = await updatesAt(station.origin, '1.2.2');
          expect((await end()).kind).toBe(status === 200 ? 'ready' : 'latest');
        } finally {
          await station.stop();
        }
      }
    });
  });

  it.each(['1.2.3', '1.3.0', '2.0.0-beta.1'])(
    'is offered nothing at %s when 1.2.3 is the latest',
    async version => {
      await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
      const { updater, settled } = await updatesAt(central.origin, version);
      expect(await settled()).toEqual({ kind: 'latest' });
      updater.endApp();
      expect(updater.installed).toEqual([]);
    },
  );

  it('looks for none where the administrators of the machine update it', async () => {
    await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
    const { updates, states } = await updatesAt(central.origin, '1.2.2', { isOff: true });
    expect(await updates.look()).toEqual({ kind: 'off' });
    expect(states).toEqual([{ kind: 'off' }]);
  });

  it('refuses a file that is not the one of the feed', async () => {
    const sha512 = digestOf(randomBytes(10));
    await writeRelease(releases, { version: '1.2.3', bytes: BYTES, sha512 });
    const { updater, settled } = await updatesAt(central.origin, '1.2.2');
    expect(await settled()).toMatchObject({
      kind: 'failed',
      why: 'not_genuine',
      message: expect.stringContaining('sha512'),
    });
    updater.endApp();
    expect(updater.installed).toEqual([]);
  });

  it('takes an empty folder for no news', async () => {
    const { settled } = await updatesAt(central.origin, '1.2.2');
    expect(await settled()).toEqual({ kind: 'latest' });
  });
});

/**
 * What a central that somebody has taken over can try, by the list of The Update Framework. Each begins with the release 1.2.3 as it
 * was seen by the station and the app, which are 1.2.2.
 */
const ATTACKS: [string, () => Promise<unknown>, 'not_signed' | 'misdated', RegExp][] = [
  [
    'an arbitrary program, not signed',
    () => renewed({ version: '1.2.4', signed: null }),
    'not_signed',
    /no release.json/,
  ],
  [
    'an arbitrary program, signed by another key',
    () => renewed({ version: '1.2.4', signed: { by: STRANGER } }),
    'not_signed',
    /None of the publisher's keys/,
  ],
  [
    'a statement that was altered',
    async () => {
      await renewed({ version: '1.2.4' });
      const path = join(releases, 'release.json');
      const { payload, ...rest } = JSON.parse(await readFile(path, 'utf8'));
      const text = Buffer.from(payload, 'base64').toString().replace('1.2.4', '1.2.5');
      await writeFile(path, JSON.stringify({ payload: Buffer.from(text).toString('base64'), ...rest }));
    },
    'not_signed',
    /None of the publisher's keys/,
  ],
  [
    'a replayed release, older than the one that was seen (rollback)',
    () => renewed({ version: '1.2.2', signed: { signed_at: inHours(-48) } }),
    'misdated',
    /was seen here/,
  ],
  [
    'a release that nobody has signed anew in time (freeze)',
    () => renewed({ version: '1.2.3', signed: { expires_at: inHours(-0.5) } }),
    'misdated',
    /believed until/,
  ],
  [
    'a release of the far future, which would hide all others',
    () => renewed({ version: '1.2.4', signed: { signed_at: inHours(48), expires_at: inHours(96) } }),
    'misdated',
    /in the future/,
  ],
  [
    'the feed of one release with the statement of another (mix and match)',
    async () => {
      await renewed({ version: '1.2.4' });
      const feed = await readFile(join(releases, 'latest-linux.yml'), 'utf8');
      await writeFile(join(releases, 'release.json'), statementOf(releaseOf('1.2.4', `${feed}#`)));
    },
    'not_signed',
    /not the feed of the release/,
  ],
  [
    "another system's feed under this one's name (mix and match)",
    async () => {
      await renewed({ version: '1.2.4' });
      const feed = await readFile(join(releases, 'latest-linux.yml'), 'utf8');
      const feeds = [{ name: 'latest.yml', sha512: digestOf(feed) }];
      await writeFile(join(releases, 'release.json'), statementOf({ ...releaseOf('1.2.4', feed), feeds }));
    },
    'not_signed',
    /not the feed of the release/,
  ],
  [
    'the release of another ring (mix and match)',
    () => renewed({ version: '1.2.4', signed: { ring: 'pilot' } }),
    'not_signed',
    /of the ring pilot/,
  ],
  [
    'a statement without an end (endless data)',
    async () => {
      await renewed({ version: '1.2.4' });
      await writeFile(join(releases, 'release.json'), '{'.padEnd(60_000));
    },
    'not_signed',
    /no release.json/,
  ],
];

async function renewed(release: Omit<Parameters<typeof writeRelease>[1], 'bytes'>): Promise<void> {
  await rm(releases, { recursive: true, force: true });
  await writeRelease(releases, { bytes: Buffer.from(release.version), ...release });
}

describe('a central that somebody has taken over', () => {
  let station: Station;
  beforeAll(async () => {
    station = new Station();
    await station.start();
    await holdpoint(environmentOf(station), 'enrol', central.origin, await newCode(central, 'Bay'));
  });
  afterAll(() => station.stop());

  it.each(ATTACKS)('gets nothing past the app by %s', async (_what, attack, why, message) => {
    await renewed({ version: '1.2.3' });
    const ring = 'stable';
    expect(await (await updatesAt(central.origin, '1.2.2', { ring })).settled()).toMatchObject({
      kind: 'ready',
    });
    await attack();
    const { updater, settled } = await updatesAt(central.origin, '1.2.2', { ring });
    expect(await settled()).toEqual({ kind: 'failed', why, message: expect.stringMatching(message) });
    updater.endApp();
    expect(updater.installed).toEqual([]);
  });

  it.each(ATTACKS)('gets nothing past the station by %s', async (_what, attack, why, message) => {
    await renewed({ version: '1.2.3' });
    const feed = () => fetch(`${station.origin}/updates/latest-linux.yml`);
    const kept = (await feed()).text();
    expect(await kept).toContain('version: 1.2.3');
    const ring = 'stable';
    expect(await (await updatesAt(station.origin, '1.2.2', { ring })).settled()).toMatchObject({
      kind: 'ready',
    });
    await attack();
    const refused = await feed();
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringMatching(message)]);
    expect(await readFile(join(station.folder, 'updates-received', 'latest-linux.yml'), 'utf8')).toBe(
      await kept,
    );
    // The app says why, by the statement that the station hands on.
    const { settled } = await updatesAt(station.origin, '1.2.2', { ring });
    expect(await settled()).toEqual({ kind: 'failed', why, message: expect.any(String) });
  });

  it('cannot hide that it keeps releases back', async () => {
    await renewed({ version: '1.2.3' });
    expect(await (await updatesAt(central.origin, '1.2.3')).settled()).toEqual({ kind: 'latest' });
    await rm(releases, { recursive: true });
    expect(await (await updatesAt(central.origin, '1.2.3')).settled()).toEqual({ kind: 'latest' });
    const later = await updatesAt(central.origin, '1.2.3', { now: inHours(25) });
    expect(await later.settled()).toMatchObject({ kind: 'failed', why: 'misdated' });
  });
});

it('a build that names no publisher takes no updates', async () => {
  await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
  const updater = await StandInUpdater.open(join(scratch, 'none'), '1.2.2');
  const seen = jsonFile(join(scratch, 'seen.json'), seenReleaseSchema, null);
  const { look } = createUpdates({
    updater,
    origin: () => central.origin,
    onState: () => {},
    keys: [],
    seen,
  });
  expect(await look()).toEqual({ kind: 'off' });
});

it.skipIf(process.getuid?.() !== 0)(
  'a station follows the ring that its policy sets, and no other',
  async () => {
    const policy = join(scratch, 'policy.json');
    await writeFile(policy, JSON.stringify({ update_ring: 'pilot' }));
    const station = new Station({ env: { HOLDPOINT_POLICY: policy } });
    await station.start();
    try {
      await holdpoint(environmentOf(station), 'enrol', central.origin, await newCode(central, 'Pilot'));
      await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
      const pilots = join(releases, 'pilot');
      const name = await writeRelease(pilots, { version: '1.3.0', bytes: BYTES, signed: { ring: 'pilot' } });
      const { updater, settled } = await updatesAt(station.origin, '1.2.2', { ring: 'pilot' });
      expect(await settled()).toEqual({ kind: 'ready', version: '1.3.0', needs_administrator: false });
      updater.endApp();
      expect(updater.installed[0]?.file?.endsWith(name)).toBe(true);
      // Central passes the stable release off as the ring's.
      await writeRelease(pilots, { version: '1.3.1', bytes: BYTES });
      const other = await updatesAt(station.origin, '1.2.2', { ring: 'pilot' });
      expect(await other.settled()).toMatchObject({ kind: 'failed', why: 'not_signed' });
      for (const path of ['pilot/notes.txt', 'Pilot/latest-linux.yml', '..%2Fpilot/latest-linux.yml'])
        expect((await fetch(`${central.origin}/updates/${path}`)).status).toBeGreaterThanOrEqual(400);
    } finally {
      await station.stop();
    }
  },
);

describe('the updater at a station', () => {
  it('has none where there is no central', async () => {
    const alone = new Station();
    await alone.start();
    try {
      const { settled } = await updatesAt(alone.origin, '1.2.2');
      expect(await settled()).toEqual({ kind: 'latest' });
    } finally {
      await alone.stop();
    }
  });

  it('gets the releases of central, and goes on where the network broke off', async () => {
    await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
    const station = new Station();
    await station.start();
    try {
      const code = await newCode(central, 'Dock');
      const enrolled = await holdpoint(environmentOf(station), 'enrol', network.origin, code);
      expect(enrolled.output).toContain('This station is "Dock"');
      const { updater, settled } = await updatesAt(station.origin, '1.2.2');

      network.breakAfter(1024 * 1024);
      expect(await settled()).toMatchObject({ kind: 'failed', why: 'not_fetched' });
      const kept = await partOf(station);
      expect(kept).toBeGreaterThan(0);
      expect(kept).toBeLessThan(BYTES.length);

      network.breakAfter(Number.POSITIVE_INFINITY);
      const before = network.carried();
      expect(await settled()).toEqual({ kind: 'ready', version: '1.2.3', needs_administrator: false });
      // Less than the file: what had come was not fetched again.
      expect(network.carried() - before).toBeLessThan(BYTES.length - kept + 256 * 1024);
      updater.endApp();
      expect(digestOf(await readFile(updater.installed[0]?.file ?? ''))).toBe(digestOf(BYTES));

      // Another station user, or the next start, gets it from this disk.
      const again = network.carried();
      const other = await updatesAt(station.origin, '1.2.2');
      expect(await other.settled()).toEqual({ kind: 'ready', version: '1.2.3', needs_administrator: false });
      expect(network.carried() - again).toBeLessThan(256 * 1024);
    } finally {
      await station.stop();
    }
  });

  it('refuses and forgets what a central sends that is not what it offers', async () => {
    await writeRelease(releases, { version: '1.2.3', bytes: BYTES, sha512: digestOf(randomBytes(10)) });
    const station = new Station();
    await station.start();
    try {
      const code = await newCode(central, 'Lab');
      await holdpoint(environmentOf(station), 'enrol', central.origin, code);
      const { settled } = await updatesAt(station.origin, '1.2.2');
      expect(await settled()).toMatchObject({ kind: 'failed' });
      // The updater may have judged the last bytes before the station has.
      await expect
        .poll(() => readdir(join(station.folder, 'updates-received')))
        .toEqual(['believed', 'latest-linux.yml']);
      await writeRelease(releases, { version: '1.2.3', bytes: BYTES });
      expect(await settled()).toEqual({ kind: 'ready', version: '1.2.3', needs_administrator: false });
    } finally {
      await station.stop();
    }
  });
});

async function partOf(station: Station): Promise<number> {
  const folder = join(station.folder, 'updates-received');
  const name = (await readdir(folder)).find(file => file.endsWith('.part'));
  return name === undefined ? 0 : (await readFile(join(folder, name))).length;
}

/** A way to a port that ends a connection after so many bytes towards the client. */
async function brokenNetwork(port: () => number) {
  let limit = Number.POSITIVE_INFINITY;
  let carried = 0;
  const server = createServer(client => {
    let here = 0;
    const far = connect(port(), '127.0.0.1');
    far.on('data', chunk => {
      carried += chunk.length;
      here += chunk.length;
      if (here > limit) {
        client.destroy();
        far.destroy();
      } else client.write(chunk);
    });
    client.on('data', chunk => void far.write(chunk));
    for (const [end, other] of [
      [client, far],
      [far, client],
    ] as const) {
      end.on('error', () => other.destroy());
      end.on('close', () => other.end());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${own}`,
    breakAfter: (bytes: number) => {
      limit = bytes;
    },
    carried: () => carried,
    close: () => server.close(),
  };
}
