import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillSampleCompany } from '../../../server/demo/fill-sample-company.ts';
import { createClient } from '../../../shared/operations/client.ts';
import { POSTGRES, Postgres } from '../../support/postgres.ts';
import { type Answer, Station } from '../../support/station.ts';
import { answersOf, compareAll, untilReported } from './company-reports.ts';

const LIMIT_MS = 600_000;
const DATABASE = 'reported';
const PASSWORD = 'correct horse battery staple 7';
const DOCUMENT = readFileSync(new URL('../../../docs/operations/reports.md', import.meta.url), 'utf8');

function dataOf<Data = { id: number }>({ status, body }: Answer): Data {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return (body as { data: Data }).data;
}

describe.skipIf(POSTGRES === undefined)('reports in SQL beside a journal', () => {
  const postgres = new Postgres();
  const central = new Station({
    role: 'central',
    env: { HOLDPOINT_JOURNAL: postgres.url(DATABASE), HOLDPOINT_REPORTS: '1' },
  });
  const run = (sql: string) => postgres.run(sql, DATABASE);
  const rows = async (sql: string): Promise<Record<string, unknown>[]> =>
    JSON.parse(await run(`SELECT coalesce(json_agg(each), '[]') FROM (${sql}) AS each`));
  const asReader = (sql: string) => run(`SET ROLE holdpoint_reports; ${sql}`);
  const same = async () => {
    await untilReported(rows);
    return compareAll(postgres, DATABASE, await answersOf(central));
  };

  beforeAll(async () => {
    await postgres.start();
    await postgres.createDatabase(DATABASE);
    await central.start();
  }, LIMIT_MS);

  afterAll(async () => {
    await central.stop();
    await postgres.stop();
  }, LIMIT_MS);

  it('are refused at a central without a journal', async () => {
    const alone = new Station({ role: 'central', env: { HOLDPOINT_REPORTS: '1' }, isWithoutJournal: true });
    await expect(alone.start()).rejects.toThrow('HOLDPOINT_REPORTS=1 cannot be used');
    await alone.stop();
  });

  it(
    'have of each record what the interface answers, while the sample company is written',
    async () => {
      const today = new Date().toISOString().slice(0, 10);
      const client = createClient({ baseUrl: central.origin, token: central.token });
      await fillSampleCompany(client, { today });
      const compared = await same();
      const empty = Object.keys(compared).filter(view => compared[view] === 0);
      expect(empty.sort()).toEqual([
        'audit_reviews',
        'certificate_withdrawals',
        'certificates',
        'signatures',
        'users',
      ]);
    },
    LIMIT_MS,
  );

  it(
    'have days at both ends of the calendar',
    async () => {
      const early = dataOf(
        await central.post('/complaints', { complaint_number: 'C-odd', complaint_date: '0001-01-01' }),
      );
      const late = dataOf(
        await central.post('/complaints', { complaint_number: 'C-late', complaint_date: '9999-12-31' }),
      );
      await untilReported(rows);
      const days = `SELECT complaint_date FROM reports.complaints WHERE id IN (${early.id}, ${late.id}) ORDER BY 1`;
      expect(await rows(days)).toEqual([{ complaint_date: '0001-01-01' }, { complaint_date: '9999-12-31' }]);
    },
    LIMIT_MS,
  );

  it(
    'have no password, token or key, and are open to their role alone',
    async () => {
      const made = dataOf<object>(await central.post('/x/tokens', { name: 'scale', scopes: ['write'] }));
      const secret = String(Object.values(made).find(value => String(value).startsWith('hp_')));
      const boss = { name: 'Boss', login: 'boss', roles: ['administrator'], password: PASSWORD };
      dataOf(await central.post('/x/users', boss));
      const origin = { authorization: undefined, origin: central.origin };
      const body = { login: 'boss', password: PASSWORD };
      expect((await central.call('POST', '/x/session', { headers: origin, body })).status).toBe(201);
      const compared = await same();
      expect(compared.users).toBe(1);
      const text = await run('SELECT document FROM reports.record');
      const keys = await rows("SELECT facts FROM turn WHERE facts LIKE '%user_key%'");
      expect(keys.length).toBeGreaterThan(0);
      for (const hidden of [secret, PASSWORD, central.token, 'public_key'])
        expect(text).not.toContain(hidden);
      const columns = await rows(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'reports' AND column_name ~ 'password|secret|token|key'",
      );
      expect(columns).toEqual([{ table_name: 'settings', column_name: 'password_max_days' }]);
      expect(Number(await asReader('SELECT count(*) FROM reports.suppliers'))).toBe(compared.suppliers);
      for (const sql of [
        'SELECT * FROM reports.record',
        'SELECT * FROM entry',
        'SELECT * FROM turn',
        "UPDATE reports.suppliers SET name = 'x'",
        'DELETE FROM reports.suppliers',
        'CREATE TABLE reports.mine (id integer)',
      ])
        await expect(asReader(sql), sql).rejects.toThrow(/permission denied|cannot/);
    },
    LIMIT_MS,
  );

  it(
    'answer the queries of their document, which names each view',
    async () => {
      const queries = [...DOCUMENT.matchAll(/```sql\n(SELECT[\s\S]*?);\n```/g)].map(([, sql = '']) => sql);
      expect(queries.length).toBeGreaterThan(4);
      for (const sql of queries) expect((await asReader(sql)).trim(), sql).not.toBe('');
      const views = await rows(
        "SELECT table_name AS name FROM information_schema.views WHERE table_schema = 'reports'",
      );
      const unnamed = views.filter(({ name }) => !DOCUMENT.includes(`\`${name}\``));
      expect([views.length > 40, unnamed]).toEqual([true, []]);
    },
    LIMIT_MS,
  );

  it(
    'are the same after statements that are refused, a kill amid writes, and a place that leads nowhere',
    async () => {
      // Two of three portions are refused as when others were in the way; a sequence goes on where a transaction is undone.
      await run(`CREATE SEQUENCE tries; CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') % 3 <> 0 THEN RAISE EXCEPTION 'planted' USING ERRCODE = '40001'; END IF; RETURN NULL; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON reports.record FOR EACH STATEMENT EXECUTE FUNCTION refuse()`);
      const many = Array.from({ length: 300 }, (_, n) => n);
      const write = async (n: number) => dataOf(await central.post('/suppliers', { name: `Late ${n}` }));
      for (const n of many.slice(0, 150)) await write(n);
      await central.kill();
      await central.start();
      for (const n of many.slice(150)) await write(n);
      const compared = await same();
      expect(compared.suppliers).toBeGreaterThanOrEqual(300);
      expect(Number(await run('SELECT last_value FROM tries'))).toBeGreaterThan(3);
      await central.kill();
      // As where the journal lost its end, and reports have what is not there.
      await run(`DROP TRIGGER refuse ON reports.record; UPDATE reports.place SET cursor = 'other-9-9-0-0';
        UPDATE reports.record SET document = '{"name":"stale"}' WHERE id % 2 = 0;
        INSERT INTO reports.record SELECT 'supplier', 999999, '{}'; INSERT INTO reports.record SELECT 'gone', 1, '{}';
        DELETE FROM reports.record WHERE family = 'part'`);
      await central.start();
      // Until the lease of the killed one is over nobody writes.
      await expect.poll(() => run("SELECT cursor LIKE 'other%' FROM reports.place")).toBe('f\n');
      await same();
      expect(await rows("SELECT 1 FROM reports.record WHERE family = 'gone'")).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'get other views with another version, and say what is in the way',
    async () => {
      await central.end();
      await run(`UPDATE reports.place SET shape = 'before'; DROP VIEW reports.suppliers;
        CREATE VIEW reports.suppliers AS SELECT 1 AS former; CREATE VIEW mine AS SELECT * FROM reports.suppliers`);
      await central.start();
      await expect.poll(() => central.output).toContain('view mine depends on view reports.suppliers');
      dataOf(await central.post('/suppliers', { name: 'Answered all the same' }));
      await run('DROP VIEW mine');
      await expect
        .poll(() => rows("SELECT shape FROM reports.place WHERE shape <> 'before'"))
        .toHaveLength(1);
      await same();
    },
    LIMIT_MS,
  );

  it(
    'stand still without the variable, and nothing else does',
    async () => {
      await central.end();
      const alone = new Station({
        role: 'central',
        folder: central.folder,
        env: { HOLDPOINT_JOURNAL: postgres.url(DATABASE) },
      });
      await alone.start();
      const { id } = dataOf(await alone.post('/suppliers', { name: 'Unreported' }));
      await sleep(1_500);
      await alone.stop();
      expect(await rows(`SELECT 1 FROM reports.suppliers WHERE id = ${id}`)).toEqual([]);
      const [standing] = await rows('SELECT behind FROM reports.standing');
      expect(standing?.behind).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});
