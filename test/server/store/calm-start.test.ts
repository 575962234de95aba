import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const module = fileURLToPath(new URL('../../../server/store/gc-tuning.ts', import.meta.url));

/** Counts the great collections once the start is over, and once nothing large has come for a while: when its timer would have run. */
const PROGRAM = `
  import { PerformanceObserver, constants } from 'node:perf_hooks';
  import { setImmediate } from 'node:timers/promises';
  import { tuneGarbageCollection } from ${JSON.stringify(module)};
  let count = 0;
  const observer = new PerformanceObserver(list => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) count += 1;
  });
  observer.observe({ entryTypes: ['gc'] });
  let calm;
  globalThis.setTimeout = then => {
    calm = then;
    return { unref() { return this; }, refresh() {} };
  };
  // Entries come some turns after what they tell of.
  const counted = async () => {
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    return count;
  };
  tuneGarbageCollection();
  const counts = [await counted()];
  calm();
  counts.push(await counted());
  process.stdout.write(JSON.stringify(counts));
`;

it('collects nothing while those who started it wait, and once when it is calm', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual([0, 1]);
});
