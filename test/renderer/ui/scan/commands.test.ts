import { expect, it } from 'vitest';
import { commandOf, commands, withoutSymbology } from '../../../../renderer/ui/scan/commands.ts';

it.each([
  ['HP:SAVE', 'save'],
  ['HP:REJECT', 'reject'],
  ['HP:UNDO', 'undo'],
  ['HP:NCR', 'report'],
  // As scanners send them: with the kind of code before, in the case of a wrong caps lock, with an end of line.
  [']Q1HP:SAVE', 'save'],
  ['hp:undo', 'undo'],
  ['HP:SAVE\r\n', 'save'],
  ['HP:SAVED', null],
  ['SAVE', null],
  ['', null],
])('the code %j is the command %s', (text, command) => {
  expect(commandOf(text)).toBe(command);
});

it('each command has a code of its own, which any symbology can hold', () => {
  const codes = Object.values(commands);
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) expect(code).toMatch(/^[0-9A-Z $%*+\-./:]+$/);
});

it.each([
  [']C1LOT', 'LOT'],
  [']d2LOT', 'LOT'],
  ['LOT]C1', 'LOT]C1'],
  [']LOT', ']LOT'],
])('%j without its symbology is %j', (text, plain) => {
  expect(withoutSymbology(text)).toBe(plain);
});
