import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../server/http/openapi/openapi.ts';
import type { OpenApiDocument } from '../../../server/http/openapi/openapi-document.ts';
import { Station } from '../../support/station.ts';
import { unfolded } from '../../support/unfolded.ts';
import { DescribedInterface } from './described-interface.ts';
import { requestFor } from './generated-request.ts';
import { PropertyRun } from './property-run.ts';
import { prepareRecords } from './record-pool.ts';

/** Requests for each operation; some thousands find what a few do not. */
const RUNS = Number(process.env.HOLDPOINT_PROPERTY_RUNS ?? 16);
const SEED = Number(process.env.HOLDPOINT_PROPERTY_SEED ?? 20_260_131);
/** Which operations: a regular expression over `POST /inspections`; all of them unless set. */
const WHICH = new RegExp(process.env.HOLDPOINT_PROPERTY_OPERATIONS ?? '');
const TIME_LIMIT_MS = 240_000 + RUNS * 1_000;
/** Works anew through everything that is stored, or through a password, which takes its time on purpose. */
const COSTLY = new Set([
  'x.rebuild',
  'x.events',
  'x.exports.read',
  'x.backups.create',
  'x.backups.practise',
  'x.recall.inventory',
  'x.recall.parts',
  'x.sample-company.create',
  'x.session.create',
  'x.session.unlock',
  'x.users.password',
]);

/** Need a station's key, or what only central's answer to another request has. */
const NOT_ALONE = new Set([
  // These have tests of their own, with the records that they need.
  'x.lab-results.import',
  'x.paper.read',
  'x.records.list',
  'x.records.paper',
  'x.stock.list',
  'x.labels.read',
  'x.labels.list',
  'x.moved.read',
  'x.boards.read',
  // Lot, places and amount must fit, which chance seldom makes.
  'x.moves.create',
  'x.moves.read',
  // Opening stock needs a part and a lot number that it does not have yet.
  'x.inventory.create',
  // A count that differs is posted alone.
  'x.stock-counts.post',
  'x.sample-company.create',
  'x.backups.practise',
  'x.validation.read',
  // At central, of which there is none.
  ...['people', 'assign', 'unassign', 'group'].map(each => `x.stations.${each}`),
  ...['send', 'list', 'read'].map(each => `x.station-backups.${each}`),
  // A key is certified after a loss alone.
  'x.authority.certify',
  // Needs an address that somebody listens at.
  ...['create', 'update', 'remove', 'rotate', 'test', 'deliveries', 'replay', 'discard'].map(
    each => `x.webhooks.${each}`,
  ),
  'x.validation.paper',
  // People's sessions: a program has none.
  'x.session.resume',
  'x.session.hand',
  'x.sessions.list',
  'x.sessions.end',
  'x.sessions.end-others',
  // What is generated is no password that may be set.
  'x.users.password',
  'x.backup-key.update',
  'x.backup-key.remove',
  'x.clock.confirm',
  'x.audit.list',
  'x.audit.export',
  'x.audit.paper',
  'x.audit.package',
  'x.audit.review',
  'x.corrections.accept',
  'x.certificates.issue',
  'x.certificates.read',
  'x.certificates.paper',
  'x.certificates.withdraw',
  'x.exports.read',
  'x.enrolment.create',
  'x.enrolment-codes.revoke',
  'x.stations.revoke',
  'x.central-certificate.read',
  'x.central-certificate.renew',
  'x.central-certificate.chain',
  'x.stations.choose',
  'x.stations.block',
  'x.stations.archive',
  'x.former-keys.claim',
  'x.stations.key',
  'x.sync.enrol',
  'x.sync.exchange',
  'x.sync.pokes',
  'x.sync.comparison',
  'x.sync.digests',
  'x.sync.history',
  'x.carry.out',
  'x.carry.in',
  'x.session.create',
  'x.session.unlock',
  'x.session.lock',
  'x.session.end',
  'x.first-administrator.create',
  'x.first-administrator.link',
  'x.stations.secrets',
  'x.conflicts.resolve',
  'x.held.release',
  'x.held.withdraw',
]);

const station = new Station({ role: 'central' });
let run: PropertyRun;
beforeAll(async () => {
  await station.start();
  const { body } = await station.get('/openapi.json');
  run = new PropertyRun(
    station,
    new DescribedInterface(unfolded(body as OpenApiDocument)),
    await prepareRecords(station),
  );
});
afterAll(async () => {
  const counts = [...run.statuses.values()].flatMap(each => [...each]);
  const answered = (isCounted: (status: number) => boolean) =>
    counts.reduce((sum, [status, count]) => sum + (isCounted(status) ? count : 0), 0);
  process.stdout.write(
    `    ${run.statuses.size} operations, ${answered(() => true)} requests: ${answered(status => status < 300)} accepted, ` +
      `${answered(status => status >= 300 && status < 500)} refused, ${answered(status => status >= 500)} faults\n`,
  );
  await station.stop();
});

const operations = new DescribedInterface(JSON.parse(JSON.stringify(openApiDocument()))).operations.filter(
  ({ method, path }) => WHICH.test(`${method} ${path}`),
);

describe(`every operation, ${RUNS} requests, seed ${SEED}`, () => {
  it.each(operations.map(({ method, path, id }) => ({ method, path, id })))(
    '$method $path',
    { timeout: TIME_LIMIT_MS },
    async ({ method, path, id }) => {
      const operation = run.described.find(method, path);
      if (!operation) throw new Error('The server does not describe this operation.');
      const property = fc.asyncProperty(requestFor(operation, run.described.components), async request => {
        expect(await run.faultsOf(operation, request)).toEqual([]);
      });
      const numRuns = COSTLY.has(id) ? Math.min(Math.ceil(RUNS / 2), 20) : RUNS;
      await fc.assert(property, { seed: SEED, numRuns, endOnFailure: true });
    },
  );

  // Some need what other operations have made.
  it.skipIf(WHICH.source !== '(?:)')('was answered with a success at least once', () => {
    const never = operations.flatMap(({ id }) => {
      const statuses = run.statuses.get(id) ?? new Map<number, number>();
      const isAnswered = NOT_ALONE.has(id) || [...statuses.keys()].some(status => status < 300);
      return isAnswered ? [] : [`${id}: ${[...statuses].join(' ')}`];
    });
    expect(never).toEqual([]);
  });

  it('left the station well', async () => {
    expect((await station.get('/status')).status).toBe(200);
    const { body } = await station.post('/x/rebuild');
    expect(body).toMatchObject({ data: { differences: 0 } });
    // A backup is kept only if everything in it is verified.
    expect((await station.post('/x/backups')).body).toMatchObject({ data: { verified: true } });
    expect(station.output).not.toContain('"level":"error"');
  });
});
