import { familyOf } from '../../shared/families/registry.ts';
import type { Held } from '../../shared/operations/exchange-operations.ts';
import type { Commit } from '../store/changes.ts';
import { stationOf } from '../store/history.ts';
import { HOLD_SUBJECT } from '../store/subjects.ts';
import type { HoldReason } from './protocol/decide.ts';
import type { HeldCommit } from './protocol/held-line.ts';

/** What people call a station; null where that is not known here. */
export type NameOf = (station: string) => string | null;

/** A held commit with its reason in words. */
export function describeHeld(
  { commit, reason }: HeldCommit,
  nameOf: NameOf,
  isGivenUp: (commit: string) => boolean = () => false,
): Held {
  const station = stationOf(commit.chain);
  const [code = '', detail = ''] = reason.split(/:\s*(.*)/s);
  return {
    commit_id: commit.commit_id,
    station,
    station_name: nameOf(station),
    user: commit.user,
    at: commit.at,
    reason: commit.reason,
    records: commit.entries.flatMap(({ subject }) =>
      subject.startsWith(HOLD_SUBJECT) ? [] : recordOf(subject),
    ),
    why: holdWords(code, detail),
    code: reason,
    is_administrative: isAdministrative(commit),
    is_withdrawn_here: isGivenUp(commit.commit_id),
  };
}

/**
 * Whether only an administrator decides on a held commit: it concerns users or settings, or releases others, which may.
 */
export function isAdministrative({ entries }: Pick<Commit, 'entries'>): boolean {
  return entries.some(
    ({ subject }) =>
      subject.startsWith(HOLD_SUBJECT) ||
      recordOf(subject).some(({ family }) => familyOf(family)?.operations.isAdministrative === true),
  );
}

/** The record that a subject names: `supplier:7`; none for what is not the name of a record. */
export function recordOf(subject: string): { family: string; id: number }[] {
  const [, family, id] = /^(.+):(\d{1,16})$/.exec(subject) ?? [];
  return family === undefined ? [] : [{ family, id: Number(id) }];
}

const WORDS: Record<HoldReason, string> = {
  schema: 'Central cannot take what it says',
  unknown_target: 'It changes a record or an item that central does not have.',
  id_taken: 'It creates a record or an item under an id that another one has.',
  over_withdrawn: 'It builds on a change that was withdrawn.',
  central_decides:
    'It changes users or settings, which only central writes. An administrator at central releases or withdraws it.',
  not_permitted: 'Its author may not write it.',
  right_lost: 'Its author may not write it any more; all such changes of theirs are decided together.',
  not_signed: 'It lacks a signature; all such changes of this person at this station are decided together.',
  not_proved: 'Nothing proves that its author made it.',
  beyond_limit:
    'Together with what stands it is more than a lot can hold; it can be let in once there is room.',
  follows: 'An earlier change of the same record by the same station is held; decide on that first.',
  not_allowed: 'Only central releases held changes, and only their own station or central withdraws them.',
};

function holdWords(code: string, detail: string): string {
  if (code === 'schema') return detail === '' ? `${WORDS.schema}.` : `${WORDS.schema}: ${detail}`;
  if (!isReason(code)) return 'Central holds it for a reason that this version does not know.';
  return `${WORDS[code]} ${detail}`.trim();
}

function isReason(code: string): code is HoldReason {
  return code in WORDS;
}
