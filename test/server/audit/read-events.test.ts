import { expect, it } from 'vitest';
import { putEvent } from '../../../server/audit/event.ts';
import { AuditReader, type AuditSelection } from '../../../server/audit/read-events.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { temporaryStore } from '../store/temporary-store.ts';

const AUTHORS = ['ann', 'bob', 'cid'];

it('finds the same page by page, whatever the size of the parts that the index is read in', async () => {
  const store = await temporaryStore();
  await store.gate.commit({
    actor: { user: 'audit-trail', rights: BY_SERVER },
    reason: null,
    work: work => {
      for (let n = 0; n < 40; n += 1) {
        // Four at each moment, and late ones among them.
        const minute = String(Math.floor(((n * 7) % 40) / 4)).padStart(2, '0');
        const kind = n % 2 === 0 ? 'signed_in' : 'printed';
        putEvent(work, {
          kind,
          author: AUTHORS[n % 3],
          at: `2026-06-15T12:${minute}:00.000Z`,
          subject: 'user:7',
        });
      }
    },
    answer: () => undefined,
  });
  const all = [...store.records.all('audit-event')].sort(
    (a, b) => String(a.fields.at).localeCompare(String(b.fields.at)) || a.id - b.id,
  );
  const ann = { names: ['ann'], subject: undefined };
  const selections: [AuditSelection, (fields: Record<string, unknown>) => boolean][] = [
    [{}, () => true],
    [{ kinds: ['printed'] }, ({ kind }) => kind === 'printed'],
    [{ person: ann }, ({ author }) => author === 'ann'],
    [{ person: { ...ann, subject: 'user:7' } }, () => true],
    [
      { from: '2026-06-15T12:03:00.000Z', to: '2026-06-15T12:05:00.000Z' },
      ({ at }) => /:0[345]:/.test(String(at)),
    ],
    [{ person: ann, kinds: ['printed'] }, ({ author, kind }) => author === 'ann' && kind === 'printed'],
    [{ station: store.station }, () => true],
    [{ station: 'another' }, () => false],
  ];
  for (const [selection, fits] of selections) {
    const wanted = all.filter(({ fields }) => fits(fields)).map(({ key }) => key);
    for (const part of [1, 3, 7, 5_000]) {
      const reader = new AuditReader(store, part);
      for (const isNewestFirst of [false, true]) {
        const found: string[] = [];
        for (let page = 1; page <= Math.ceil(wanted.length / 6) + 1; page += 1) {
          const { records, total } = await reader.page(selection, { page, perPage: 6, isNewestFirst });
          expect(total).toBe(wanted.length);
          found.push(...records.map(({ key }) => key));
        }
        expect(found).toEqual(isNewestFirst ? wanted.toReversed() : wanted);
      }
      expect([...reader.all(selection)].map(({ key }) => key)).toEqual(wanted);
    }
  }
});
