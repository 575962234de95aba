import { expect, it } from 'vitest';
import { personOnPaper } from '../../../server/print/person.ts';

it.each([
  ['Ann Lee', 'ann', 'Ann Lee (ann)'],
  ['ann', 'ann', 'ann'],
  [null, 'scale', 'scale'],
  [undefined, 'scale', 'scale'],
  ['Ann Lee', undefined, 'Ann Lee'],
  [null, null, ''],
])('%j with the login %j is %j on paper', (name, login, shown) => {
  expect(personOnPaper(name, login)).toBe(shown);
});
