import { randomUUID } from 'node:crypto';
import { readEnrolmentCode } from '../../../shared/contract/enrolment-code.ts';
import { AppError, invalid } from '../../../shared/contract/errors.ts';
import {
  blockAnswerSchema,
  type EnrolmentAnswer,
  type EnrolRequest,
  enrolmentAnswerSchema,
} from '../../../shared/operations/sync-operations.ts';
import { FIRST_CURSOR, PROTOCOL, type PullRequest } from '../protocol/wire.ts';
import { answerSchema } from '../protocol/wire-schemas.ts';
import { type CentralClientOptions, createCentralClient } from './central-client.ts';
import { CentralFailure } from './central-failure.ts';
import { learnCertificate, readCentralAddress, type Trust } from './central-tls.ts';
import { type EnrolmentData, hashOfKey } from './enrolment-data.ts';

export interface EnrolWithOptions extends EnrolRequest {
  /** This installation. */
  station: string;
  version: string;
  /** With which this installation signs what it sends; undefined where it signs nothing. */
  key?: string | undefined;
  /** PEM text of `HOLDPOINT_CA`: the authorities to believe instead of the system's. */
  authorities?: string | undefined;
  clock: () => Date;
  /** The station that it was, of a copy of one, and which of its machines it is. */
  separatedFrom?: { station: string; proof: object | undefined } | undefined;
  /** How many blocks of ids its own records need; 0 for a fresh installation, or one that is a station already. */
  blocks: number;
  signal?: AbortSignal;
}

export interface Enrolled {
  answer: EnrolmentAnswer;
  /** The blocks beyond the answer's that its own records need; undefined where it has none. */
  further: number[] | undefined;
  enrolment: EnrolmentData;
}

/**
 * Asks central to let this station in; stores nothing. The code is sent only to who has the certificate that the code
 * names, or that an authority vouches for. To repeat it after a lost answer is safe.
 * @throws AppError 422 on `address` or `code`; `conflict` when central has this installation's records already;
 *   CallError when central refuses; CentralFailure
 */
export async function enrolWith(options: EnrolWithOptions): Promise<Enrolled> {
  const { code, name, station, version, key, authorities, clock, signal } = options;
  const address = readCentralAddress(options.address);
  const { fingerprint } = readEnrolmentCode(code);
  if (fingerprint !== null && !address.isSecure)
    throw invalid({ address: ['The code names a certificate, so central speaks https. Give https://.'] });
  const certificate =
    fingerprint === null ? null : await learnCertificate(address, fingerprint, signal ? { signal } : {});
  const trust: Trust = certificate === null ? { authorities } : { certificate };
  const client = createCentralClient({ address: address.origin, trust });
  try {
    const body = {
      code,
      ...(name === undefined ? {} : { name }),
      station,
      protocol: { min: PROTOCOL.oldest, max: PROTOCOL.newest },
      version,
      ...(key !== undefined && { key }),
      clock: clock().toISOString(),
      ...(options.blocks > 0 && { brings_records: true }),
      ...(options.separatedFrom && { separated_from: options.separatedFrom }),
    };
    const data = await client.request('POST', '/x/enrolment', body, signal ? { signal } : {});
    const answer = enrolmentAnswerSchema.safeParse(data);
    if (!answer.success || answer.data.station !== station.toLowerCase()) {
      const message = `What is at ${address.host} answers something else than a central does. Check the address.`;
      throw new CentralFailure('not_central', message, answer.error);
    }
    if (answer.data.central === station) {
      throw new AppError('conflict', 'This is the central itself. A station enrols at another installation.');
    }
    const further =
      options.blocks === 0
        ? undefined
        : await furtherBlocks(options, answer.data, { address: address.origin, trust });
    return {
      answer: answer.data,
      further,
      enrolment: {
        address: address.origin,
        certificate,
        central: answer.data.central,
        name: answer.data.name,
        key_hash: hashOfKey(answer.data.key),
      },
    };
  } finally {
    client.close();
  }
}

/**
 * The blocks that records need beyond the first. Blocks that an earlier try was given are not used: what that try did
 * with them may be known to central, if this installation was put back since.
 */
async function furtherBlocks(
  { station, blocks: count, signal }: EnrolWithOptions,
  { key, blocks }: EnrolmentAnswer,
  to: Pick<CentralClientOptions, 'address' | 'trust'>,
): Promise<number[]> {
  const client = createCentralClient({ ...to, key });
  const options = signal ? { signal } : {};
  try {
    if (blocks.length > 1)
      refuseKnown(await client.request('POST', '/x/sync/exchange', firstPull(station), options));
    const further: number[] = [];
    while (further.length < count - 1) {
      const given = blockAnswerSchema.parse(await client.request('POST', '/x/stations/block', {}, options));
      further.push(given.block);
    }
    return further;
  } finally {
    client.close();
  }
}

function firstPull(station: string): PullRequest {
  const asking = { request: randomUUID(), station, protocol: PROTOCOL.newest, cursor: FIRST_CURSOR };
  return { kind: 'pull', ...asking, limit: 1 };
}

/** @throws AppError `conflict`: an installation that was put back to before it joined would bring all its records twice */
function refuseKnown(answered: unknown): void {
  const answer = answerSchema.safeParse(answered);
  if (!answer.success || answer.data.heads.length === 0) return;
  const message =
    'Central has the records of this installation already: it joined once, and was put back to before that. Enrol a fresh installation (an empty HOLDPOINT_DATA); it gets them all from central.';
  throw new AppError('conflict', message);
}
