import { createInterface } from 'node:readline';

/** Runs `docs/verify/verify.mjs` anew for each line of its input, which has the words after the program's name. */
const VERIFIER = new URL('../../../docs/verify/verify.mjs', import.meta.url);
let output = '';
const note = (text: string) => {
  output += `${text}\n`;
};
Object.assign(console, { log: note, error: note });

let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  output = '';
  process.exitCode = undefined;
  process.argv = [process.execPath, VERIFIER.pathname, ...JSON.parse(line)];
  count += 1;
  await import(`${VERIFIER.href}?${count}`);
  process.stdout.write(`${JSON.stringify({ code: process.exitCode ?? 0, output })}\n`);
}
process.exitCode = 0;
