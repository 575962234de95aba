import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Attention } from '../../../shared/operations/overview-operations.ts';
import type { CentralCertificate } from '../../../shared/operations/renewal-operations.ts';
import { selfMade } from '../../support/certificates.ts';
import { Station } from '../../support/station.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';

/** A central that found this certificate in its folder; it made it long ago. */
async function centralWith(days: number): Promise<Station> {
  const folder = temporaryFolder();
  const { certificate, key } = selfMade(undefined, days);
  writeFileSync(join(folder, 'central.crt'), certificate);
  writeFileSync(join(folder, 'central.key'), key, { mode: 0o600 });
  const central = new Station({ folder, role: 'central', env: { HOLDPOINT_HOST: '0.0.0.0' } });
  await central.start();
  onTestFinished(() => central.stop());
  return central;
}

const readOf = async (central: Station) => {
  const { data } = (await central.get('/x/central-certificate')).body as { data: CentralCertificate };
  return data;
};

it.each([
  [61, null],
  [59, 'ends at'],
  [-1, 'ended at'],
])('a certificate with %i days left: Today says %s', async (days, words) => {
  const central = await centralWith(days);
  const { data } = (await central.get('/x/attention')).body as { data: Attention };
  const group = data.find(({ kind }) => kind === 'certificate');
  expect(group).toMatchObject(
    words === null ? { total: 0, says: null } : { total: 1, says: expect.stringContaining(words) },
  );
  expect((await readOf(central)).is_ending).toBe(words !== null);
  expect(central.output.includes('Renew it')).toBe(words !== null);
  // Without a station nobody has to hear of it.
  expect((await central.post('/x/central-certificate/renew', {})).status).toBe(200);
  const renewed = await readOf(central);
  expect([renewed.is_ending, renewed.next]).toEqual([false, null]);
});

it('a certificate that was given is renewed where it comes from', async () => {
  const folder = temporaryFolder();
  const { certificate, key } = selfMade(undefined, 10);
  const [HOLDPOINT_CERTIFICATE, HOLDPOINT_KEY] = [join(folder, 'a.crt'), join(folder, 'a.key')];
  writeFileSync(HOLDPOINT_CERTIFICATE, certificate);
  writeFileSync(HOLDPOINT_KEY, key);
  const env = { HOLDPOINT_HOST: '0.0.0.0', HOLDPOINT_CERTIFICATE, HOLDPOINT_KEY };
  const central = new Station({ role: 'central', env });
  await central.start();
  onTestFinished(() => central.stop());
  expect(await readOf(central)).toMatchObject({ origin: 'given', is_ending: true });
  const refused = await central.post('/x/central-certificate/renew', {});
  expect(refused).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('HOLDPOINT_CERTIFICATE') },
  });
});

it('a station has no certificate to renew', async () => {
  const station = new Station();
  await station.start();
  onTestFinished(() => station.stop());
  const body = { message: expect.stringContaining('no central') };
  expect(await station.get('/x/central-certificate')).toMatchObject({ status: 404, body });
  const renewed = await station.post('/x/central-certificate/renew', {});
  expect(renewed).toMatchObject({ status: 409, body });
});
