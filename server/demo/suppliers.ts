import type { Step } from './site.ts';

interface SampleSupplier {
  name: string;
  /** Of its e-mail addresses, below example.com; its key unless said. */
  domain?: string;
  primary: readonly [name: string, position: string];
  secondary?: readonly [name: string, position: string];
  notes?: string;
}

const suppliers = {
  tillerfield: {
    name: 'Tillerfield Seed Growers',
    primary: ['Agnes Tilney', 'Contract growing'],
    secondary: ['Rufus Marl', 'Dispatch'],
    notes: 'Delivers in 25 kg bags on pallets. Moisture certificate with every lot.',
  },
  oxmere: { name: 'Oxmere Farm Cooperative', primary: ['Hamish Ockley', 'Grain store manager'] },
  norrvik: {
    name: 'Norrvik Seed Trading',
    primary: ['Signe Aldvik', 'Account manager'],
    secondary: ['Jonas Brekken', 'Quality'],
    notes: 'Certificates of analysis arrive by e-mail, sometimes after the goods.',
  },
  brackwell: {
    name: 'Brackwell Dried Botanicals',
    primary: ['Odile Farrant', 'Sales'],
    secondary: ['Pim Serrano-Hale', 'Laboratory'],
    notes: 'Every delivery stays in quarantine until our own laboratory result.',
  },
  valdorine: {
    name: 'Moulin Valdorine',
    primary: ['Estelle Valdorin', 'Owner'],
    notes: 'Olive oil in 200 l drums, invoiced by weight.',
  },
  aldersyke: { name: 'Aldersyke Nutrients', primary: ['Bertram Kell', 'Technical sales'] },
  karsholt: {
    name: 'Karsholt Glassworks',
    primary: ['Mette Karsholt', 'Key accounts'],
    secondary: ['Anders Lyhne', 'Mould shop'],
    notes: 'Mould set 7 for the 250 ml bottle is due for overhaul.',
  },
  penmarrow: {
    name: 'Penmarrow Closures',
    primary: ['Denzil Trevarn', 'Sales'],
    secondary: ['Lowenna Pask', 'Quality manager'],
  },
  quillhurst: { name: 'Quillhurst Labels & Print', primary: ['Felix Quill', 'Studio'] },
  stannery: { name: 'Stannery Board & Carton', primary: ['Rosalind Stann', 'Customer service'] },
  wexcombe: {
    name: 'Wexcombe Calibration Services',
    primary: ['Arlo Wexcombe', 'Calibration engineer'],
    notes: 'Calibrates balance, caliper and torque tester once a year.',
  },
  'press-house': {
    name: 'Harrowmere press house (own production)',
    domain: 'harrowmere',
    primary: ['Wendell Fyfe', 'Head of production'],
    notes: 'Own pressing and bottling are received like deliveries.',
  },
  ottermill: {
    name: 'Ottermill Small Packaging',
    primary: ['Ivo Otterby', 'Sales'],
    notes: 'Hang tags are cut too wide again and again: no more orders until the die is replaced.',
  },
} as const satisfies Record<string, SampleSupplier>;

export type SupplierKey = keyof typeof suppliers;

export function supplierSteps(day: number): Step[] {
  return Object.entries<SampleSupplier>(suppliers).map(([key, supplier], index) => ({
    day,
    title: `Supplier ${supplier.name}`,
    run: async site => {
      const { name, domain = key, primary, secondary, notes } = supplier;
      const contacts = {
        ...contact('primary', primary, domain, index),
        ...(secondary && contact('secondary', secondary, domain, index + 50)),
      };
      await site.create('supplier', { name, ...contacts, ...(notes && { notes }) }, `supplier:${key}`);
    },
  }));
}

/** The four fields of a contact person; addresses and telephone numbers that nobody has. */
export function contact(
  prefix: 'primary' | 'secondary',
  [name, position]: readonly [string, string],
  domain: string,
  line: number,
): Record<string, string> {
  return {
    [`${prefix}_name`]: name,
    [`${prefix}_position`]: position,
    [`${prefix}_email`]: `${name.toLowerCase().replaceAll(' ', '.')}@${domain}.example.com`,
    [`${prefix}_phone`]: `555-01${String(line % 100).padStart(2, '0')}`,
  };
}
