/** Where an id stands among ids in ascending order, or would stand. */
function placeOf(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether an id is one of ids in ascending order. */
function hasId(ids: readonly number[], id: number): boolean {
  return ids[placeOf(ids, id)] === id;
}

/** Marks of ids between the lowest and the highest, at most: 8 MB for a moment. */
const MOST_MARKS = 8 * 1024 * 1024;

/** As `hasId`, where many are asked for: ids of a family mostly lie close together. @param count about so many are */
export function amongIds(ids: readonly number[], count: number): (id: number) => boolean {
  const first = ids[0] ?? 0;
  const span = (ids.at(-1) ?? 0) - first + 1;
  if (span > MOST_MARKS || count * 20 < ids.length) return id => hasId(ids, id);
  const marks = new Uint8Array(span);
  for (const id of ids) marks[id - first] = 1;
  return id => marks[id - first] === 1;
}

/** Adds an id to ids in ascending order, or takes it away. */
export function setId(ids: number[], id: number, isThere: boolean): void {
  const place = placeOf(ids, id);
  const isKnown = ids[place] === id;
  if (isThere && !isKnown) ids.splice(place, 0, id);
  else if (!isThere && isKnown) ids.splice(place, 1);
}

/** Some of ids in ascending order, the highest first where it is said. */
export function pageOfIds(
  ids: readonly number[],
  { offset, limit, isNewestFirst }: { offset: number; limit: number; isNewestFirst: boolean },
): number[] {
  if (!isNewestFirst) return ids.slice(offset, offset + limit);
  const end = Math.max(0, ids.length - offset);
  return ids.slice(Math.max(0, end - limit), end).reverse();
}
