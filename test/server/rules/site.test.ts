import { expect, it } from 'vitest';
import { siteSettings } from '../../../server/rules/site.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { SETTING_DEFAULTS } from '../../../shared/families/setting.ts';
import { openSite } from './site.ts';

it('the settings are the defaults but for what was changed, and none that there was in another version', async () => {
  const store = await openSite();
  expect(siteSettings(store.records)).toEqual(SETTING_DEFAULTS);
  await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work => work.restore(families.setting, 1, { expiry_soon_days: 5, is_blue: true }),
    answer: () => null,
  });
  expect(siteSettings(store.records)).toEqual({ ...SETTING_DEFAULTS, expiry_soon_days: 5 });
});
