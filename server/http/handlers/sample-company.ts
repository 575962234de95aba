import type { Family } from '../../../shared/contract/define-family.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { families } from '../../../shared/families/registry.ts';
import { isAnySigned } from '../../../shared/families/signature-policy.ts';
import type { SampleLoader } from '../../demo/load-sample-company.ts';
import { siteSettings } from '../../rules/site.ts';
import type { Store } from '../../store/store.ts';
import { API_PREFIX, success } from '../reply.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** The sample company: `sampleOperations` of the table. */
export function sampleCompanyHandlers(loader: SampleLoader) {
  return {
    'x.sample-company.read': ({ store }) => success(loader.read(isEmpty(store))),

    'x.sample-company.create': ({ store, centralAddress }, context) => {
      bodyOf(context);
      const central = centralAddress();
      if (central !== undefined) {
        const message = `The sample company is loaded at central: ${central}. It reaches this station by itself.`;
        throw new AppError('conflict', message);
      }
      // It is full of verdicts and decisions, which nobody has signed.
      if (isAnySigned(siteSettings(store.records))) {
        const message =
          'The sample company holds decisions that nobody signed, and the settings want them signed. Load it first, and choose the signature policy afterwards.';
        throw new AppError('conflict', message);
      }
      const headers = { Location: `${API_PREFIX}/x/sample-company` };
      return success(loader.start(context.request.app, context.user, isEmpty(store)), {
        status: 201,
        headers,
      });
    },
  } satisfies Partial<Handlers>;
}

/** Nothing but users, settings and the company that a fresh installation has. */
function isEmpty({ records }: Store): boolean {
  return Object.values<Family>(families).every(({ name, operations }) => {
    if (operations.isAdministrative) return true;
    return records.total(name) <= (name === 'company' ? 1 : 0);
  });
}
