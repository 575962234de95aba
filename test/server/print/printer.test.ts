import { afterEach, expect, it, vi } from 'vitest';
import { paperSite } from './paper-site.ts';
import { paperOf, testPrinter } from './printed.ts';

const printer = testPrinter();
afterEach(() => {
  vi.useRealTimers();
});

it('a job that takes too long is ended, and the next one has a thread of its own', async () => {
  const job = { kind: 'paper', paper: paperOf(await paperSite(), 'receipt') } as const;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const refused = expect(printer.print(job)).rejects.toMatchObject({ code: 'conflict' });
  await vi.advanceTimersByTimeAsync(30_000);
  await refused;
  vi.useRealTimers();
  expect((await printer.print(job)).length).toBeGreaterThan(1_000);
});
