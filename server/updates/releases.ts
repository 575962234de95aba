import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../shared/contract/errors.ts';
import {
  RELEASE_NAME,
  ReleaseRefused,
  readRelease,
  requireFeed,
  STABLE,
} from '../../shared/contract/signed-release.ts';
import type { CentralFiles } from './central-file.ts';
import { FEED_LIMIT, FEED_NAME, filesOfFeed, offeredFiles, type ReleaseFile } from './release-feed.ts';

/** What is published at `/updates`. */
export interface Releases {
  /**
   * The text of a feed, or of the publisher's statement (`RELEASE_NAME`); undefined where there is none.
   * @throws AppError `conflict` where a station refuses the feed of its central; the statement says why
   */
  feed(name: string): Promise<string | undefined>;
  /** A file that a feed offers: on disk, or on its way. Undefined for any other name. */
  file(name: string): Promise<{ path: string } | ArrivingFile | undefined>;
}

/** A file that comes from central while it is read. */
export interface ArrivingFile {
  /** In bytes. */
  size: number;
  /** From the first byte on; ends with an error when it is not the file that the feed offers. */
  bytes(signal: AbortSignal): AsyncIterable<Buffer>;
}

/** A central's releases: what somebody put into `folder`, as far as a feed in it offers it. */
export function ownReleases(folder: string): Releases {
  return {
    async feed(name) {
      const path = join(folder, name);
      return isFeed(name) && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    },
    async file(name) {
      const path = join(folder, name);
      const isOffered = offeredFiles(folder).some(offered => offered.name === name);
      return isOffered && existsSync(path) ? { path } : undefined;
    },
  };
}

/** How long a request waits for another one of the same file to end. */
const FINISH_MS = 1_000;

export interface RelayOptions {
  /** Keeps what has come so far. */
  folder: string;
  /** Undefined where the station stands alone. */
  central: () => CentralFiles | undefined;
  /** Whose releases are taken; none: nothing is. */
  keys: readonly string[];
  /** Whose releases this station follows. */
  ring: string;
  /** Whether it offers them now. What is being fetched then may still come to its end. */
  isOpen: () => boolean;
  now: () => Date;
}

/** Its file says when what was believed last was signed. */
const BELIEVED = 'believed';

/**
 * A station's releases are its central's: a shop floor needs no way to the internet, and the app's updater no idea of
 * how its station knows central. Only what the publisher has signed is kept and fetched (`readRelease`), and nothing signed
 * before what was believed last. What has come is kept, so that a download that breaks off goes on where it was; what is whole
 * and has the digest of the feed is not fetched again.
 */
export function relayedReleases({ folder, central, keys, ring, isOpen, now }: RelayOptions): Releases {
  const underWay = new Map<string, Promise<void>>();
  /** What central said last, whether it was believed or not. */
  let statement: string | undefined;
  const placeOf = (name: string) => (ring === STABLE ? name : `${ring}/${name}`);

  async function believe(name: string, feed: string, envelope: string): Promise<void> {
    const kept = join(folder, BELIEVED);
    const last = existsSync(kept) ? { signed_at: readFileSync(kept, 'utf8') } : undefined;
    try {
      const release = await readRelease(envelope, { keys, now: now(), ring, last });
      await requireFeed(release, name, feed);
      await write(BELIEVED, release.signed_at);
    } catch (error) {
      if (!(error instanceof ReleaseRefused)) throw error;
      throw new AppError('conflict', `What central offers is not taken: ${error.message}`, { cause: error });
    }
  }

  async function write(name: string, text: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    await writeFile(join(folder, `${name}.new`), text, { flush: true });
    await rename(join(folder, `${name}.new`), join(folder, name));
  }

  async function* bytesOf(files: CentralFiles, file: ReleaseFile, signal: AbortSignal) {
    const path = join(folder, keptAs(file));
    if (underWay.has(path)) throw new AppError('conflict', `${file.name} is being fetched already.`);
    const ended = Promise.withResolvers<void>();
    underWay.set(path, ended.promise);
    try {
      yield* receive(from => files.open(placeOf(file.name), from, signal), file, path);
    } finally {
      underWay.delete(path);
      ended.resolve();
    }
  }

  return {
    async feed(name) {
      if (!isOpen()) return undefined;
      if (name === RELEASE_NAME) return statement;
      const files = FEED_NAME.test(name) && keys.length > 0 ? central() : undefined;
      const text = files && (await textAt(files, placeOf(name)));
      if (!files || text === undefined) return undefined;
      if (filesOfFeed(text).length === 0) throw noFeed();
      statement = await textAt(files, placeOf(RELEASE_NAME));
      await believe(name, text, statement ?? '');
      await write(name, text);
      dropOutdated(folder);
      return text;
    },

    async file(name) {
      if (!isOpen()) return undefined;
      const [file, files] = [offeredFiles(folder).find(offered => offered.name === name), central()];
      if (!file) return undefined;
      const path = join(folder, keptAs(file));
      // Who has the last byte may be back before the file is checked and has its name.
      const other = underWay.get(path);
      if (other) await Promise.race([other, sleep(FINISH_MS, undefined, { ref: false })]);
      if (existsSync(path)) return { path };
      return files && { size: file.size, bytes: signal => bytesOf(files, file, signal) };
    },
  };
}

