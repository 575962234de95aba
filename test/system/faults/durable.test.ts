import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { Station } from '../../support/station.ts';
import { tell } from './expect-sound.ts';
import { serverProcess } from './server-process.ts';
import { sizeOf } from './size.ts';
import { hastyAnswers, type Traced, traceSyncs, tracingFault, unsyncedAnswers } from './sync-trace.ts';

const BARE = fileURLToPath(new URL('./bare-writes.ts', import.meta.url));
const writes = sizeOf(40, 400);
const PARALLEL = 16;
const fault = tracingFault();
const skipped = fault === undefined ? '' : ` (skipped: ${fault})`;

/** `kill -9` cannot tell a write that is on the disk from one in the system's memory; the system calls can. */
describe.skipIf(fault !== undefined)(
  `each write is durable before it is answered${skipped} (${writes.name})`,
  () => {
    const running = async () => {
      const station = new Station();
      onTestFinished(() => station.stop());
      await station.start();
      const write = async (name: string) =>
        expect((await station.post('/suppliers', { name })).status).toBe(201);
      await write('warm');
      const trace = (work: () => Promise<void>) =>
        traceSyncs(serverProcess(station), join(temporaryFolder(), 'trace'), work);
      return { write, trace };
    };

    it('with a sync of its own when writes come one after the other', async () => {
      const { write, trace } = await running();
      const events = await trace(async () => {
        for (let turn = 0; turn < writes.count; turn += 1) await write(`S${turn}`);
      });
      report('one after the other', events);
      expect(count(events, 'answer 201')).toBe(writes.count);
      expect(count(events, 'log sync')).toBeGreaterThanOrEqual(writes.count);
      expect([unsyncedAnswers(events), hastyAnswers(events)]).toEqual([0, 0]);
    });

    it(`with a sync that ${PARALLEL} writers share`, async () => {
      const { write, trace } = await running();
      const events = await trace(async () => {
        const each = Math.ceil(writes.count / 4);
        const writer = async (_: unknown, name: number) => {
          for (let turn = 0; turn < each; turn += 1) await write(`W${name}-${turn}`);
        };
        await Promise.all(Array.from({ length: PARALLEL }).map(writer));
      });
      report(`${PARALLEL} at once`, events);
      const answers = count(events, 'answer 201');
      expect(answers).toBe(PARALLEL * Math.ceil(writes.count / 4));
      expect(count(events, 'log sync')).toBeGreaterThanOrEqual(answers / 64);
      expect(count(events, 'log sync')).toBeLessThan(answers);
      expect(hastyAnswers(events)).toBe(0);
    });

    it.each([
      ['FULL', 0],
      ['OFF', writes.count],
      ['NORMAL', writes.count],
    ])('would see a server that runs SQLite with synchronous = %s', async (synchronous, expected) => {
      const folder = temporaryFolder();
      const bare = spawn(process.execPath, [BARE, join(folder, 'bare.db'), synchronous], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const closed = once(bare, 'close');
      onTestFinished(async () => {
        bare.kill();
        await closed;
      });
      const [port] = await once(bare.stdout.setEncoding('utf8'), 'data');
      const events = await traceSyncs(bare.pid ?? 0, join(folder, 'trace'), async () => {
        for (let turn = 0; turn < writes.count; turn += 1) {
          expect((await fetch(`http://127.0.0.1:${Number(port)}`, { method: 'POST' })).status).toBe(201);
        }
      });
      expect(count(events, 'answer 201')).toBe(writes.count);
      expect([unsyncedAnswers(events), hastyAnswers(events)]).toEqual([expected, expected]);
    });
  },
);

function report(how: string, events: readonly Traced[]): void {
  tell(
    `${how}: ${count(events, 'answer 201')} writes answered after ${count(events, 'log sync')} syncs of the log`,
  );
}

function count(events: readonly Traced[], kind: Traced): number {
  return events.filter(event => event === kind).length;
}
