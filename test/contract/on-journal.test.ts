import { afterAll, beforeAll, expect, it } from 'vitest';
import { JOURNAL_RUN } from '../support/journal-run.ts';
import { Station } from '../support/station.ts';

const station = new Station();
beforeAll(() => station.start());
afterAll(() => station.stop());

it('servers of this run have a journal where it is one with journals, and no others', async () => {
  const { body } = await station.get('/x/health');
  const journal = JOURNAL_RUN === undefined ? null : { behind: 0, is_worker: true };
  expect(body).toMatchObject({ data: { is_ready: true, journal } });
});
