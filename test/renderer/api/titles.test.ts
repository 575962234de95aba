import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { useTitles } from '../../../renderer/api/titles.ts';
import { drawn } from '../support/drawn.ts';

it('references are asked for once for all, each once, and called as the language does', async () => {
  const queries = new QueryClient();
  queries.setQueryData(['x.titles.list', { query: { refs: 'inspection:46,supplier:12' } }], {
    data: [
      { family: 'supplier', id: 12, title: 'Acme', subtitle: null },
      { family: 'inspection', id: 46, title: 'Inspection 46', subtitle: null },
    ],
  });
  const refs = ['supplier:12', 'inspection:46', 'supplier:12'];
  const german = await drawn(() => useTitles(refs), { queries, language: 'de' });
  expect([german('supplier', 12), german('inspection', 46), german('supplier', 46)]).toEqual([
    'Acme',
    'Prüfung 46',
    undefined,
  ]);
  const english = await drawn(() => useTitles(refs), { queries });
  expect(english('inspection', 46)).toBe('Inspection 46');
});
