import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeList } from '../../../build/list-files.ts';
import { AuditReader } from '../../../server/audit/read-events.ts';
import { RouteTable } from '../../../server/http/route-table.ts';
import { Past } from '../../../server/past/past.ts';
import { ALTERED, attempt } from '../../../server/qualification/altering.ts';
import type { Installation } from '../../../server/qualification/bench.ts';
import { tryOne } from '../../../server/qualification/qualify.ts';
import { requirements } from '../../../server/qualification/requirements.ts';
import { ScratchStation } from '../../../server/qualification/scratch-station.ts';
import { ClockWatch } from '../../../server/store/clock-watch.ts';
import { ImportKeys } from '../../../server/store/import-keys.ts';
import { RememberedAnswers } from '../../../server/store/remembered-answers.ts';
import { createTables } from '../../../server/store/tables.ts';
import { Findings } from '../../../server/store/verify/findings.ts';

/**
 * The negative control of the validation kit: each requirement is met, and is not once a fault is planted where a real one would
 * be: a rule that judges nobody, a trigger that is gone, a key that others may read, a clock that was set.
 */
const planted = vi.hoisted(() => new Set<string>());
/** What the function does, or something else while that fault is planted. */
const instead = vi.hoisted(
  () =>
    <Given extends readonly unknown[], Result>(
      fault: string,
      real: (...given: Given) => Result,
      other: (...given: Given) => Result,
    ) =>
    (...given: Given): Result =>
      (planted.has(fault) ? other : real)(...given),
);

