import { z } from 'zod';
import { named, shown } from '../contract/field-schemas.ts';
import { MEANINGS, type Meaning } from './signature.ts';

/** A kind of act: what its signature means. The ordinary change of a report has a switch of its own. */
export type ActKind = Exclude<Meaning, 'change'>;
export const ACT_KINDS: readonly ActKind[] = MEANINGS.filter(meaning => meaning !== 'change');

/** What the site asks of a kind of act. Reason and second person belong to its signature. */
export interface ActPolicy {
  is_signed: boolean;
  needs_reason: boolean;
  /** It is signed by another person than the record's last author. */
  needs_second_person: boolean;
}

const UNSIGNED: ActPolicy = { is_signed: false, needs_reason: false, needs_second_person: false };
const WITH_REASON: ActPolicy = { is_signed: true, needs_reason: true, needs_second_person: false };

export type Preset = 'none' | 'gxp';

/** What a preset asks of a kind. */
export function presetOf(preset: Preset, kind: ActKind): ActPolicy {
  if (preset === 'none') return UNSIGNED;
  if (kind === 'approval') return { ...WITH_REASON, needs_second_person: true };
  // What is written for the first time replaces nothing that had to be explained.
  return kind === 'result' ? { ...WITH_REASON, needs_reason: false } : WITH_REASON;
}

/** The kinds of which the site asks something else than its preset, each in full. */
export type Deviations = Partial<Record<ActKind, ActPolicy>>;

export interface PolicySettings {
  esignature_policy: Preset;
  esignature_deviations: Deviations;
}

/** What the site asks of a kind of act: its own word, else its preset's. */
export function policyOf(settings: PolicySettings, kind: ActKind): ActPolicy {
  return settings.esignature_deviations[kind] ?? presetOf(settings.esignature_policy, kind);
}

/** Whether any kind of act is signed at the site. */
export function isAnySigned(settings: PolicySettings): boolean {
  return ACT_KINDS.some(kind => policyOf(settings, kind).is_signed);
}

/** What meets all of them. */
export function strictest(policies: readonly ActPolicy[]): ActPolicy {
  return {
    is_signed: policies.some(policy => policy.is_signed),
    needs_reason: policies.some(policy => policy.needs_reason),
    needs_second_person: policies.some(policy => policy.needs_second_person),
  };
}

/** The deviations with another policy of one kind: none where the preset says the same. */
export function deviate(settings: PolicySettings, kind: ActKind, policy: ActPolicy): Deviations {
  const { [kind]: _, ...others } = settings.esignature_deviations;
  const wanted = policy.is_signed ? policy : UNSIGNED;
  const isPreset = isSamePolicy(wanted, presetOf(settings.esignature_policy, kind));
  return isPreset ? others : { ...others, [kind]: wanted };
}

export function isSamePolicy(one: ActPolicy, other: ActPolicy): boolean {
  return (
    one.is_signed === other.is_signed &&
    one.needs_reason === other.needs_reason &&
    one.needs_second_person === other.needs_second_person
  );
}

const belongs = (value: unknown) =>
  `${shown(value)} is not what a kind of act needs. Give an object with is_signed, needs_reason and needs_second_person, each true or false.`;

const yesOrNo = z.boolean({
  error: ({ input }) => `${shown(input)} is not a yes or no. Give true or false.`,
});

const policyInput = z
  .strictObject(
    { is_signed: yesOrNo, needs_reason: yesOrNo, needs_second_person: yesOrNo },
    {
      error: issue =>
        issue.code === 'unrecognized_keys'
          ? `${issue.keys.join(', ')} is no part of what a kind of act needs. Give is_signed, needs_reason and needs_second_person.`
          : belongs(issue.input),
    },
  )
  .superRefine((policy, { addIssue }) => {
    if (policy.is_signed) return;
    for (const name of ['needs_reason', 'needs_second_person'] as const) {
      if (!policy[name]) continue;
      const message = `${name} is true and is_signed is false: both belong to a signature. Give is_signed true, or ${name} false.`;
      addIssue({ code: 'custom', input: policy[name], path: [name], message });
    }
  });

/** Reads deviations; what is unknown or contradicts itself is named by its path. */
export const deviationsInput = z
  .record(z.string(), z.unknown(), {
    error: issue => `${shown(issue.input)} is not an object. Give one with kinds of act as its members.`,
  })
  .transform((given, { addIssue }): Deviations => {
    const deviations: Deviations = {};
    for (const [name, value] of Object.entries(given)) {
      const kind = ACT_KINDS.find(known => known === name);
      if (kind === undefined) {
        const message = `${shown(name)} is no kind of act. Allowed: ${ACT_KINDS.join(', ')}.`;
        addIssue({ code: 'custom', input: value, path: [name], message });
        continue;
      }
      const policy = policyInput.safeParse(value);
      if (policy.success) deviations[kind] = policy.data;
      else
        for (const issue of policy.error.issues)
          addIssue({
            code: 'custom',
            input: value,
            path: [name, ...issue.path],
            message: issue.message,
          });
    }
    return deviations;
  });

const policySchema = named('ActPolicy', {
  is_signed: z.boolean().describe('Whether the act needs a signature.'),
  needs_reason: z.boolean().describe('Whether the signature needs a reason.'),
  needs_second_person: z.boolean().describe("Whether another person than the record's last author signs it."),
});

export const deviationsSchema = z
  .partialRecord(z.enum(ACT_KINDS), policySchema)
  .describe('Kinds of act of which the site asks something else than its policy, each in full.');
