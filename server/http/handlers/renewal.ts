import type { CentralRenewal } from '../../enrolment/renewal.ts';
import { success } from '../reply.ts';
import { callerOf } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** Central's certificate and its renewal. */
export function renewalHandlers(renewal: CentralRenewal) {
  return {
    'x.central-certificate.read': () => success(renewal.read()),

    'x.central-certificate.renew': async ({ trail }, context) => {
      const request = bodyOf(context);
      const renewed = await renewal.renew(request);
      await trail.note({ ...callerOf(context), kind: 'certificate_renewed', details: request });
      return success(renewed);
    },

    'x.central-certificate.chain': () => success(renewal.shown()),
  } satisfies Partial<Handlers>;
}