vi.mock(import('../../../server/rules/permitting.ts'), async load => {
  const { permitting } = await load();
  return { permitting: instead('nobody is judged', permitting, () => undefined) };
});
vi.mock(import('../../../shared/contract/roles.ts'), async load => {
  const real = await load();
  return { ...real, mayCall: instead('everybody may call', real.mayCall, () => true) };
});
vi.mock(import('../../../server/rules/reason.ts'), async load => {
  const real = await load();
  return { ...real, hasReason: instead('no reason is asked for', real.hasReason, () => true) };
});
vi.mock(import('../../../server/rules/signing.ts'), async load => {
  const real = await load();
  const holding = (...given: Parameters<typeof real.datedSignaturesOf>) =>
    real.datedSignaturesOf(...given).map(one => ({ ...one, is_superseded: false }));
  return {
    ...real,
    sealing: instead('nothing is signed', real.sealing, () => {}),
    datedSignaturesOf: instead('signatures hold for ever', real.datedSignaturesOf, holding),
  };
});
vi.mock(import('../../../shared/families/signature-policy.ts'), async load => {
  const real = await load();
  const alone = (...given: Parameters<typeof real.policyOf>) => ({
    ...real.policyOf(...given),
    needs_second_person: false,
  });
  return { ...real, policyOf: instead('no second person', real.policyOf, alone) };
});
vi.mock(import('../../../server/print/signature-blocks.ts'), async load => {
  const { signatureBlocks } = await load();
  return { signatureBlocks: instead('paper without signatures', signatureBlocks, () => []) };
});
vi.mock(import('../../../server/print/correction-blocks.ts'), async load => {
  const real = await load();
  return { ...real, correctionBlocks: instead('paper without corrections', real.correctionBlocks, () => []) };
});
vi.mock(import('../../../server/audit/event.ts'), async load => {
  const real = await load();
  return { ...real, putEvent: instead('nothing is noted', real.putEvent, () => {}) };
});
vi.mock(import('../../../server/keys/ed25519.ts'), async load => {
  const real = await load();
  return { ...real, isSignedBy: instead('each signature is right', real.isSignedBy, () => true) };
});
vi.mock(import('../../../server/store/changes.ts'), async load => {
  const real = await load();
  const forgetting = (...given: Parameters<typeof real.diffFields>) =>
    real.diffFields(...given).map(change => ({ ...change, old: null }));
  return { ...real, diffFields: instead('former values are forgotten', real.diffFields, forgetting) };
});
vi.mock(import('../../../server/http/authenticate.ts'), async load => {
  const real = await load();
  const createAuthenticate: typeof real.createAuthenticate = options => {
    const authenticate = real.createAuthenticate(options);
    const open: typeof authenticate = (request, response, next) => {
      if (request.path !== '/api/v2/suppliers') return authenticate(request, response, next);
      response.locals.identity = { tokenId: 0, name: 'anybody', scopes: ['read'], hash: '' };
      next();
    };
    return instead('an operation is open', authenticate, open);
  };
  return { ...real, createAuthenticate };
});
vi.mock(import('../../../server/identity/password-rules.ts'), async load => {
  const real = await load();
  const any: typeof real.passwordRules = async () => password => String(password);
  return { ...real, passwordRules: instead('any password is taken', real.passwordRules, any) };
});
vi.mock(import('../../../server/identity/attempts.ts'), async load => {
  const real = await load();
  const createAttempts: typeof real.createAttempts = options => {
    const attempts = real.createAttempts(options);
    return {
      ...attempts,
      begin: instead('attempts are not counted', attempts.begin, () => {}),
      fail: instead('attempts are not counted', attempts.fail, () => false),
    };
  };
  return { ...real, createAttempts };
});
vi.mock(import('../../../server/identity/tokens.ts'), async load => {
  const real = await load();
  const createTokens: typeof real.createTokens = options => {
    const tokens = real.createTokens(options);
    return { ...tokens, revoke: instead('revoked tokens work', tokens.revoke, () => {}) };
  };
  return { ...real, createTokens };
});
vi.mock(import('../../../server/rules/accounts.ts'), async load => {
  const real = await load();
  const careless: typeof real.accounts = (_work, { fields }) => {
    if (planted.has('nobody is deactivated')) fields.is_active = true;
  };
  return {
    accounts: instead(
      'nobody is deactivated',
      instead('logins are given twice', real.accounts, careless),
      careless,
    ),
  };
});
vi.mock(import('../../../server/rules/site.ts'), async load => {
  const real = await load();
  const awake: typeof real.siteSettings = records => ({
    ...real.siteSettings(records),
    idle_lock_minutes: 0,
  });
  return { ...real, siteSettings: instead('sessions never lock', real.siteSettings, awake) };
});
vi.mock(import('../../../server/store/history.ts'), async load => {
  const real = await load();
  const byClock: typeof real.readHistoryOf = (...given) => {
    const { commits, ...rest } = real.readHistoryOf(...given);
    return { ...rest, commits: commits.toSorted((one, other) => (one.at < other.at ? -1 : 1)) };
  };
  return { ...real, readHistoryOf: instead('the clock orders', real.readHistoryOf, byClock) };
});
vi.mock(import('../../../shared/quantities/tolerance.ts'), async load => {
  const real = await load();
  return { ...real, judge: instead('everything passes', real.judge, () => 'pass') };
});
vi.mock(import('../../../server/store/unit-of-work-checks.ts'), async load => {
  const real = await load();
  return {
    ...real,
    checkReferences: instead('references are not looked up', real.checkReferences, () => {}),
  };
});
vi.mock(import('../../../server/rules/lot-state.ts'), async load => {
  const real = await load();
  return {
    ...real,
    locksOf: instead('nothing locks', real.locksOf, () => []),
    isExpired: instead('nothing expires', real.isExpired, () => false),
  };
});
vi.mock(import('../../../server/http/write.ts'), async load => {
  const real = await load();
  return { ...real, checkIfMatch: instead('the last one wins', real.checkIfMatch, () => {}) };
});
vi.mock(import('../../../server/transfer/export-lines.ts'), async load => {
  const real = await load();
  const short: typeof real.exportLines = function* (...given) {
    yield* [...real.exportLines(...given)].slice(0, -1);
  };
  return { ...real, exportLines: instead('exports end early', real.exportLines, short) };
});
vi.mock(import('../../../server/backup/work.ts'), async load => {
  const real = await load();
  const startWork: typeof real.startWork = (kind, asked, patience) =>
    planted.has('backups are old') && kind === 'copy'
      ? real.startWork(kind, { ...asked, data: former } as typeof asked, patience)
      : real.startWork(kind, asked, patience);
  return { ...real, startWork };
});
vi.mock(import('../../../server/store/backup-recipient.ts'), async load => {
  const real = await load();
  return { ...real, backupRecipient: instead('the key is not read', real.backupRecipient, () => null) };
});
vi.mock(import('../../../server/store/restore/restore.ts'), async load => {
  const real = await load();
  const silent: typeof real.restore = async options => ({ ...(await real.restore(options)), lost: null });
  return { ...real, restore: instead('a restore is silent', real.restore, silent) };
});
vi.mock(import('../../../server/transfer/apply-rows.ts'), async load => {
  const real = await load();
  const rounded: typeof real.applyRow = (context, work, plan, row) => {
    const round = (value: unknown) => (typeof value === 'number' ? Math.round(value) : value);
    const fields = Object.fromEntries(
      Object.entries(row.input.fields).map(([name, value]) => [name, round(value)]),
    );
    return real.applyRow(context, work, plan, { ...row, input: { ...row.input, fields } });
  };
  return { ...real, applyRow: instead('imports round', real.applyRow, rounded) };
});
vi.mock(import('../../../server/transfer/run-import.ts'), async load => {
  const real = await load();
  const some: typeof real.runImport = (store, task) => real.runImport(store, { ...task, skipBad: true });
  const wet: typeof real.runImport = (store, task) => real.runImport(store, { ...task, isDry: false });
  return {
    ...real,
    runImport: instead('imports take a part', instead('trials write', real.runImport, wet), some),
  };
});
vi.mock(import('../../../server/store/migrations.ts'), async load => {
  const real = await load();
  return { ...real, refuseNewer: instead('any version is opened', real.refuseNewer, () => {}) };
});

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-planted-'));
const scratch = new ScratchStation(join(folder, 'data'));
/** Data of before all else. */
let former = '';
let installation: Installation;
beforeAll(async () => {
  await scratch.open();
  former = scratch.copied(folder, 'former').folder;
  const data = join(folder, 'installation');
  await scratch.elsewhere(data, async () => {});
  const checkpoints = join(folder, 'checkpoints');
  mkdirSync(checkpoints);
  for (const name of ['server', 'renderer']) {
    mkdirSync(join(folder, 'program', name), { recursive: true });
    writeFileSync(join(folder, 'program', name, 'main.js'), 'run();\n');
    writeList(join(folder, 'program', name));
  }
  installation = {
    config: { folder: data, host: '127.0.0.1', port: 9, checkpoints },
    program: { root: join(folder, 'program') },
    versions: { program: '0.2.0', node: process.versions.node, sqlite: process.versions.sqlite ?? '' },
    clock: () => new Date(),
  };
});
afterAll(async () => {
  await scratch.close();
  rmSync(folder, { recursive: true, force: true });
});

