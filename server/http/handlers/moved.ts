import { AppError } from '../../../shared/contract/errors.ts';
import { IdRemapping } from '../../store/id-remapping.ts';
import { readMoved, stoodHere } from '../../store/moved.ts';
import { otherIdOf } from '../../store/other-ids.ts';
import { familyIn } from '../readable.ts';
import { success } from '../reply.ts';
import { idIn } from '../request-context.ts';
import type { Handlers } from './handler.ts';

/** Where records are since this installation joined a central, or became a station of its own. */
export const movedHandlers = {
  'x.moved.read': ({ store }, context) => {
    const family = familyIn(context);
    const old = idIn(context, 'old_id');
    const { reader } = store.database;
    const moved = readMoved(reader);
    const other = otherIdOf(reader, family.name, old);
    if (other !== undefined && store.records.has(family.name, other)) {
      return success({ family: family.name, old_id: old, id: other });
    }
    const wasHere = moved && stoodHere(reader, store.records.subjectNumber(family.name, old));
    const id = wasHere ? new IdRemapping(moved).id(old, family.name) : old;
    if (!wasHere || !store.records.has(family.name, id)) {
      const title = family.title.toLowerCase();
      throw new AppError('not_found', `No ${title} had the id ${old} here before this installation joined.`);
    }
    return success({ family: family.name, old_id: old, id });
  },
} satisfies Partial<Handlers>;
