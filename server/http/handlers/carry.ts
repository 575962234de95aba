import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { AppError, invalid } from '../../../shared/contract/errors.ts';
import type { CarryState } from '../../../shared/operations/carry-operations.ts';
import type { Stations } from '../../enrolment/stations.ts';
import type { SyncService } from '../../sync/sync-service.ts';
import { drained, success } from '../reply.ts';
import type { RequestContext } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

export interface CarryHandlersOptions {
  service: SyncService;
  stations: Stations;
  /** The data folder: a file that is read in lies there until it is taken, sealed as it came. */
  folder: string;
}

/** The exchange by files. */
export function carryHandlers({ service, stations, folder }: CarryHandlersOptions) {
  const uploads = join(folder, 'carried');
  // What a process left that ended while it read one in.
  rmSync(uploads, { recursive: true, force: true });
  let running: CarryState['running'] = null;

  const stationCarry = () => {
    if (service.station) return service.station.carry();
    throw new AppError('unavailable', 'The store is damaged and can only be read. Restore a backup first.');
  };

  function others(): CarryState['others'] {
    const { central, station } = service;
    if (!central) {
      if (!station?.enrolmentData) return [];
      const { out_at, in_at } = station.carryDates();
      const name = station.enrolmentData.address;
      return [{ id: null, name, out_at, in_at, waiting: station.state()?.unsent ?? 0 }];
    }
    const { sequence: end } = central.exchange.reader().place();
    return stations
      .list()
      .filter(({ revoked_at }) => revoked_at === null)
      .map(({ id, station: installation, name }) => {
        const { has, out_at = null, in_at = null } = central.carried.of(installation);
        return { id, name, out_at, in_at, waiting: Math.max(0, end - (has?.cursor.sequence ?? 0)) };
      });
  }

  return {
    'x.carry.read': () => success({ role: service.role, others: others(), running }),

    'x.carry.out': async (_services, context) => {
      const { station: id } = bodyOf(context);
      const { centralCarry } = service;
      if (centralCarry && id === undefined) throw new AppError('validation_failed', WHICH);
      if (!centralCarry && id !== undefined) throw new AppError('conflict', AT_STATION);
      if (centralCarry && id !== undefined) {
        const { name } = stations.get(id);
        await sendFile(context.response, `for-${plain(name)}`, centralCarry.out(id));
        await centralCarry.noteOut(id);
      } else {
        const carry = stationCarry();
        await sendFile(context.response, 'for-central', carry.out());
        await carry.noteOut();
      }
      context.response.end();
      return undefined;
    },

    'x.carry.in': async (_services, context) => {
      refuseOther(context);
      const acceptedKey = keyIn(context);
      const carry = service.centralCarry ?? stationCarry();
      if (running)
        throw new AppError('conflict', 'Another file is being read in. Try again when that is done.');
      running = { done: 0, of: 0 };
      const { request, response } = context;
      const leave = new AbortController();
      response.once('close', () => leave.abort(new AppError('conflict', LEFT)));
      const path = join(uploads, randomUUID());
      try {
        await mkdir(uploads, { recursive: true, mode: 0o700 });
        await receive(request, path, context.operation.body?.limit ?? 0);
        const carried = await carry.take(() => createReadStream(path), {
          signal: leave.signal,
          acceptedKey,
          onMessage: (done, of) => {
            running = { done, of };
          },
        });
        return success(carried);
      } finally {
        running = null;
        await rm(path, { force: true });
      }
    },
  } satisfies Partial<Handlers>;
}

/** What it has is worked out while it is sent; a client that leaves ends that. The caller ends the answer once it is whole. */
async function sendFile(response: Response, name: string, bytes: AsyncGenerator<Buffer>): Promise<void> {
  const first = await bytes.next();
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/octet-stream');
  response.setHeader('Content-Disposition', `attachment; filename="holdpoint-${name}.carry"`);
  try {
    for (let next = first; !next.done; next = await bytes.next()) {
      if (response.destroyed) throw new AppError('conflict', LEFT);
      if (!response.write(next.value)) await drained(response);
    }
  } catch (error) {
    // Half a file must not look like a whole one.
    response.destroy();
    throw error;
  } finally {
    await bytes.return(undefined);
  }
}

async function receive(request: IncomingMessage, path: string, limit: number): Promise<void> {
  async function* limited(content: AsyncIterable<Buffer>) {
    let size = 0;
    for await (const chunk of content) {
      size += chunk.length;
      if (size > limit) throw new AppError('too_large', `The file is larger than ${limit} bytes.`);
      yield chunk;
    }
  }
  try {
    await pipeline(request, limited, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOSPC') {
      throw new AppError('storage_full', 'The disk is full. Free some space, then read the file in again.');
    }
    if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') throw new AppError('malformed', LEFT);
    throw error;
  }
}

/** No type that a foreign page's form could send. */
function refuseOther({ request }: RequestContext): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  const isFile = type.split(';')[0]?.trim().toLowerCase() === 'application/octet-stream';
  if (isFile && encoding.toLowerCase() === 'identity') return;
  const message = 'Send the file as Content-Type: application/octet-stream, without Content-Encoding.';
  throw new AppError('unsupported_media_type', message);
}

/** The fingerprint that a person has heard. @throws AppError 422 on `key` */
function keyIn({ query }: RequestContext): string | undefined {
  const key = query.get('key');
  if (key === undefined || /^[0-9A-Fa-f]{64}$/.test(key)) return key;
  throw invalid({ key: [`"${key.slice(0, 100)}" is no SHA-256 of a key. Give its 64 digits in hex.`] });
}

/** For the name of a file. */
function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'station';
}

const WHICH = 'Say which station the file is for: its id, as the list of stations has it.';
const AT_STATION = 'This installation is a station: its files are for its central. Leave "station" out.';
const LEFT = 'The connection ended before the file was complete. Nothing is lost: do it again.';
