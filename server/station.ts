import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { families } from '../shared/families/registry.ts';
import type { Config } from './config.ts';
import { mountDocumentation } from './http/documentation.ts';
import { createEventStreams } from './http/event-stream.ts';
import { createFront } from './http/front.ts';
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
  /** Stops taking requests, lets running ones finish, closes the store. */
  close(): Promise<void>;
}

/** A whole station in this process: store, rules and interface, listening. */
export async function openStation({ config, log, clock, onFail }: StationOptions): Promise<Station> {
  const store = await openStore({ folder: config.folder, rules, lotFactsOf, clock, onFail });
  try {
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
    const documentation = mountDocumentation();
    const front = { log, tokens, hosts: config.hosts, open: ['GET /api/v2/status', ...documentation.open] };
    const app = createFront(front, express => {
      documentation.mount(express);
      mountOperations(express, services, { ...documentation.handlers, ...transferHandlers(imports) });
    });
    const server = createHttpServer({ handler: app, onStop: () => streams.closeAll() });
    const address = await server.listen(config.host, config.port);
    const host = address.host.includes(':') ? `[${address.host}]` : address.host;
    return {
      origin: `http://${host}:${address.port}`,
      firstToken,
      store,
      async close() {
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
  if (store.records.total('company') > 0) return;
  await store.gate.commit({
    actor: { user: 'setup' },
    reason: null,
    work: draft => draft.create(families.company, inputOf({ name: 'My company' })),
    answer: () => undefined,
  });
}
