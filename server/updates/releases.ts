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
import type { CentralFiles } from './central-file.ts';
import { FEED_LIMIT, FEED_NAME, filesOfFeed, offeredFiles, type ReleaseFile } from './release-feed.ts';

/** What is published at `/updates`. */
export interface Releases {
  /** The text of a feed; undefined where there is none. */
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
      return FEED_NAME.test(name) && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
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
}

/**
 * A station's releases are its central's: a shop floor needs no way to the internet, and the app's updater no idea of
 * how its station knows central. What has come is kept, so that a download that breaks off goes on where it was; what
 * is whole and has the digest of the feed is not fetched again.
 */
export function relayedReleases({ folder, central }: RelayOptions): Releases {
  const underWay = new Map<string, Promise<void>>();

  async function* bytesOf(files: CentralFiles, file: ReleaseFile, signal: AbortSignal) {
    const path = join(folder, keptAs(file));
    if (underWay.has(path)) throw new AppError('conflict', `${file.name} is being fetched already.`);
    const ended = Promise.withResolvers<void>();
    underWay.set(path, ended.promise);
    try {
      yield* receive(files, file, path, signal);
    } finally {
      underWay.delete(path);
      ended.resolve();
    }
  }

  return {
    async feed(name) {
      const files = FEED_NAME.test(name) ? central() : undefined;
      if (!files) return undefined;
      const answer = await files.open(name);
      if (answer.statusCode === 404) {
        answer.destroy();
        return undefined;
      }
      const text = await readFeed(answer);
      mkdirSync(folder, { recursive: true });
      await writeFile(join(folder, `${name}.new`), text, { flush: true });
      await rename(join(folder, `${name}.new`), join(folder, name));
      dropOutdated(folder);
      return text;
    },

    async file(name) {
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
async function* receive(files: CentralFiles, file: ReleaseFile, path: string, signal: AbortSignal) {
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
    const answer = await files.open(file.name, size, signal);
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

async function readFeed(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FEED_LIMIT) break;
    chunks.push(chunk);
  }
  answer.destroy();
  const text = Buffer.concat(chunks).toString('utf8');
  if (answer.statusCode === 200 && size <= FEED_LIMIT && filesOfFeed(text).length > 0) return text;
  throw new AppError(
    'unavailable',
    'What central answers is no update feed. Look at its folder of releases.',
  );
}

function notOffered({ name }: ReleaseFile, { statusCode }: IncomingMessage): AppError {
  return new AppError('unavailable', `Central answers ${statusCode} for ${name}, which its feed offers.`);
}

/** Installers are large: only what a feed still offers stays. */
function dropOutdated(folder: string): void {
  const current = new Set(offeredFiles(folder).map(keptAs));
  for (const name of readdirSync(folder)) {
    if (!FEED_NAME.test(name) && !current.has(name.replace(/\.part$/, ''))) rmSync(join(folder, name));
  }
}
