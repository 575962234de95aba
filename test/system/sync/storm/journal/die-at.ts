import { readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

/**
 * Where a process of a central ends, on the way of a write through the journal and the file:
 * - `asking`: the lock is asked for; `begun`: it is had, and the file's transaction has begun
 * - `sent`: the turn and its COMMIT are sent; `committed`: the journal has it, and the file has not
 * - `stored`: both have it, and nobody is answered
 * - `folding`, `folded`: before and after the file takes what others wrote
 * - `full`: the file does not take what the journal has
 */
export const POINTS = [
  'asking',
  'begun',
  'sent',
  'committed',
  'stored',
  'folding',
  'folded',
  'full',
] as const;
export type Point = (typeof POINTS)[number];

/** In this process, below the product: at the point that the file names, once. */
export function dieAt(file: string): void {
  const { exec } = DatabaseSync.prototype;
  const { write } = Socket.prototype;
  let isSent = false;
  const isAt = (point: Point) => {
    if (read(file) !== point) return false;
    rmSync(file, { force: true });
    return true;
  };
  const pass = (point: Point) => {
    if (isAt(point)) process.kill(process.pid, 'SIGKILL');
  };
  DatabaseSync.prototype.exec = function (sql) {
    const isCommit = sql === 'COMMIT';
    if (isCommit && isSent && isAt('full'))
      throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    if (isCommit) pass(isSent ? 'committed' : 'folding');
    exec.call(this, sql);
    if (sql === 'BEGIN IMMEDIATE') {
      isSent = false;
      pass('begun');
    }
    if (isCommit) pass(isSent ? 'stored' : 'folded');
  };
  Socket.prototype.write = function (this: Socket, ...given: Parameters<Socket['write']>) {
    const isDone = write.apply(this, given);
    const [data] = given;
    if (data instanceof Uint8Array) {
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      if (bytes.includes('lock_head\0')) pass('asking');
      if (bytes.includes('COMMIT\0')) {
        isSent = true;
        pass('sent');
      }
    }
    return isDone;
  } as Socket['write'];
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
