import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ClockedStation } from '../../server/identity/clocked-station.ts';
import { deeds } from './trust-cases.ts';
import { TrustSite } from './trust-site.ts';
import { tryDeed } from './try-deed.ts';

/**
 * The negative control of `trust.test.ts`: on a server that judges nobody, its attempts come through. Those that it
 * leaves out are refused by what a rule says of goods, whoever asks (`allowed` is undefined), or by the scope of a token.
 */
vi.mock('../../../server/rules/permitting.ts', () => ({ permitting: () => undefined }));
vi.mock(import('../../../server/rules/reason.ts'), async load => ({
  ...(await load()),
  requireReason: () => undefined,
}));
vi.mock(import('../../../server/rules/corrections.ts'), async load => ({
  ...(await load()),
  recordWord: () => undefined,
}));
vi.mock(import('../../../shared/contract/role.ts'), async load => ({
  ...(await load()),
  hasRole: () => true,
}));

const station = new ClockedStation();
let site: TrustSite;
beforeAll(async () => {
  await station.start();
  site = new TrustSite({ origin: station.station.origin, token: station.token });
  await site.open();
});
afterAll(() => station.end());

/** A disposition without a reason is refused by its own rule. */
const isOfRule = (name: string, hasReason: boolean) => !hasReason && name === 'uses as is what failed';

const attempts = deeds.flatMap(deed =>
  deed.attempts.flatMap(([who, hasReason]) =>
    deed.allowed === undefined || who === 'read' || isOfRule(deed.name, hasReason)
      ? []
      : [{ deed, who, hasReason, name: deed.name }],
  ),
);

it.each(attempts)('$who $name (reason: $hasReason)', async ({ deed, who, hasReason }) => {
  const scene = await deed.prepare(site);
  expect(await deed.isDone(site, scene)).toBe(false);
  expect(await tryDeed(site, deed, scene, who, hasReason)).not.toContain(403);
  expect(await deed.isDone(site, scene)).toBe(true);
});
