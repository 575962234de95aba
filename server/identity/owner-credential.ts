import { randomBytes, timingSafeEqual } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { SCOPES } from '../store/token-table.ts';
import type { TokenIdentity } from './tokens.ts';

/** Author in history of what the owner of the data folder does by the command line at a station. */
export const COMMAND_LINE = 'command-line';
/** Before the callers that are stored: tokens from 0 on, the loader of the sample company -1. */
const CALLER = -2;

/** Where a running station's server leaves the credential. */
export function ownerCredentialPath(folder: string): string {
  return join(folder, 'owner-credential');
}

export type OwnerCredential = ReturnType<typeof createOwnerCredential>;

/**
 * By which the owner of the data folder administers a machine whose people are central's: made at each start, in a file
 * that only its owner reads, taken over connections of this machine alone, and gone with the server.
 * @param secret of a command that opens the data folder itself; one is made where there is none
 */
export function createOwnerCredential(folder: string, secret = randomBytes(32).toString('base64url')) {
  const path = ownerCredentialPath(folder);
  const expected = Buffer.from(`Bearer ${secret}`);
  const identity: TokenIdentity = { tokenId: CALLER, name: COMMAND_LINE, scopes: SCOPES };
  return {
    /** Whole or not at all: a command may read it at any time. */
    publish(): void {
      const part = `${path}.part`;
      rmSync(part, { force: true });
      writeFileSync(part, `${secret}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(part, path);
    },
    authenticate(authorization: string | undefined, connection: object | undefined): TokenIdentity | null {
      if (authorization === undefined || !isOfThisMachine(connection)) return null;
      const given = Buffer.from(authorization);
      return given.length === expected.length && timingSafeEqual(given, expected) ? identity : null;
    },
    /** Also what a server left that was killed. */
    withdraw(): void {
      rmSync(path, { force: true });
    },
  };
}

/** Over loopback, or from and to one of the machine's own addresses. */
export function isOfThisMachine(connection: object | undefined): boolean {
  const { remoteAddress, localAddress }: Partial<Pick<Socket, 'remoteAddress' | 'localAddress'>> =
    connection ?? {};
  if (remoteAddress === undefined) return false;
  return remoteAddress === localAddress || /^(::1|(::ffff:)?127(\.\d+){3})$/.test(remoteAddress);
}
