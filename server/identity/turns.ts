import { AppError } from '../../shared/contract/errors.ts';

/** At once: each holds a processor and 128 MiB while it runs. */
const AT_ONCE = 2;
/** Of these strangers get all but one. */
const FOR_STRANGERS = AT_ONCE - 1;
/** Waiting of those who are known, and of all strangers together: beyond it a server would only fall further behind. */
const WAITING_LIMIT = 64;
/** Waiting of one place. */
const PLACE_LIMIT = 16;

/** For whom it is done: a stranger by the place in the network, or somebody whom this machine knows. */
export type Turn = { stranger: string } | 'known';

type Start = () => void;

/**
 * Runs work that is dear, a few at a time. Who is known comes first and always has a place; strangers come by turns of the
 * places that they call from, so that one who asks often waits for himself.
 */
export function createTurns() {
  const running = { known: 0, strangers: 0 };
  const known: Start[] = [];
  /** By place, in the order of their turns. */
  const strangers = new Map<string, Start[]>();
  let strangersWaiting = 0;

  /** @throws AppError 503 when too many wait */
  return async <Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> => {
    const kind = turn === 'known' ? 'known' : 'strangers';
    if (isFree(kind)) running[kind] += 1;
    else await new Promise<void>(resolve => wait(turn, resolve));
    try {
      return await work();
    } finally {
      running[kind] -= 1;
      startNext();
    }
  };

  function isFree(kind: keyof typeof running): boolean {
    if (running.known + running.strangers >= AT_ONCE) return false;
    return kind === 'known' || running.strangers < FOR_STRANGERS;
  }

  function wait(turn: Turn, start: Start): void {
    if (turn === 'known') {
      if (known.length >= WAITING_LIMIT) throw tooMany();
      known.push(start);
      return;
    }
    const ofPlace = strangers.get(turn.stranger) ?? [];
    if (ofPlace.length >= PLACE_LIMIT || strangersWaiting >= WAITING_LIMIT) throw tooMany();
    strangers.set(turn.stranger, [...ofPlace, start]);
    strangersWaiting += 1;
  }

  function startNext(): void {
    const first = isFree('known') ? known.shift() : undefined;
    if (first) {
      running.known += 1;
      first();
      return;
    }
    if (!isFree('strangers')) return;
    for (const [place, [start, ...rest]] of strangers) {
      // The place goes to the end of the row.
      strangers.delete(place);
      if (rest.length > 0) strangers.set(place, rest);
      if (!start) continue;
      strangersWaiting -= 1;
      running.strangers += 1;
      start();
      return;
    }
  }
}

function tooMany(): AppError {
  const message = 'Too many people sign in at this moment. Try again in a few seconds.';
  return new AppError('unavailable', message, { headers: { 'Retry-After': '5' } });
}
