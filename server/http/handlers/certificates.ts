import { AppError } from '../../../shared/contract/errors.ts';
import { families } from '../../../shared/families/registry.ts';
import { issueCertificate, issuedPaper } from '../../print/certificates.ts';
import type { Printer } from '../../print/printer.ts';
import { withdrawalOf } from '../../rules/certificates.ts';
import { inputOf } from '../../rules/input-of.ts';
import { API_PREFIX } from '../reply.ts';
import { idIn, type RequestContext } from '../request-context.ts';
import { checkIfMatch } from '../write.ts';
import { reasonIn, recordReply, requireRecord } from './family.ts';
import type { Handlers } from './handler.ts';
import { notePrint, sendFile } from './paper.ts';
import { bodyOf } from './parse-body.ts';

const { certificate, 'certificate-withdrawal': withdrawal } = families;

/** Issuing, printing and withdrawing: `certificateOperations` of the table. */
export function certificateHandlers(printer: Printer) {
  return {
    'x.certificates.issue': ({ write }, context) => {
      const id = idIn(context);
      const { language } = bodyOf(context);
      requirePerson(context);
      return write(context, {
        reason: reasonIn(context),
        work: work => {
          const lot = work.require('inventory', id);
          checkIfMatch(context, lot);
          return issueCertificate(work, lot, language);
        },
        answer: (reads, record) => {
          const headers = { Location: `${API_PREFIX}/x${certificate.path}/${record.id}` };
          return recordReply(certificate, reads, record, {}, { status: 201, headers });
        },
      });
    },

    'x.certificates.paper': async (services, context) => {
      const { store, reading } = services;
      const id = idIn(context);
      const record = requireRecord(store.records.get(certificate.name, id), certificate, id);
      const paper = issuedPaper(reading(), record);
      await notePrint(services, context, record, 'certificate as issued');
      sendFile(context, await printer.print({ kind: 'paper', paper }), {
        type: 'application/pdf',
        name: `${paper.number.replaceAll(/[^\w-]/g, '_')}.pdf`,
      });
      return undefined;
    },

    'x.certificates.withdraw': ({ write }, context) => {
      const id = idIn(context);
      const { reason } = bodyOf(context);
      requirePerson(context);
      return write(context, {
        reason,
        work: work => {
          const record = work.require(certificate.name, id);
          if (withdrawalOf({ records: work }, record))
            throw new AppError('conflict', 'The certificate is withdrawn already. Read it again.');
          const { actor, at } = work;
          const user = actor.userId === undefined ? undefined : work.get('user', actor.userId);
          work.create(
            withdrawal,
            inputOf({
              certificate_id: id,
              reason,
              at,
              withdrawn_by: actor.userId,
              withdrawer: actor.user,
              withdrawer_name: user?.fields.name ?? actor.user,
            }),
          );
          return record;
        },
        answer: (reads, record) => recordReply(certificate, reads, record, {}),
      });
    },
  } satisfies Partial<Handlers>;
}

/** @throws AppError `forbidden`: nobody answers for what a program certifies */
function requirePerson({ rights }: RequestContext): void {
  if (rights.kind === 'person') return;
  const message = 'A person with the role quality issues and withdraws certificates. Sign in as one.';
  throw new AppError('forbidden', message);
}
