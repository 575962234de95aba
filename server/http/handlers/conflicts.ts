import { pageMeta } from '../../../shared/contract/envelope.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { familyOf } from '../../../shared/families/registry.ts';
import type { ConflictAnswer } from '../../../shared/operations/exchange-operations.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Store } from '../../store/store.ts';
import { describeConflict } from '../../sync/conflict-answer.ts';
import { recordOf } from '../../sync/held-answer.ts';
import { type Conflict, readConflict, readConflicts } from '../../sync/log/conflicts.ts';
import { Log } from '../../sync/log/log.ts';
import { resolutionInput } from '../../sync/resolution-input.ts';
import { isAdministrator } from '../authenticate.ts';
import { isAdministrativeSubject } from '../readable.ts';
import { success } from '../reply.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf, choiceIn } from './parse-body.ts';

export interface ConflictHandlersOptions {
  /** Whether this installation has the tables of an exchange. */
  isExchanging: () => boolean;
}

/** Conflicts: what stations wrote without having seen each other's, and a person's decisions on them. */
export function conflictHandlers({ isExchanging }: ConflictHandlersOptions) {
  const describe = (
    conflict: Conflict,
    { store, nameOf }: Services,
    records: Store['records'],
    sql: SqlReader,
  ) => {
    const log = new Log(store.database, sql);
    return describeConflict(conflict, {
      record: key => records.getByKey(key),
      commit: id => log.commit(id),
      nameOf,
    });
  };
  return {
    'x.conflicts.list': (services, context) => {
      const { store } = services;
      const isOpen = choiceIn(context, 'status', 'open') === 'open';
      const { page, perPage } = context.query.page();
      const { reader } = store.database;
      const range = { isOpen, offset: (page - 1) * perPage, limit: perPage };
      const { total, conflicts } = isExchanging() ? readConflicts(reader, range) : NONE;
      const maySeeAll = isAdministrator(context.response);
      const data = conflicts.map(conflict => {
        const described = describe(conflict, services, store.records, reader);
        return maySeeAll || !isAdministrativeSubject(conflict.subject) ? described : withheld(described);
      });
      return success(data, { meta: { ...pageMeta(page, perPage, total, data.length) } });
    },

    'x.conflicts.resolve': (services, context) => {
      const { store, write } = services;
      const { value, seen, reason } = bodyOf(context);
      const id = context.parameters.id ?? '';
      // All of it within the write: what was decided once is answered again, though the log that told of the conflict was cut.
      const conflictHere = () => (isExchanging() ? readConflict(store.database, id) : undefined);
      return write(context, {
        reason,
        work: work => {
          const conflict = conflictHere();
          if (!conflict) throw new AppError('not_found', 'There is no conflict with this id.');
          // Whose role it is not to make administrators does not make one by a decision either.
          if (isAdministrativeSubject(conflict.subject) && !isAdministrator(context.response)) {
            throw new AppError('forbidden', 'Conflicts about users and settings are for administrators.');
          }
          if (conflict.closed !== null) {
            throw new AppError('conflict', 'The conflict is closed already. Change the record itself.');
          }
          if (seen && conflict.siblings.some(({ commit }) => !seen.includes(commit))) {
            const message = 'Another value has arrived meanwhile. Look at all of them, and decide again.';
            throw new AppError('conflict', message);
          }
          const [{ family: name, id: recordId } = { family: '', id: 0 }] = recordOf(conflict.subject);
          const family = familyOf(name);
          const before = work.get(name, recordId);
          if (!family || !before) {
            const message = `This version does not know the record ${conflict.subject}. Update the program.`;
            throw new AppError('conflict', message);
          }
          const input = resolutionInput(family, before, conflict, value, context.zone);
          work.resolve(family, recordId, conflict.path, input);
          return conflict;
        },
        answer: (_, before) =>
          success(describe(conflictHere() ?? before, services, store.pending, store.database)),
      });
    },
  } satisfies Partial<Handlers>;
}

/** What stations wrote of users and settings is for administrators; that there is a conflict is for everybody. */
function withheld({ values, outcome, ...rest }: ConflictAnswer): ConflictAnswer {
  return {
    ...rest,
    values: values.map(one => ({ ...one, value: null, before: null })),
    outcome: outcome && { ...outcome, value: null },
  };
}

const NONE = { total: 0, conflicts: [] };
