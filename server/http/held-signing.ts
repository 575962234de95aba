import { AppError, invalid } from '../../shared/contract/errors.ts';
import { COMMIT_LIMIT } from '../../shared/contract/limits.ts';
import { familyOfKey } from '../../shared/families/registry.ts';
import { type DueSignature, signaturesDue } from '../../shared/families/signatures-due.ts';
import { missingReason, signDecision } from '../rules/signing.ts';
import { siteSettings } from '../rules/site.ts';
import type { Commit } from '../store/changes.ts';
import type { Store } from '../store/store.ts';
import type { Signing } from '../store/unit-of-work.ts';
import type { AfterDecision } from '../sync/central/hold-decision.ts';
import { actorOf, type RequestContext } from './request-context.ts';
import type { ReadSignature } from './signing.ts';

/** What is signed of held changes that somebody lets in, and with what; undefined where nothing is. */
export interface HeldSigning {
  /** Keys of the records that are signed, by the commit that is let in. */
  subjects: ReadonlyMap<string, readonly string[]>;
  signing: Signing;
}

/**
 * Letting in a held change that contains an act is a decision on that act: it is signed by who lets it in.
 * @throws AppError 422 where password or reason is missing or wrong; `forbidden` to the author where it needs a second person
 */
export async function signHeld(
  { records }: Pick<Store, 'records'>,
  readSignature: ReadSignature,
  context: RequestContext,
  commits: readonly Commit[],
): Promise<HeldSigning | undefined> {
  const signing = (await readSignature(context)) ?? { signer: null, reason: null };
  const settings = siteSettings(records);
  const due = new Map<string, DueSignature>();
  for (const { subject, changes } of commits.flatMap(({ entries }) => entries)) {
    const family = familyOfKey(subject);
    if (!family) continue;
    const before = records.getByKey(subject)?.fields;
    const after = { ...before, ...Object.fromEntries(changes.map(({ path, new: now }) => [path, now])) };
    const [first] = signaturesDue(settings, { family, changes, before, after, isLetIn: true });
    if (first) due.set(subject, first);
  }
  if (due.size === 0) return undefined;
  const acts = [...due.values()];
  const titles = [...new Set(acts.map(({ title }) => title))].join(' and ');
  const { faults } = context;
  if (!signing.signer)
    faults.esignature_password ??= [
      `Your password is missing. What is let in holds ${titles}; it is signed by a signed-in user.`,
    ];
  if (signing.reason === null && acts.some(({ needsReason }) => needsReason))
    faults.esignature_reason ??= [missingReason(titles)];
  if (acts.some(({ needsAnother }) => needsAnother) && commits.some(({ user }) => user === context.user)) {
    const message = `What is let in holds ${titles}: it needs a second person, and you wrote it. Ask somebody else with the role quality.`;
    throw new AppError('forbidden', message);
  }
  if (Object.keys(faults).length > 0) throw invalid(faults);
  const subjects = commits.map(({ commit_id: id, entries }) => {
    const keys = entries.flatMap(({ subject }) => (due.has(subject) ? [subject] : []));
    return [id, [...new Set(keys)]] as const;
  });
  return { subjects: new Map(subjects), signing };
}

/** Signs, with a decision, the records of what it let in, as they stand then; of what stays held none. */
export function heldSignatures(
  context: RequestContext,
  { subjects, signing }: HeldSigning,
  reason: string,
): AfterDecision {
  const waiting = new Map(subjects);
  return async (commit, isHeld) => {
    const letIn = [...waiting].filter(([id]) => !isHeld(id));
    for (const [id] of letIn) waiting.delete(id);
    const due = [...new Set(letIn.flatMap(([, keys]) => keys))];
    // Of more than one commit holds, in several.
    for (let from = 0; from < due.length; from += COMMIT_LIMIT) {
      await commit({
        actor: actorOf(context),
        reason,
        signing,
        work: work => signDecision(work, due.slice(from, from + COMMIT_LIMIT)),
        answer: () => undefined,
      });
    }
  };
}
