import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { AppError } from '../shared/errors.ts';
import { families } from '../shared/families/registry.ts';
import { type Backups, createBackups } from './backup/backups.ts';
import type { Config } from './config.ts';
import { mountDocumentation } from './http/documentation.ts';
import { createEventStreams } from './http/event-stream.ts';
import { createFront } from './http/front.ts';
import { backupHandlers } from './http/handlers/backups.ts';
import type { Services } from './http/handlers/handler.ts';
import { transferHandlers } from './http/handlers/transfer.ts';
import { createHttpServer } from './http/listen.ts';
import { mountOperations } from './http/routes.ts';
import { createWrite } from './http/write.ts';
import { ensureFirstToken, type FirstToken } from './identity/first-token.ts';
import { createTokens } from './identity/tokens.ts';
import { inputOf } from './rules/input-of.ts';
import { lotFactsOf } from './rules/lot-facts.ts';
import { rules } from './rules/registry.ts';
import { siteSettings } from './rules/site.ts';
import { firstCommitAt } from './store/history.ts';
import { openStore, type Store } from './store/store.ts';
import { tokenTable } from './store/token-table.ts';
import { openImports } from './transfer/imports.ts';

export interface StationOptions {
  config: Config;
  log: Logger;
  clock: () => Date;
  /** The store stopped after a failed write: end the process. */
  onFail: (error: unknown) => void;
}

export interface Station {
  /** Where the interface is, without a slash at the end. */
  origin: string;
  /** The administrator's token of the first start; null where it was taken away. */
  firstToken: FirstToken | null;
  store: Store;
  backups: Backups;
  /** Stops taking requests, lets running ones finish, closes the store. */
  close(): Promise<void>;
}

/** A whole station in this process: store, rules and interface, listening. */
export async function openStation({ config, log, clock, onFail }: StationOptions): Promise<Station> {
  const onDamage = (damage: AppError) => log.error(damage.message);
  const store = await openStore({ folder: config.folder, rules, lotFactsOf, clock, onFail, onDamage });
  try {
    tellSelfCheck(store, log);
    await setUp(store);
    const tokens = createTokens({
      table: tokenTable(store.database),
      now: clock,
      random: randomBytes,
      environmentToken: config.token,
    });
    const firstToken = ensureFirstToken({ folder: config.folder, tokens });
    const streams = createEventStreams();
    tokens.onRevoke(tokenId => streams.closeToken(tokenId));
    const services: Services = {
      store,
      tokens,
      streams,
      clock,
      write: createWrite(store, clock),
      reading: () => ({ records: store.records, sql: store.database.reader, now: clock().toISOString() }),
    };
    const imports = await openImports({
      store,
      folder: config.folder,
      onFault: error => log.error({ err: error }, 'import failed'),
    });
    const backups = createBackups({
      data: config.folder,
      clock,
      settings: () => siteSettings(store.records),
      since: () => firstCommitAt(store.database.reader),
      onDone: done => log.info({ backup: done }, 'A backup is made.'),
      onWarning: warning => log.warn(warning),
    });
    const documentation = mountDocumentation();
    const front = { log, tokens, hosts: config.hosts, open: ['GET /api/v2/status', ...documentation.open] };
    const app = createFront(front, express => {
      documentation.mount(express);
      mountOperations(express, services, {
        ...documentation.handlers,
        ...transferHandlers(imports),
        ...backupHandlers(backups),
      });
    });
    const server = createHttpServer({ handler: app, onStop: () => streams.closeAll() });
    const address = await server.listen(config.host, config.port);
    const host = address.host.includes(':') ? `[${address.host}]` : address.host;
    return {
      origin: `http://${host}:${address.port}`,
      firstToken,
      store,
      backups,
      async close() {
        await backups.close();
        await imports.close();
        await server.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A fresh installation has one company and no other record (interface decisions, 1). */
async function setUp(store: Store): Promise<void> {
  if (store.database.damage !== undefined || store.records.total('company') > 0) return;
  await store.gate.commit({
    actor: { user: 'setup' },
    reason: null,
    work: draft => draft.create(families.company, inputOf({ name: 'My company' })),
    answer: () => undefined,
  });
}

/** What the store found out about itself before it opened. */
function tellSelfCheck({ selfCheck, database }: Store, log: Logger): void {
  const { isUnclean, findings, looked, milliseconds } = selfCheck;
  for (const finding of findings) log.error(finding, 'The database is damaged.');
  if (database.damage) log.error(database.damage.message);
  else if (isUnclean) {
    log.info(
      { looked, milliseconds },
      'The last process did not end in order; nothing is wrong with the store.',
    );
  }
}
