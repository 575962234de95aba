import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { type Fields, mapOf } from './changes.ts';
import { BLOCK_SIZE, type Ids, itemCounter } from './ids.ts';

/** In the open transaction: never gives the ids of a record and of the items in it, nor the number that it has by its family. */
export function reserveIds(ids: Ids, family: Family, id: number, fields: Fields): void {
  reserveWhere(ids, family, id, fields, () => true);
}

/**
 * The same of what this installation wrote and does not know any more, having been put back. For many records of one
 * transaction: ids that it does not give are passed over.
 */
export function reserverOfOwn(ids: Ids): (family: Family, id: number, fields: Fields) => void {
  const blocks = new Set(ids.blocks());
  return (family, id, fields) =>
    reserveWhere(ids, family, id, fields, one => blocks.has(Math.floor(one / BLOCK_SIZE)));
}

function reserveWhere(
  ids: Ids,
  family: Family,
  id: number,
  fields: Fields,
  isOwn: (id: number) => boolean,
): void {
  if (isOwn(id)) ids.reserve(family.name, id);
  const reserveItems = (described: Family | Collection, members: Fields) => {
    for (const [name, collection] of Object.entries(described.collections)) {
      for (const [item, entry] of Object.entries(mapOf(members[name]))) {
        if (isOwn(Number(item))) ids.reserve(itemCounter(collection), Number(item));
        reserveItems(collection, mapOf(entry));
      }
    }
  };
  reserveItems(family, fields);
  if (!family.numbered) return;
  const { field, prefix } = family.numbered;
  const own = new RegExp(`^${prefix}-${ids.stationCode}-(\\d{1,15})$`).exec(String(fields[field] ?? ''));
  if (own) ids.reserveNumber(family.name, Number(own[1]));
}
