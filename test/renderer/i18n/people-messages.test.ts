import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { knownMessage } from '../../../renderer/i18n/server-messages.ts';
import { checkBounds } from '../../../server/identity/token-bounds.ts';

const german = (message: string) => knownMessage(message, 'de', english => english);

it('what a PIN, a badge or a session is refused with is said in German', () => {
  const sources = ['server/identity/hands.ts', 'server/http/handlers/hands.ts'].map(path =>
    readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'),
  );
  const quoted = sources.flatMap(text =>
    [...text.matchAll(/'((?:[^'\\\n]|\\')*)'|"([^"\n]*)"|`([^`]*)`/g)].map(
      ([, single, double, template]) => single?.replaceAll("\\'", "'") ?? double ?? template ?? '',
    ),
  );
  const sentences = quoted
    .map(text => text.replaceAll(/\$\{name\}/g, 'Ann'))
    .filter(text => /^[A-Z].* .*\.$/.test(text));
  expect(sentences.length).toBeGreaterThanOrEqual(8);
  const more = ['4 tries are', 'One try is'].map(
    left => `The PIN or badge is wrong. ${left} left, then the password is needed.`,
  );
  const plain = [...sentences, ...more].filter(text => !/\$\{/.test(text));
  const unknown = plain.filter(
    text => german(text) === undefined && !text.startsWith('The password is wrong'),
  );
  expect(unknown).toEqual([]);
});

it('what a token cannot be bounded to is said in German', () => {
  const messages: string[] = [];
  const wanted = {
    ends_at: '2020-01-01T00:00:00.000Z',
    families: ['part'],
    networks: ['dock', ...Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`)],
  };
  checkBounds(wanted, { scopes: ['admin'], now: new Date() }, (_field, message) => messages.push(message));
  expect(messages).toHaveLength(4);
  expect(messages.map(german)).not.toContain(undefined);
});
