import { readEnrolmentCode } from '../../shared/enrolment-code.ts';
import { AppError, invalid } from '../../shared/errors.ts';
import {
  type EnrolmentAnswer,
  type EnrolRequest,
  enrolmentAnswerSchema,
} from '../../shared/sync-operations.ts';
import { createLink } from './link.ts';
import type { LinkData } from './link-data.ts';
import { LinkFailure } from './link-failure.ts';
import { learnCertificate, readCentralAddress, type Trust } from './link-tls.ts';
import { PROTOCOL } from './protocol/wire.ts';

export interface EnrolWithOptions extends EnrolRequest {
  /** This installation. */
  station: string;
  version: string;
  /** PEM text of `HOLDPOINT_CA`: the authorities to believe instead of the system's. */
  authorities?: string | undefined;
  clock: () => Date;
  signal?: AbortSignal;
}

export interface Enrolled {
  answer: EnrolmentAnswer;
  link: LinkData;
}

/**
 * Asks central to let this station in; stores nothing. The code is sent only to who has the certificate that the code
 * names, or that an authority vouches for. To repeat it after a lost answer is safe.
 * @throws AppError 422 on `address` or `code`; CallError when central refuses; LinkFailure
 */
export async function enrolWith(options: EnrolWithOptions): Promise<Enrolled> {
  const { code, name, station, version, authorities, clock, signal } = options;
  const address = readCentralAddress(options.address);
  const { fingerprint } = readEnrolmentCode(code);
  if (fingerprint !== null && !address.isSecure)
    throw invalid({ address: ['The code names a certificate, so central speaks https. Give https://.'] });
  const certificate =
    fingerprint === null ? null : await learnCertificate(address, fingerprint, signal ? { signal } : {});
  const trust: Trust = certificate === null ? { authorities } : { certificate };
  const link = createLink({ address: address.origin, trust });
  try {
    const body = {
      code,
      ...(name === undefined ? {} : { name }),
      station,
      protocol: { min: PROTOCOL.oldest, max: PROTOCOL.newest },
      version,
      clock: clock().toISOString(),
    };
    const data = await link.request('POST', '/x/enrolment', body, signal ? { signal } : {});
    const answer = enrolmentAnswerSchema.safeParse(data);
    if (!answer.success || answer.data.station !== station.toLowerCase()) {
      const message = `What is at ${address.host} answers something else than a central does. Check the address.`;
      throw new LinkFailure('not_central', message, answer.error);
    }
    if (answer.data.central === station) {
      throw new AppError('conflict', 'This is the central itself. A station enrols at another installation.');
    }
    return {
      answer: answer.data,
      link: { address: address.origin, certificate, central: answer.data.central, name: answer.data.name },
    };
  } finally {
    link.close();
  }
}
