import { expect, it } from 'vitest';
import { inputOf } from '../../../server/rules/input-of.ts';
import type { UnitOfWork } from '../../../server/store/unit-of-work.ts';
import type { Rights } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { Role } from '../../../shared/contract/role.ts';
import { families } from '../../../shared/families/registry.ts';
import { refusalOf } from './refusal.ts';
import { openSite } from './site.ts';

it.each([
  ['signature', 'at'],
  ['certificate', 'issued_at'],
] as const)('a %s is put back with any moment but that of the import itself', async (name, moment) => {
  const store = await openSite();
  const roles: Role[] = ['administrator'];
  const restored = (id: number, at: (now: string) => string) =>
    refusalOf(
      store.gate.commit({
        actor: { user: 'importer', rights: { kind: 'import', roles } },
        reason: 'import of f.jsonl',
        work: work => work.restore(families[name], id, { subject: 'part:1', [moment]: at(work.at) }),
        answer: record => record,
      }),
    );
  const { conflict } = await restored(1, now => now);
  expect(conflict).toMatch(
    new RegExp(
      `^${families[name].title} with ${moment} 2026-06-15T\\S+Z, the moment of this import: an import puts back what was made before. Leave the row out.$`,
    ),
  );
  expect(store.records.total(name)).toBe(0);
  expect(await restored(2, () => '2026-01-01T00:00:00.000Z')).toEqual({});
});

it('what a person does bears the moment of its commit, and an import puts back records without one', async () => {
  const store = await openSite();
  const written = (rights: Rights, work: (draft: UnitOfWork) => StoredRecord) =>
    refusalOf(
      store.gate.commit({ actor: { user: 'quinn', rights }, reason: null, work, answer: record => record }),
    );
  const quality = { kind: 'person', roles: ['quality'] } as const;
  const issued = (draft: UnitOfWork) =>
    draft.create(families.certificate, inputOf({ issued_at: draft.at, issuer: 'quinn' }));
  expect(await written(quality, issued)).toEqual({});
  const importing = { kind: 'import', roles: ['administrator'] } as const;
  const part = (draft: UnitOfWork) => draft.restore(families.part, 1, { name: 'Jar' });
  expect(await written(importing, part)).toEqual({});
});
