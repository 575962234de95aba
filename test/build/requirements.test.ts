import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { requirementsText } from '../../build/requirements.ts';

it('docs/requirements.md says what the table says: node build/requirements.ts writes it anew', async () => {
  const file = new URL('../../docs/requirements.md', import.meta.url);
  expect(await readFile(file, 'utf8')).toBe(requirementsText());
});
