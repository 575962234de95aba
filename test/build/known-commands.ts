import { expect } from 'vitest';
import { readConfig } from '../../server/app/config.ts';
import { createProgram } from '../../server/cli/program.ts';

/** What stands in code in a document. */
export const codesIn = (text = ''): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** That `holdpoint` has a command of a document, with its options and as many words in capitals as it takes. */
export function expectKnown(code: string): void {
  const words = code.split(' ').slice(1);
  let command = createProgram(
    () => Promise.reject(new Error('Nothing is called.')),
    () => readConfig({}),
  );
  while (command.commands.length > 0 && words.length > 0) {
    const word = words.shift();
    const next = command.commands.find(one => one.name() === word);
    // Commander's own.
    if (next === undefined && word === 'help') return;
    expect([code, word, next !== undefined]).toEqual([code, word, true]);
    if (next) command = next;
  }
  const options = words.filter(word => word.startsWith('--'));
  const known = command.options.map(({ long }) => long);
  expect(known).toEqual(expect.arrayContaining(options));
  const given = words.filter(word => /^[A-Z]+$/.test(word)).length - (options.includes('--to') ? 1 : 0);
  expect(given, code).toBeLessThanOrEqual(command.registeredArguments.length);
}
