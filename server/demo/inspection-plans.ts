import type { Step } from './site.ts';

/** What is inspected of deliveries from now on: the story's own came before there were plans. */
export function inspectionPlanSteps(): Step[] {
  return [
    {
      day: -1,
      title: 'Inspection plans',
      run: async site => {
        const supplier = (key: string) => ({ supplier_id: site.idOf(`supplier:${key}`) });
        const template = (number: string) => ({ specification_id: site.idOf(`template:${number}`) });
        for (const plan of [
          {
            name: 'Amber bottles of 250 ml',
            part_id: site.idOf('part:PK-3020'),
            ...supplier('karsholt'),
            ...template('DW-3020'),
            sampling_level: 'II',
            sampling_aql: '1',
            notes: 'By attributes, until mould set 7 has been overhauled.',
          },
          {
            name: 'Small packaging',
            ...supplier('ottermill'),
            ...template('DW-3400'),
            sampling: 'fixed',
            sample_count: 13,
            inspect_every: 3,
          },
          {
            name: 'Seed with moisture certificate',
            ...supplier('tillerfield'),
            is_certificate_required: true,
          },
          {
            name: 'Dried botanicals',
            ...supplier('brackwell'),
            is_quarantined_first: true,
            notes: 'Until our own laboratory result.',
          },
        ])
          await site.create('inspection-plan', plan);
      },
    },
  ];
}
