import { AppError } from '../../../shared/contract/errors.ts';
import { sha256 } from '../log/log.ts';
import { unpackEntries } from '../protocol/packed-entries.ts';
import { NEW_PROTOCOL_STATE } from '../protocol/protocol-state.ts';
import { type Act, receiveAnswer, type StationReader } from '../protocol/station.ts';
import type { Answer, CursorUnknown, Page, SnapshotPage } from '../protocol/wire.ts';

/**
 * What an answer means that came in a file: as over the line, once what is here already is left out of it. A file may be old,
 * come twice, or after one that is missing.
 * @throws AppError `conflict` with what to do; nothing is changed then
 */
export function receiveCarried(answer: Answer, read: StationReader): Act {
  if (answer.kind === 'snapshot') return recordsOf(answer, read);
  if (read.snapshot()) throw new AppError('conflict', TAKES_RECORDS);
  const fitting =
    answer.kind === 'page'
      ? restOf(answer, read)
      : answer.kind === 'cursor_unknown'
        ? sharedOf(answer, read)
        : undefined;
  if (!fitting) return { kind: 'none', why: 'All of it is here.' };
  const waiting = { ...NEW_PROTOCOL_STATE, down: { request: answer.request } };
  const { act } = receiveAnswer(fitting, waiting, read, sha256);
  if (act.kind === 'begin_snapshot') throw new AppError('conflict', OTHER_LOG);
  return act;
}

/**
 * Records in place of the log: where this station takes them, or has read nothing yet. A file has all of them, so that its first page
 * begins anew whatever another file, or the line, has brought of them.
 */
function recordsOf(page: SnapshotPage, read: StationReader): Act {
  const taking = read.snapshot();
  const isFirst = page.start !== null;
  if (!taking && read.cursor().sequence > 0) return { kind: 'none', why: 'All of it is here.' };
  if (isFirst && taking?.at !== null) return { kind: 'begin_snapshot' };
  if (!isFirst && taking?.at?.hash !== page.at.hash) return { kind: 'none', why: 'All of it is here.' };
  return { kind: 'records', page };
}

/** The page from where this station is; undefined where it has all of it. @throws AppError `conflict` */
function restOf(page: Page, read: StationReader): Page | undefined {
  const cursor = read.cursor();
  const { from, to, packed } = page;
  if (to.epoch !== cursor.epoch) throw new AppError('conflict', OTHER_LOG);
  if (from.sequence === cursor.sequence && from.hash === cursor.hash) return page;
  if (from.sequence > cursor.sequence)
    throw new AppError('conflict', missing(cursor.sequence, from.sequence));
  if (to.sequence <= cursor.sequence) {
    const known = read.logHashAt(to.sequence);
    if (known !== undefined && known !== to.hash) throw new AppError('conflict', OTHER_LOG);
    return undefined;
  }
  const unpacked = packed && unpackEntries(from, packed, place => read.commitAt(place), sha256);
  if (packed && !unpacked) throw new AppError('conflict', LACKS_OWN);
  const entries = unpacked?.entries ?? page.entries;
  const place = entries.findIndex(({ sequence }) => sequence === cursor.sequence);
  const last = place < 0 ? from : entries[place];
  if (last?.hash !== cursor.hash) throw new AppError('conflict', OTHER_LOG);
  const { packed: _, ...whole } = page;
  const { sequence, hash } = cursor;
  return { ...whole, from: { sequence, hash }, entries: entries.slice(place + 1) };
}

/** Up to the last place that both logs have: there may be later ones, which come again. */
function sharedOf(answer: CursorUnknown, read: StationReader): CursorUnknown | undefined {
  if (answer.epoch === read.cursor().epoch) return undefined;
  const place = answer.rungs.findLastIndex(({ sequence, hash }) => read.logHashAt(sequence) === hash);
  if (place < 0) throw new AppError('conflict', OTHER_LOG);
  return { ...answer, rungs: answer.rungs.slice(0, place + 1) };
}

function missing(here: number, from: number): string {
  return `A file of central that comes before this one is missing: this station has read ${here} entries of central's log, and this file begins after entry ${from}. Read in the file before it first. If it is lost, write a file here, read it in at central, and bring a new one from there. Nothing of this file was taken.`;
}

const OTHER_LOG =
  'This file is of another state of central than this station knows: one of the two was restored in between. Write a file here, read it in at central, and bring a new one from there. Nothing of this file was taken.';
const LACKS_OWN =
  'Central takes for known what this station does not have any more: it was restored. Write a file here, read it in at central, and bring a new one from there.';
const TAKES_RECORDS =
  'This station takes all records from central, and this file does not begin with them. Write a file here, read it in at central, and bring a new one from there. Nothing of this file was taken.';