type Undo = () => unknown;
/** A fault: names of those above, or what plants it and says how it goes again. */
type Fault = readonly string[] | (() => Undo | Promise<Undo>);

const inData = (...names: string[]) => join(installation.config.folder, ...names);
const mode = (path: () => string, bits: number, former: number) => () => {
  chmodSync(path(), bits);
  return () => chmodSync(path(), former);
};
const otherwise = (changes: Partial<Installation>) => {
  const before = installation;
  installation = { ...installation, ...changes };
  return () => {
    installation = before;
  };
};
const inDatabase = (sql: string, undo: string) => () => {
  scratch.store.database.exec(sql);
  return () => scratch.store.database.exec(undo);
};
const spied =
  (spy: { mockRestore: () => unknown }): Undo =>
  () =>
    spy.mockRestore();

const FAULTS: Readonly<Record<string, Fault>> = {
  'IQ-01': () => otherwise({ versions: { ...installation.versions, node: '20.19.0' } }),
  'IQ-02': () => {
    const path = join(installation.program.root, 'renderer', 'main.js');
    writeFileSync(path, 'run(1);\n');
    return () => writeFileSync(path, 'run();\n');
  },
  'IQ-03': mode(() => inData('authority.key'), 0o644, 0o600),
  'IQ-04': mode(() => inData(), 0o755, 0o700),
  'IQ-05': () => otherwise({ config: { ...installation.config, checkpoints: join(folder, 'gone') } }),
  'IQ-06': () => {
    expect(attempt(inData('holdpoint.db'), 'DROP TRIGGER history_is_never_deleted')).toBe(ALTERED);
    return () =>
      attempt(
        inData('holdpoint.db'),
        "CREATE TRIGGER history_is_never_deleted BEFORE DELETE ON history BEGIN SELECT RAISE(ABORT, 'history is append-only'); END",
      );
  },
  'IQ-07': () => otherwise({ clock: () => new Date(Date.now() - 86_400_000) }),
  'IQ-08': async () => {
    const other = createServer(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const address = other.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const undo = otherwise({ config: { ...installation.config, port } });
    return () => {
      undo();
      other.close();
    };
  },
  'AT-01': ['former values are forgotten'],
  'AT-02': ['no reason is asked for'],
  'AT-03': () => {
    scratch.store.database.exec('DROP TRIGGER history_is_never_changed');
    return () => createTables(scratch.store.database);
  },
  'AT-04': () => spied(vi.spyOn(Findings.prototype, 'add').mockImplementation(() => {})),
  'AT-05': ['each signature is right'],
  'AT-06': ['nothing is noted'],
  'AT-07': ['everybody may call'],
  'AT-08': () => {
    const all = AuditReader.prototype.all;
    return spied(
      vi.spyOn(AuditReader.prototype, 'all').mockImplementation(function* (this: AuditReader, selection) {
        yield* [...all.call(this, selection)].slice(1);
      }),
    );
  },
  'AT-09': ['everybody may call', 'nobody is judged'],
  'ES-01': ['nothing is signed'],
  'ES-02': ['paper without signatures'],
  'ES-03': ['signatures hold for ever'],
  'ES-04': ['each signature is right'],
  'ES-05': ['nothing is signed'],
  'ES-06': ['no second person'],
  'ES-07': ['attempts are not counted'],
  'ES-08': ['nothing is signed'],
  'PE-01': ['an operation is open'],
  'PE-02': ['nobody is judged', 'everybody may call'],
  'PE-03': ['nobody is judged'],
  'PE-04': ['any password is taken'],
  'PE-05': ['attempts are not counted'],
  'PE-06': ['logins are given twice'],
  'PE-07': ['nobody is deactivated'],
  'PE-08': ['sessions never lock'],
  'PE-09': () => {
    const { database } = scratch.store;
    database.transaction(() =>
      database.run("INSERT INTO local (name, value) VALUES ('note', ?)", scratch.passwordOf('quality')),
    );
    return () => database.transaction(() => database.run("DELETE FROM local WHERE name = 'note'"));
  },
  'PE-10': ['revoked tokens work'],
  'PE-11': ['nothing is noted'],
  'TI-01': () =>
    // Within what a session may sign: what is written so stays right.
    spied(
      vi
        .spyOn(ClockWatch.prototype, 'moment')
        .mockImplementation(() => ({ at: new Date(scratch.now().getTime() + 90_000).toISOString() })),
    ),
  'TI-02': () => blindClock(),
  'TI-03': ['everybody may call'],
  'TI-04': ['the clock orders'],
  'CO-01': ['nobody is judged', 'everybody may call'],
  'CO-02': ['nothing is noted'],
  'CO-03': ['everything passes'],
  'CO-04': ['references are not looked up'],
  'CO-05': ['everything passes'],
  'RE-01': ['nothing locks'],
  'RE-02': ['nothing expires'],
  'RE-03': () => {
    const { database } = scratch.store;
    const last = database.get<{ lot: number }>('SELECT max(lot) AS lot FROM stock')?.lot ?? 0;
    const add = (by: number) =>
      database.transaction(() =>
        database.run('UPDATE stock SET quantity = quantity + ? WHERE lot = ?', by, last),
      );
    add(1);
    return () => add(-1);
  },
  'RE-04': () => {
    const match = RouteTable.prototype.match;
    return spied(
      vi.spyOn(RouteTable.prototype, 'match').mockImplementation(function (
        this: RouteTable<unknown>,
        path: string,
        method: string,
      ) {
        return match.call(this, path, method === 'DELETE' ? 'GET' : method);
      }),
    );
  },
  'RE-05': () => spied(vi.spyOn(RememberedAnswers.prototype, 'find').mockReturnValue(undefined)),
  'RE-06': ['the last one wins'],
  'RE-07': ['exports end early'],
  'RE-08': ['paper without corrections'],
  'RE-09': () =>
    spied(
      vi.spyOn(Past.prototype, 'at').mockImplementation(function (this: Past, key) {
        return this.now(key);
      }),
    ),
  'BA-01': ['backups are old'],
  'BA-02': () => spied(vi.spyOn(Findings.prototype, 'add').mockImplementation(() => {})),
  'BA-03': () => {
    planted.add('the key is not read');
    return async () => {
      planted.clear();
      await scratch.as('administrator').post('/x/backup-key/remove');
    };
  },
  'BA-04': ['nothing is noted'],
  'BA-05': inDatabase('PRAGMA synchronous = OFF', 'PRAGMA synchronous = FULL'),
  'BA-06': ['a restore is silent'],
  'MI-01': ['imports round'],
  'MI-02': ['imports take a part'],
  'MI-03': ['trials write'],
  'MI-04': () => spied(vi.spyOn(ImportKeys.prototype, 'find').mockReturnValue(undefined)),
  'MI-05': ['nothing is noted'],
  'MI-06': ['everybody may call'],
  'MI-07': ['any version is opened'],
};

/** Nothing is noticed of the clock. */
function blindClock(): Undo {
  const spies = [
    vi.spyOn(ClockWatch.prototype, 'look').mockImplementation(() => {}),
    vi.spyOn(ClockWatch.prototype, 'standing').mockReturnValue(null),
    vi.spyOn(ClockWatch.prototype, 'moment').mockImplementation(() => ({ at: scratch.now().toISOString() })),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

async function plant(fault: Fault): Promise<Undo> {
  if (typeof fault === 'function') return fault();
  for (const name of fault) planted.add(name);
  return () => planted.clear();
}

describe.each(requirements.map(requirement => ({ id: requirement.id, requirement })))(
  '$id',
  ({ id, requirement }) => {
    const tried = () => tryOne(requirement, { installation, scratch, folder: join(folder, id) });
    const wrong = ({ verdict, note, steps }: Awaited<ReturnType<typeof tried>>) =>
      verdict === 'passed' ? [] : [note?.en, ...steps.filter(one => !one.is_right)];

    it('is met', async () => {
      expect(wrong(await tried())).toEqual([]);
    });

    it('is not met once a fault is planted', async () => {
      const fault = FAULTS[id];
      if (!fault) throw new Error('No fault is planted for it.');
      const undo = await plant(fault);
      try {
        expect((await tried()).verdict).toBe('failed');
      } finally {
        await undo();
        // Some faults end all sessions.
        if ((await scratch.as('second').get('/suppliers')).status !== 200) await scratch.signInAll();
      }
    });
  },
);
