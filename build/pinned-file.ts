import { hash } from 'node:crypto';

/**
 * Fetches a file of which the digest is known beforehand.
 * @param sha256 in hex
 * @throws Error where it is not to be had, or is another one
 */
export async function pinnedFile(address: string, sha256: string): Promise<Buffer> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} is not to be had: ${answer.status} ${answer.statusText}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  requireDigest(address, hash('sha256', bytes), sha256.toLowerCase());
  return bytes;
}

/** @throws Error that says what was wanted, and what came */
export function requireDigest(what: string, came: string, wanted: string): void {
  if (came !== wanted) throw new Error(`${what} is another file: wanted ${wanted}, came ${came}.`);
}