/** Two releases may give one name to different files. */
function keptAs({ name, sha512 }: ReleaseFile): string {
  return `${Buffer.from(sha512, 'base64').toString('hex').slice(0, 16)}-${name}`;
}

/** Yields the part that is there, then the rest as it comes, which is written before it is handed on. */
async function* receive(
  openFrom: (byte: number) => Promise<IncomingMessage>,
  file: ReleaseFile,
  path: string,
) {
  const part = `${path}.part`;
  const hash = createHash('sha512');
  let size = statSync(part, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0) {
    for await (const chunk of createReadStream(part) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  }
  if (size < file.size) {
    const answer = await openFrom(size);
    const kept = await open(part, 'a');
    try {
      // A server that knows no ranges begins at the first byte.
      let isPast = answer.statusCode === 206 ? 0 : size;
      if (answer.statusCode !== 206 && answer.statusCode !== 200) throw notOffered(file, answer);
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        const fresh = chunk.subarray(Math.min(isPast, chunk.length));
        isPast -= chunk.length - fresh.length;
        size += fresh.length;
        if (size > file.size) break;
        await kept.write(fresh);
        hash.update(fresh);
        yield fresh;
      }
    } finally {
      await kept.sync();
      await kept.close();
      answer.destroy();
    }
    if (size < file.size) throw new AppError('unavailable', `${file.name} broke off. It goes on from there.`);
  }
  if (size !== file.size || hash.digest('base64') !== file.sha512) {
    rmSync(part, { force: true });
    throw new AppError('unavailable', `${file.name} is not the file that central's feed offers.`);
  }
  await rename(part, path);
}

/** Undefined: central has none. */
async function textAt(files: CentralFiles, name: string): Promise<string | undefined> {
  const answer = await files.open(name);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.statusCode === 200 ? (answer as AsyncIterable<Buffer>) : []) {
    size += chunk.length;
    if (size > FEED_LIMIT) break;
    chunks.push(chunk);
  }
  answer.destroy();
  if (answer.statusCode === 404) return undefined;
  if (answer.statusCode !== 200 || size > FEED_LIMIT) throw noFeed();
  return Buffer.concat(chunks).toString('utf8');
}

function noFeed(): AppError {
  return new AppError(
    'unavailable',
    'What central answers is no update feed. Look at its folder of releases.',
  );
}

function isFeed(name: string): boolean {
  return name === RELEASE_NAME || FEED_NAME.test(name);
}

function notOffered({ name }: ReleaseFile, { statusCode }: IncomingMessage): AppError {
  return new AppError('unavailable', `Central answers ${statusCode} for ${name}, which its feed offers.`);
}

/** Installers are large: only what a feed still offers stays. */
function dropOutdated(folder: string): void {
  const current = new Set(offeredFiles(folder).map(keptAs));
  for (const name of readdirSync(folder)) {
    if (!FEED_NAME.test(name) && name !== BELIEVED && !current.has(name.replace(/\.part$/, '')))
      rmSync(join(folder, name));
  }
}
