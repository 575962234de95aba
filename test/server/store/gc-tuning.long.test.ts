import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const module = fileURLToPath(new URL('../../../server/store/gc-tuning.ts', import.meta.url));

/** Garbage that lives long enough to be taken for something that stays, as messages do; counts the great collections. */
const PROGRAM = `
  import { PerformanceObserver, constants } from 'node:perf_hooks';
  import { setImmediate } from 'node:timers/promises';
  import { expectGarbage, tuneGarbageCollection } from ${JSON.stringify(module)};
  let count = 0;
  const observer = new PerformanceObserver(list => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) count += 1;
  });
  observer.observe({ entryTypes: ['gc'] });
  async function work() {
    const ring = [];
    count = 0;
    for (let message = 0; message < 1_200; message += 1) {
      ring[message % 30] = Array.from({ length: 4_000 }, (_, index) => ({ path: 'p' + index, over: [] }));
      await setImmediate();
    }
    return count;
  }
  const before = [];
  before.push(await work());
  const { setTimeout } = globalThis;
  let calm;
  globalThis.setTimeout = then => {
    calm = then;
    return { unref() { return this; } };
  };
  tuneGarbageCollection();
  globalThis.setTimeout = setTimeout;
  calm();
  before.push(await work());
  expectGarbage();
  before.push(await work());
  process.stdout.write(JSON.stringify(before));
`;

it('looks for garbage less often while much is exchanged than it does to keep memory small', () => {
  const output = execFileSync(
    process.execPath,
    ['--max-semi-space-size=1', '--input-type=module', '--eval', PROGRAM],
    {
      encoding: 'utf8',
    },
  );
  const [, usual = 0, exchange = 0] = JSON.parse(output);
  expect(exchange).toBeGreaterThan(0);
  expect(usual).toBeGreaterThan(exchange * 1.3);
});
