import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AuditEvent } from '../../../server/audit/event.ts';
import { keptEvents } from '../../../server/audit/kept-events.ts';
import { createTrail } from '../../../server/audit/trail.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { temporaryStore } from '../store/temporary-store.ts';

async function withTrail() {
  const store = await temporaryStore();
  const { folder } = store.database;
  const lost: AuditEvent[] = [];
  const trail = createTrail({
    store,
    kept: keptEvents(folder),
    onLost: (_, events) => lost.push(...events),
    onFault: error => {
      throw error;
    },
  });
  const refuse = () =>
    store.gate.hookInto({
      seen: () => null,
      before() {
        throw new AppError('storage_full', 'The disk is full.');
      },
      after: () => {},
    });
  const kinds = () => [...store.records.all('audit-event')].map(({ fields }) => fields.kind);
  const files = () => readdirSync(folder).filter(name => name.startsWith('audit-events'));
  return { store, folder, trail, lost, refuse, kinds, files };
}

it('what cannot be written keeps nobody waiting, and is noted later with the moment that it had', async () => {
  const { store, trail, lost, refuse, kinds, files } = await withTrail();
  refuse();
  await trail.note({ kind: 'printed', author: 'ann' });
  await trail.note({ kind: 'exported', author: 'ann' });
  expect([kinds(), files(), lost]).toEqual([[], ['audit-events.jsonl'], []]);
  // An act in the database is refused with it: both or neither.
  await expect(trail.with([{ kind: 'signed_in' }], () => undefined)).rejects.toMatchObject({
    code: 'storage_full',
  });
  const before = store.gate.now();
  store.gate.hookInto(undefined);
  await trail.takeKept();
  expect([kinds(), files()]).toEqual([['printed', 'exported'], []]);
  for (const { fields } of store.records.all('audit-event')) expect(String(fields.at) < before).toBe(true);
});

it('what was noted before a crash that left the file is not noted again', async () => {
  const { folder, trail, kinds, files } = await withTrail();
  const line = `${JSON.stringify({ kind: 'restored', at: '2026-06-01T08:00:00.000Z' })}\n`;
  writeFileSync(join(folder, 'audit-events.jsonl'), line);
  await trail.takeKept();
  writeFileSync(join(folder, 'audit-events.jsonl.taken'), line);
  writeFileSync(join(folder, 'audit-events.jsonl'), line.replace('restored', 'verified'));
  await trail.takeKept();
  expect([kinds(), files()]).toEqual([['restored'], ['audit-events.jsonl']]);
  await trail.takeKept();
  expect([kinds(), files()]).toEqual([['restored', 'verified'], []]);
});

it('a file that is full says what is in no trail, and stays as it is', async () => {
  const { folder, trail, lost, refuse } = await withTrail();
  const path = join(folder, 'audit-events.jsonl');
  writeFileSync(path, ' '.repeat(1024 * 1024));
  refuse();
  await trail.note({ kind: 'printed', author: 'ann' });
  expect(lost).toMatchObject([{ kind: 'printed', author: 'ann' }]);
  expect(readFileSync(path)).toHaveLength(1024 * 1024);
});
