import { renewalRequestSchema } from '../../../shared/operations/renewal-operations.ts';
import type { CentralRenewal } from '../../enrolment/renewal.ts';
import { success } from '../reply.ts';
import type { Handler } from './handler.ts';
import { parseBody } from './parse-body.ts';

/** Central's certificate and its renewal. */
export function renewalHandlers(renewal: CentralRenewal): Record<string, Handler> {
  return {
    'x.central-certificate.read': () => success(renewal.read()),

    'x.central-certificate.renew': async (_services, context) =>
      success(await renewal.renew(parseBody(renewalRequestSchema, context.body))),

    'x.central-certificate.chain': () => success(renewal.shown()),
  };
}
