import { afterAll, beforeAll, expect, it } from 'vitest';
import { PAGE_POLICY } from '../../../shared/contract/page-policy.ts';
import { policyFindings } from '../../support/policy-findings.ts';
import { Station } from '../../support/station.ts';

const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

const policyOf = async (path: string) =>
  (await fetch(station.origin + path)).headers.get('content-security-policy') ?? '';

it.each(['/app', '/first', '/docs', '/docs/orders', '/api/v2/status', '/nothing'])(
  'the policy of %s stands before an evaluator',
  async path => {
    const policy = await policyOf(path);
    expect(policy).toContain("default-src 'none'");
    expect(policyFindings(policy)).toEqual([]);
  },
);

it('the screens have the same policy over HTTP as in the desktop app', async () => {
  expect(await policyOf('/app')).toBe(PAGE_POLICY);
});

it('the evaluator finds what is wrong', () => {
  expect(policyFindings("default-src 'none'; script-src 'self' 'unsafe-inline'")).not.toEqual([]);
  expect(policyFindings("script-src 'self' https:")).not.toEqual([]);
});
