import { familyOfKey } from '../../../shared/families/registry.ts';
import { type Authorship, authoredIn, readAuthorship, type Seen } from '../../keys/authorship.ts';
import type { Commit, Entry } from '../../store/changes.ts';
import { MOST_AGAIN, reissuedId } from '../../store/commit-id.ts';
import { stationOf } from '../../store/history.ts';
import { createdIds } from '../log/created-ids.ts';
import { COMMIT, type Occurrence, occurrences, sameButForIds } from '../log/ids-in-entries.ts';
import { isDescribed } from '../log/reissue-commits.ts';
import { renamed } from '../log/taken-ids.ts';
import { type RecordReader, siblingsOf } from '../protocol/siblings.ts';
import type { AuthorReader } from './pushed.ts';

/** What names the ids, and what is known beside it. */
interface About {
  /** As central gets it. */
  entries: readonly Entry[];
  station: string;
  /** How far its author's machine had read the log; undefined for what nobody signed, for which the station speaks. */
  seen: Seen | null | undefined;
  read: RecordReader;
  authors: AuthorReader;
}

/**
 * Whether the author has signed that the record or item is meant which stands under the other id: each change was made over
 * commits that were issued again with that one in its place, or that are of that one and of no other of its kind, whatever id it had at
 * the machine meanwhile. Central may never have been sent that id: a machine that was put back, and then became a station of its own,
 * has issued its commits again twice.
 */
export function isSignedOver(
  from: Occurrence,
  to: Occurrence,
  signed: readonly Entry[],
  authors: AuthorReader,
): boolean {
  if (from.counter === COMMIT) return false;
  const isRecord = familyOfKey(`${from.counter}:${from.id}`) !== undefined;
  const isAbout = (subject: string, path: string) =>
    isRecord ? subject === `${from.counter}:${from.id}` : path.split('.').includes(from.id);
  const over = new Set(
    signed.flatMap(({ subject, changes }) =>
      changes.flatMap(({ path, over }) => (isAbout(subject, path) ? over : [])),
    ),
  );
  return (
    over.size > 0 &&
    [...over].every(id => {
      const [former, standing] = [authors.commit(id), authors.standingFor(id)];
      if (former && standing && former !== standing && isRenamed(former, standing, from, to)) return true;
      const named = occurrences(authors.taken(id)?.entries ?? []).filter(
        ({ counter }) => counter === from.counter,
      );
      return named.length > 0 && named.every(one => one.id === to.id);
    })
  );
}

/**
 * Whether the station has issued again under the other id what had the one before: the commit that wrote it says so by what its
 * author signed, or is of a program, for which the station speaks. What was issued again several times had ids between the first and
 * the last one, which whoever wrote meanwhile has signed.
 */
export function isReissued(from: Occurrence, to: Occurrence, about: About): boolean {
  const { station, authors } = about;
  const writers = from.counter === COMMIT ? [to.id] : writersOf(to, about);
  return writers.some(id => {
    const commit = authors.commit(id);
    if (!commit) return false;
    if (from.counter === COMMIT && authors.standingFor(from.id)?.commit_id === to.id) return true;
    if ((commit.authorship ?? null) === null)
      return stationOf(commit.chain) === station || isReissuedHere(from, to, commit, about);
    // Also where a copy of the station's disk issued it again first.
    const authorship = readAuthorship(commit.authorship);
    const original = authorship && authoredIn(authorship);
    if (!original) return false;
    const names = namesFrom(original.commit_id, commit.commit_id);
    if (from.counter === COMMIT) return names.includes(from.id);
    const pair = pairOf(from.counter, from.id, to.id);
    if (createdPairs(original.entries as Entry[], commit.entries).includes(pair)) return true;
    const earlier = names.flatMap(name => authors.commit(name) ?? []);
    return earlier.some(
      one =>
        isOfOneSigning(one, authorship) &&
        createdPairs(one.entries, commit.entries).includes(pair) &&
        !isAnothers(from, one, about),
    );
  });
}

/** Whether what stands has the one id where the former one had the other, and says the same but for ids: its author meant no more. */
function isRenamed(former: Commit, standing: Commit, from: Occurrence, to: Occurrence): boolean {
  const isMoved = renamed(former, standing).some(
    one => one.family === from.counter && String(one.from) === from.id && String(one.to) === to.id,
  );
  return (
    isMoved && isDescribed(former) && isDescribed(standing) && sameButForIds(former.entries, standing.entries)
  );
}

/**
 * Whether central has issued again, under the other id, what it had lost. Only whose machine had read a log that is lost can have meant
 * that: to everybody else the id before is another's.
 */
function isReissuedHere(from: Occurrence, to: Occurrence, commit: Commit, { seen, authors }: About): boolean {
  if (seen !== undefined && !authors.hasReadLost(seen)) return false;
  let former = authors.formerOf(commit.commit_id);
  for (let again = 0; former && again < MOST_AGAIN; again += 1) {
    const isMeant = authors.standingFor(former.commit_id)?.commit_id === commit.commit_id;
    if (isMeant && isRenamed(former, commit, from, to)) return true;
    former = authors.formerOf(former.commit_id);
  }
  return false;
}

/** The ids that the one creates beside those that the other does, in the same order. */
export function createdPairs(one: readonly Entry[], other: readonly Entry[]): string[] {
  const [from, to] = [one, other].map(entries => entries.flatMap(createdIds));
  return (from ?? []).flatMap(({ counter, id }, index) => {
    const found = to?.[index];
    return found?.counter === counter ? [pairOf(counter, String(id), String(found.id))] : [];
  });
}

export function pairOf(counter: string, from: string, to: string): string {
  return `${counter} ${from} ${to}`;
}

/** The names of a commit from the first one to that before the last one; the first alone where the last is none of its names. */
function namesFrom(first: string, last: string): string[] {
  const names = [first];
  for (let name = reissuedId(first); names.length < MOST_AGAIN; name = reissuedId(name)) {
    if (name === last) return names;
    names.push(name);
  }
  return [first];
}

/** Whether that is what was signed there, under whatever ids. */
function isOfOneSigning({ commit_id: id, authorship: its }: Commit, authorship: Authorship): boolean {
  const read = readAuthorship(its);
  if (read?.session.session_key !== authorship.session.session_key) return false;
  return (authoredIn(read)?.commit_id ?? id) === authoredIn(authorship)?.commit_id;
}

/**
 * Whether somebody else has the id and the author may have meant that one: an altered station could say that it had given any id
 * itself. Who had not read that somebody has it cannot have meant it.
 */
function isAnothers(from: Occurrence, ours: Commit, about: About): boolean {
  const { seen, authors } = about;
  const others = writersOf(from, about).filter(id => id !== ours.commit_id);
  return seen !== undefined && others.some(id => authors.mayHaveRead(seen, id));
}

/** Who created the record, or added the item in those of the entries that change it. */
function writersOf(
  { counter, id }: Occurrence,
  { entries, read }: Pick<About, 'entries' | 'read'>,
): string[] {
  const added = entries.flatMap(({ subject, changes }) =>
    changes.flatMap(({ path }) => {
      const steps = path.split('.');
      const place = steps.findIndex((step, index) => index % 2 === 1 && step === id);
      const item = steps.slice(0, place + 1).join('.');
      return place < 0 ? [] : siblingsOf(read, subject, item).map(({ commit }) => commit);
    }),
  );
  return [read.creator(`${counter}:${id}`) ?? [], added].flat();
}
