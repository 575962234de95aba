import { request } from 'node:https';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect, TLSSocket } from 'node:tls';
import { z } from 'zod';
import {
  type ShownCertificates,
  shownCertificatesSchema,
} from '../../../shared/operations/renewal-operations.ts';
import { fingerprintOf } from '../../enrolment/certificate-chain.ts';
import { tunnelTo } from '../../network/proxy.ts';
import { CentralFailure, centralFailureOf } from './central-failure.ts';

/** A hundred certificates with their signatures have less. */
const ANSWER_LIMIT = 1024 * 1024;

const answerSchema = z.object({ data: shownCertificatesSchema });

/**
 * Asks whoever is at the address for central's certificates. He has proved nothing: this one question is all that is said,
 * and what he answers counts only as far as its signatures lead on from a certificate that is known.
 * @returns the fingerprint of the certificate that he has the key of, and what he answered; undefined where that is of no use
 * @throws CentralFailure where nobody can be asked
 */
export async function askForCertificates(
  { host, port }: { host: string; port: number },
  { timeoutMs = 20_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<{ present: string; shown: ShownCertificates | undefined }> {
  const tunnel = await tunnelTo(host, port, timeoutMs).catch((error: unknown) => {
    throw centralFailureOf(error, host);
  });
  const secure: ConnectionOptions = {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: false,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
  return new Promise((resolve, reject) => {
    const asked = request({
      host,
      port,
      path: '/api/v2/x/central-certificate/chain',
      headers: { Accept: 'application/json' },
      ...secure,
      // An agent would connect by itself.
      ...(tunnel
        ? { createConnection: () => connect({ ...secure, host, port, socket: tunnel }) }
        : { agent: false }),
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
    asked.once('error', error => reject(signal?.aborted ? signal.reason : centralFailureOf(error, host)));
    asked.once('response', answer => {
      const presented =
        answer.socket instanceof TLSSocket ? answer.socket.getPeerX509Certificate() : undefined;
      if (presented === undefined) {
        asked.destroy(new CentralFailure('cut', `The connection to ${host} broke off.`));
        return;
      }
      const settle = (shown?: ShownCertificates) => {
        resolve({ present: fingerprintOf(presented), shown });
        asked.destroy();
      };
      const chunks: Buffer[] = [];
      let size = 0;
      answer
        .on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size > ANSWER_LIMIT) settle();
        })
        .once('end', () => settle(answer.statusCode === 200 ? read(Buffer.concat(chunks)) : undefined))
        .once('error', () => settle());
    });
    asked.end();
  });
}

function read(bytes: Buffer): ShownCertificates | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(bytes.toString('utf8'))).data?.data;
  } catch {
    // Another program's answer.
    return undefined;
  }
}
