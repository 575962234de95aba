import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { permissionsText } from '../../build/permissions.ts';

it('docs/permissions.md says what the contract says: node build/permissions.ts writes it anew', async () => {
  const file = new URL('../../docs/permissions.md', import.meta.url);
  expect(await readFile(file, 'utf8')).toBe(permissionsText());
});
