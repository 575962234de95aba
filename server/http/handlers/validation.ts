import { clockNotice } from '../../print/clock-blocks.ts';
import type { Printer } from '../../print/printer.ts';
import { makeValidationPaper } from '../../print/validation-paper.ts';
import { wordsOf } from '../../print/words.ts';
import { siteSettings } from '../../rules/site.ts';
import type { Validations } from '../../validation/validations.ts';
import { API_PREFIX, success } from '../reply.ts';
import { callerOf, type RequestContext } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { sendFile } from './paper.ts';
import { bodyOf, choiceIn } from './parse-body.ts';

/** Validations of this installation: `validationOperations` of the table. */
export function validationHandlers(validations: Validations, printer: Printer) {
  return {
    'x.validation.list': () => success(validations.state()),

    'x.validation.create': (_services, context) => {
      bodyOf(context);
      return success(validations.start(callerOf(context)), {
        status: 201,
        headers: { Location: `${API_PREFIX}/x/validation` },
      });
    },

    'x.validation.cancel': async (_services, context) => {
      bodyOf(context);
      return success(await validations.cancel(callerOf(context)));
    },

    'x.validation.read': async (services, context) => {
      const name = nameIn(context);
      const { text, sha256 } = validations.read(name);
      const details = { what: 'validation report', report: name, sha256 };
      await services.trail.note({ ...callerOf(context), kind: 'downloaded', details });
      context.response.setHeader('Cache-Control', 'no-store');
      sendFile(context, Buffer.from(text), { type: 'application/json; charset=utf-8', name: `${name}.json` });
      return undefined;
    },

    'x.validation.paper': async (services, context) => {
      const language = choiceIn(context, 'language', 'en');
      const name = nameIn(context);
      const { report, sha256 } = validations.read(name);
      const reading = services.reading();
      const zone = siteSettings(reading.records).time_zone;
      const notices = clockNotice({ reading, words: wordsOf(language, zone) });
      const about = { report, sha256, language, zone, at: reading.now, user: context.user, notices };
      const paper = makeValidationPaper(about);
      const details = { document: 'validation report', report: name, sha256 };
      await services.trail.note({ ...callerOf(context), kind: 'printed', details });
      const file = await printer.print({ kind: 'paper', paper });
      sendFile(context, file, { type: 'application/pdf', name: `${name}.pdf` });
      return undefined;
    },
  } satisfies Partial<Handlers>;
}

function nameIn({ parameters }: RequestContext): string {
  return parameters.name ?? '';
}
