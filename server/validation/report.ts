import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import type { TriedRequirement, ValidationReport } from '../../shared/operations/validation-operations.ts';
import { isSignedBy } from '../keys/ed25519.ts';
import type { Authority } from '../trust/authority-key.ts';

/** What was found, before anybody answers for it. */
export type Found = Omit<
  ValidationReport,
  'says' | 'format' | 'by' | 'verdict' | 'counts' | 'key' | 'signature'
>;

export function signReport(authority: Authority, found: Found, by: string): ValidationReport {
  const counts = countsOf(found.requirements);
  const content = {
    says: 'holdpoint: validation',
    format: 'holdpoint validation 1',
    ...found,
    by,
    verdict: counts.failed === 0 && counts.passed > 0 ? 'passed' : 'failed',
    counts,
    key: authority.key,
  } as const;
  return { ...content, signature: authority.sign(canonicalJson(content)) };
}

/** Whether the key that a report names has signed it. Whose key that is nobody says here. */
export function isReportSigned({ signature, ...content }: ValidationReport): boolean {
  return isSignedBy(content.key, canonicalJson(content), signature);
}

function countsOf(requirements: readonly TriedRequirement[]): ValidationReport['counts'] {
  const count = (verdict: TriedRequirement['verdict']) =>
    requirements.filter(one => one.verdict === verdict).length;
  return { passed: count('passed'), failed: count('failed'), not_tried: count('not_tried') };
}
