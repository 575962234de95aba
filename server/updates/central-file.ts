import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createAgent } from '../sync/client/central-connection.ts';
import { centralFailureOf } from '../sync/client/central-failure.ts';
import { pinsOf } from '../sync/client/central-pins.ts';
import { readCentralAddress } from '../sync/client/central-tls.ts';
import type { EnrolmentData } from '../sync/client/enrolment-data.ts';

const CONNECT_MS = 10_000;
/** Without a byte on a connection that stands. */
const IDLE_MS = 30_000;

export interface CentralFiles {
  /**
   * Opens `/updates/<name>` at central, from a byte on; the caller reads the answer or destroys it.
   * @throws CentralFailure when central cannot be asked
   */
  open(name: string, from?: number, signal?: AbortSignal): Promise<IncomingMessage>;
  close(): void;
}

/** Central's releases over connections that are verified as those of the exchange are. `authorities`: PEM text. */
export function openCentralFiles(
  { address: given, certificate, next }: Pick<EnrolmentData, 'address' | 'certificate' | 'next'>,
  authorities: string | undefined,
): CentralFiles {
  const address = readCentralAddress(given);
  const agent: Agent = createAgent(
    address,
    certificate === null ? { authorities } : { certificates: () => pinsOf({ certificate, next }) },
    CONNECT_MS,
  );
  const { isSecure, host, port } = address;
  return {
    open: (name, from = 0, signal) =>
      new Promise((resolve, reject) => {
        const start = isSecure ? httpsRequest : httpRequest;
        const request = start({
          agent,
          host,
          port,
          path: `/updates/${name}`,
          headers: from === 0 ? {} : { Range: `bytes=${from}-` },
          ...(signal && { signal }),
        });
        request.once('response', resolve);
        request.setTimeout(IDLE_MS, () =>
          request.destroy(new Error(`${host}: nothing came for 30 seconds.`)),
        );
        request.once('error', error => reject(centralFailureOf(error, host)));
        request.end();
      }),
    close: () => agent.destroy(),
  };
}
