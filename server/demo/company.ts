import type { Site, Step } from './site.ts';

export const COMPANY_NAME = 'Harrowmere Oils & Botanicals (sample company)';

/** The people of the company; everybody in the sample company is invented. */
export const people = {
  qualityManager: 'Ines Calloway',
  laboratory: ['Priya Vennmark', 'Tobias Reddick', 'Nadia Oswin'],
  goodsIn: 'Callum Astbrook',
  service: ['Greta Hollin', 'Marek Duval-Price'],
} as const;

const partTypes = ['Raw material', 'Bulk oil', 'Packaging', 'Finished product', 'Activity'];

const locations = {
  'goods-in': 'Goods-in bay',
  quarantine: 'Quarantine cage',
  silo: 'Seed store, silo row',
  herbs: 'Herb store, cool room',
  tanks: 'Tank room',
  packaging: 'Packaging racks A',
  'packaging-b': 'Packaging racks B',
  finished: 'Finished goods, aisle 1',
  'finished-2': 'Finished goods, aisle 2',
  dispatch: 'Dispatch bay',
} as const;

export type LocationKey = keyof typeof locations;

/** What places are for, other than keeping goods. */
const kinds: Partial<Record<LocationKey, string>> = {
  'goods-in': 'receiving',
  quarantine: 'quarantine',
  dispatch: 'shipping',
};

const equipment = [
  ['EQ-0101', 'Torque tester TT-1'],
  ['EQ-0102', 'Bench balance, 2 kg'],
  ['EQ-0103', 'Digital caliper, 150 mm'],
  ['EQ-0201', 'Screw press 1'],
  ['EQ-0202', 'Screw press 2'],
  ['EQ-0301', 'Filling line'],
] as const;

const errorCodes = [
  'Leaking closure',
  'Broken in transit',
  'Off taste or odour',
  'Short delivery',
  'Wrong label',
  'Cloudy oil',
  'Dropper defect',
  'Best-before date unreadable',
  'Dimension out of limits',
  'Contamination',
];

/** What everybody looks at each morning. */
const sharedViews = [
  { name: 'Expires first', list: 'inventory', address: 'sort=expiry_date' },
  { name: 'Open reports of suppliers', list: 'ncr', address: 'status=open&source=supplier' },
];

/** The company itself and the lists that its records point to. */
export function companySteps(day: number): Step[] {
  return [
    {
      day,
      title: 'Company, part types, locations, equipment, error codes',
      async run(site) {
        await nameCompany(site);
        for (const name of partTypes) await site.create('part-type', { name }, `part-type:${name}`);
        for (const [index, [key, name]] of Object.entries(locations).entries()) {
          const kind = kinds[key as LocationKey] ?? 'storage';
          const cool = key === 'herbs' ? { storage_class: 'cool' } : {};
          const body = { name, kind, ...cool, walking_order: (index + 1) * 10 };
          await site.create('location', body, `location:${key}`);
        }
        await site.create('location', { name: 'Old cellar (given up)', is_active: 0 });
        for (const [identification, name] of equipment) {
          await site.create('equipment', { name, identification }, `equipment:${identification}`);
        }
        for (const name of errorCodes) await site.create('error-code', { name }, `error-code:${name}`);
        for (const view of sharedViews) await site.create('shared-view', view);
      },
    },
  ];
}

/** Only the company that a fresh installation was given: one that has been named keeps its name. */
async function nameCompany(site: Site): Promise<void> {
  const { data } = await site.client.list('company', { per_page: 1 });
  const [company] = data;
  if (company?.id != null && company.name === 'My company') {
    await site.client.update('company', company.id, { name: COMPANY_NAME });
  }
}
