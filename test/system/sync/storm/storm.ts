import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { setup as buildServer } from '../../../support/build-server.ts';
import type { Machine } from '../kit/machine-file.ts';

/**
 * `npm run storm -- --seed 1 --seeds 20 --minutes 1.5`: storms of these seeds, one after the other, each so long. Prints the moves and
 * the figures; ends with 1 when something was not as it must be, and then keeps the data folders in that of `--keep`. With `--journal`
 * central is several processes, which have the fault that `--plant` names. docs/testing.md says what a storm is.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1.5' },
    keep: { type: 'string' },
    journal: { type: 'boolean', default: false },
    plant: { type: 'string' },
  },
});
if (existsSync('/dev/shm')) process.env.TMPDIR ??= '/dev/shm';
// Servers end with this process, however it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await buildServer();
// It looks which program is built.
const { runStorm } = await import('./run-storm.ts');
const kind = values.journal ? await journalKind() : undefined;
const say = (line: string) => process.stdout.write(`${line}\n`);
const TOLD = 40;
const TOLD_WHOLE = { depth: 2, maxArrayLength: null, breakLength: 300 };
const keep = (seed: number, machines: readonly Machine[]) => {
  if (values.keep === undefined) return;
  for (const { name, folder } of machines)
    cpSync(folder, join(values.keep, String(seed), name), { recursive: true });
};
for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.seeds); seed += 1) {
  const onUnquiet = (machines: readonly Machine[]) => keep(seed, machines);
  const storm = runStorm(
    { seed, durationMs: Number(values.minutes) * 60_000, say, onUnquiet, ...(kind && { kind }) },
    report => {
      const { violations, figures, quietMs } = report;
      const told = Object.entries(figures).map(([what, count]) => `${count} ${what}`);
      say(`seed ${seed}: in step after ${(quietMs / 1_000).toFixed(1)} s; ${told.join(', ')}`);
      for (const { letter, what } of violations.slice(0, TOLD)) say(`  ${letter}: ${what}`);
      say(`seed ${seed}: ${violations.length} violations`);
      if (violations.length === 0) return;
      process.exitCode = 1;
      keep(seed, report.evidence.machines);
      if (values.keep !== undefined)
        writeFileSync(
          join(values.keep, String(seed), 'writes.txt'),
          inspect(report.evidence.writes, TOLD_WHOLE),
        );
    },
  );
  // One that never comes in step does not keep the next from being seen.
  await storm.catch(fault => {
    say(`seed ${seed}: ${inspect(fault)}`);
    process.exitCode = 1;
  });
}

async function journalKind() {
  const [{ journalStorm }, { plantProgram }] = await Promise.all([
    import('./journal/journal-storm.ts'),
    import('./journal/plant-program.ts'),
  ]);
  return journalStorm(values.plant === undefined ? undefined : plantProgram(values.plant));
}
