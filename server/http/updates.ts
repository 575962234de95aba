import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Express, Response } from 'express';
import { AppError } from '../../shared/contract/errors.ts';
import { RELEASE_NAME } from '../../shared/contract/signed-release.ts';
import type { OpenedReleases } from '../updates/open-releases.ts';
import { FEED_NAME } from '../updates/release-feed.ts';
import type { ArrivingFile, Releases } from '../updates/releases.ts';

export interface Updates {
  /** Paths that need no identity: releases are no secret, and an updater has no user. */
  open: string[];
  mount(app: Express): void;
}

/**
 * `GET /updates/<name>`: feeds as electron-updater reads them, the publisher's statement of them, and the files that they offer, in parts (ranges) where
 * they are on this disk; `GET /updates/<ring>/<name>`: those of another ring than the stable one, at a central; `GET /apt/…` and `GET /dnf/…`: repositories as apt and dnf read them. Any other name is 404: what else lies in the folder is
 * not published.
 */
export function mountUpdates(
  releases: Pick<OpenedReleases, 'feed' | 'file' | 'ofRing' | 'aptFile' | 'dnfFile'>,
): Updates {
  return {
    open: ['GET /updates/*', 'GET /apt/*', 'GET /dnf/*'],
    mount(app) {
      for (const [of, fileOf] of [
        ['apt', releases.aptFile],
        ['dnf', releases.dnfFile],
      ] as const)
        app.get(`/${of}/*path`, ({ params: { path } }, response) => {
          const name = [path].flat().join('/');
          const file = fileOf(name);
          if (file === undefined) throw missing(name);
          return sendWhole(response, file);
        });
      app.get('/updates/:name', ({ params: { name } }, response) => send(releases, name, response));
      app.get('/updates/:ring/:name', ({ params: { ring, name } }, response) =>
        send(releases.ofRing(ring), name, response),
      );
    },
  };
}

async function send(releases: Releases | undefined, name: string, response: Response) {
  if (FEED_NAME.test(name) || name === RELEASE_NAME) {
    const text = await releases?.feed(name);
    if (text === undefined) throw missing(name);
    return response.type(name === RELEASE_NAME ? 'application/json' : 'text/yaml').send(text);
  }
  const file = await releases?.file(name);
  if (!file) throw missing(name);
  return 'path' in file ? sendWhole(response, file.path) : sendArriving(response, file);
}

function sendWhole(response: Response, path: string): Promise<void> {
  response.type('application/octet-stream');
  return new Promise((resolve, reject) => {
    response.sendFile(path, { dotfiles: 'allow', cacheControl: false }, error => {
      // A client that went away is no fault; it comes back for the rest.
      if (error && !response.headersSent) reject(error);
      else resolve();
    });
  });
}

async function sendArriving(response: Response, { size, bytes }: ArrivingFile): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.type('application/octet-stream');
  if (response.req.method === 'HEAD') {
    response.setHeader('Content-Length', size);
    response.end();
    return;
  }
  const source = bytes(gone.signal)[Symbol.asyncIterator]();
  // Until the first bytes are there, what goes wrong can be said.
  const first = await source.next();
  response.setHeader('Content-Length', size);
  try {
    await pipeline(Readable.from(startingWith(first, source)), response);
  } catch {
    // The client sees that the answer broke off, and the part stays for the next time.
    response.destroy();
  }
}

async function* startingWith(first: IteratorResult<Buffer>, rest: AsyncIterator<Buffer>) {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function missing(name: string): AppError {
  return new AppError('not_found', `There is no release ${JSON.stringify(name)} here.`);
}
