import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const module = fileURLToPath(new URL('../../../server/store/gc-tuning.ts', import.meta.url));

/** Says when V8 would refuse code that was compiled before its flags were changed: as it is, while a thread starts, and once it is up. */
const PROGRAM = `
  import { once } from 'node:events';
  import { Script } from 'node:vm';
  import { Worker } from 'node:worker_threads';
  import { expectGarbage, startingThread, tuneGarbageCollection } from ${JSON.stringify(module)};
  // Other texts of the same length pass for the one that was compiled, which V8 would have without looking.
  let number = 0;
  const text = () => 'function compiled() { return ' + number++ + '; } compiled();';
  const cachedData = new Script(text()).createCachedData();
  const isRefused = () => new Script(text(), { cachedData }).cachedDataRejected;
  tuneGarbageCollection();
  expectGarbage();
  const refused = [isRefused()];
  const thread = startingThread(() => {
    refused.push(isRefused());
    return new Worker('', { eval: true });
  });
  await once(thread, 'online');
  refused.push(isRefused());
  process.stdout.write(JSON.stringify(refused));
  process.exit();
`;

it('starts a thread with the flags that code was compiled ahead for, and goes on with its own', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual([true, false, true]);
});
