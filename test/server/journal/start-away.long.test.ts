import { expect, it, onTestFinished } from 'vitest';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { POSTGRES, Postgres } from '../../support/postgres.ts';
import { Station } from '../../support/station.ts';

it.skipIf(POSTGRES === undefined)(
  'a process comes up by itself though its database goes away in the middle of its start',
  async () => {
    const postgres = new Postgres();
    const proxy = new CuttingProxy(postgres.folder);
    onTestFinished(async () => {
      proxy.stop();
      await postgres.stop();
    });
    await postgres.start();
    await proxy.start();
    await postgres.createDatabase('central');
    const url = `postgres://postgres@/central?host=${proxy.folder}`;
    const central = new Station({ role: 'central', env: { HOLDPOINT_JOURNAL: url } });
    onTestFinished(() => central.stop());
    await central.start();
    await central.end();
    proxy.cutNext('lock_head');
    await central.start();
    expect(proxy.cuts).toBe(1);
    expect((await central.get('/x/health')).status).toBe(200);
  },
);
