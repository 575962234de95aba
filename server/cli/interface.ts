import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import { type Client, createClient } from '../../shared/operations/client.ts';
import { clocks } from '../app/clocks.ts';
import { type Config, readConfig } from '../app/config.ts';
import { type ReadPolicy, readMachinePolicy } from '../app/machine-policy.ts';
import { publishedAddress } from '../app/own-address.ts';
import { ownerCredentialPath } from '../identity/owner-credential.ts';
import { isFolderInUse } from '../store/sqlite/lock.ts';
import { ownServer } from './own-server.ts';

/** Does work over the interface of the installation, wherever that runs. */
export type WithInterface = <Result>(work: (client: Client) => Promise<Result>) => Promise<Result>;

const FAULT = 70;

/**
 * The command line is a client like any other. Where a server uses the data folder, it talks to that one; where none
 * does, it opens the station itself for as long as the work takes, on a free port with a token that nobody else knows.
 */
export function withInterfaceOf(variables: Record<string, string | undefined>): WithInterface {
  return async work => {
    const config = readConfig(variables, readMachinePolicy(variables).settings);
    if (!isFolderInUse(config.folder))
      return withOwnStation(config, () => readMachinePolicy(variables), work);
    // A server may have taken another port than the usual one, as that of a second person's desktop app.
    const published = variables.HOLDPOINT_PORT ? undefined : publishedAddress(config.folder);
    return withServer(config, work, published);
  };
}

async function withServer<Result>(
  config: Config,
  work: (client: Client) => Promise<Result>,
  published: string | undefined,
): Promise<Result> {
  const server = published === undefined ? ownServer(config) : { baseUrl: published, fetch, close: () => {} };
  const { baseUrl } = server;
  const client = createClient({ baseUrl, token: tokenOf(config), fetch: server.fetch });
  try {
    await client.call('status.read');
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'unavailable') throw cause;
    const message = `A server uses the data folder ${config.folder}, but none answers at ${baseUrl}. Set HOLDPOINT_HOST and HOLDPOINT_PORT to what it was started with.`;
    throw new AppError('unavailable', message, { cause });
  }
  try {
    return await work(client);
  } finally {
    server.close();
  }
}

async function withOwnStation<Result>(
  config: Config,
  readPolicy: () => ReadPolicy,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  // Loaded only here: half of the start of a command that talks to a server.
  const [{ openStation }, { createLogger }] = await Promise.all([
    import('../app/station.ts'),
    import('../http/log.ts'),
  ]);
  const token = randomBytes(32).toString('base64url');
  const log = createLogger({ level: 'warn', destination: process.stderr });
  const station = await openStation({
    config: { ...config, token },
    readPolicy,
    ownerSecret: token,
    listenAt: { host: '127.0.0.1', port: 0 },
    log,
    ...clocks,
    onFail(error) {
      log.fatal({ err: error }, 'The store stopped after a failed write; the command ends.');
      process.exit(FAULT);
    },
  });
  try {
    return await work(createClient({ baseUrl: station.origin, token }));
  } finally {
    await station.close();
  }
}

function tokenOf({ folder, token }: Config): string {
  // There while the server of a station runs, where no token administers.
  const credential = ownerCredentialPath(folder);
  if (existsSync(credential)) return readFileSync(credential, 'utf8').trim();
  if (token !== undefined) return token;
  const path = join(folder, 'token');
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  throw new AppError(
    'unauthenticated',
    `There is no token in ${path}. Set HOLDPOINT_TOKEN to an administrator's token.`,
  );
}
