import { connect } from 'node:net';
import type { LabelFault } from '../shared/contract/desktop-bridge.ts';
import { PrintFailure } from './label-queue.ts';

export interface RawPrinterOptions {
  host: string;
  port: number;
  content: Buffer;
  /** Milliseconds until the printer has answered the call, and without progress after that. */
  patience?: number;
}

/**
 * Sends bytes to a network printer as they are (raw TCP, port 9100). Resolves when the printer has acknowledged the end
 * of them, which is all that this way of printing tells.
 * @throws PrintFailure
 */
export function sendRaw({ host, port, content, patience = 10_000 }: RawPrinterOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    let hasBegun = false;
    const socket = connect({ host, port });
    const fail = (fault: LabelFault, detail?: string) => {
      socket.destroy();
      reject(new PrintFailure(fault, hasBegun, detail));
    };
    socket.setTimeout(patience, () => fail('silent'));
    socket.once('error', error => fail(hasBegun ? 'broke_off' : 'unreachable', error.message));
    socket.once('connect', () => {
      hasBegun = true;
      socket.end(content);
    });
    // Status lines of the printer: unread they would keep the connection open.
    socket.resume();
    socket.once('close', hadError => {
      if (!hadError && socket.bytesWritten >= content.length) resolve();
      else fail('broke_off');
    });
  });
}
