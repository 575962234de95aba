import type { Step } from './site.ts';
import { tableRows } from './table-rows.ts';

/** By key; `domain` is of its e-mail addresses, below example.com: the key unless said. */
const suppliers = tableRows(
  ['key', 'name', 'domain', 'primary', 'position', 'secondary', 'secondPosition', 'notes'],
  `
  tillerfield | Tillerfield Seed Growers |  | Agnes Tilney | Contract growing | Rufus Marl | Dispatch | Delivers in 25 kg bags on pallets. Moisture certificate with every lot.
  oxmere | Oxmere Farm Cooperative |  | Hamish Ockley | Grain store manager |  |  |
  norrvik | Norrvik Seed Trading |  | Signe Aldvik | Account manager | Jonas Brekken | Quality | Certificates of analysis arrive by e-mail, sometimes after the goods.
  brackwell | Brackwell Dried Botanicals |  | Odile Farrant | Sales | Pim Serrano-Hale | Laboratory | Every delivery stays in quarantine until our own laboratory result.
  valdorine | Moulin Valdorine |  | Estelle Valdorin | Owner |  |  | Olive oil in 200 l drums, invoiced by weight.
  aldersyke | Aldersyke Nutrients |  | Bertram Kell | Technical sales |  |  |
  karsholt | Karsholt Glassworks |  | Mette Karsholt | Key accounts | Anders Lyhne | Mould shop | Mould set 7 for the 250 ml bottle is due for overhaul.
  penmarrow | Penmarrow Closures |  | Denzil Trevarn | Sales | Lowenna Pask | Quality manager |
  quillhurst | Quillhurst Labels & Print |  | Felix Quill | Studio |  |  |
  stannery | Stannery Board & Carton |  | Rosalind Stann | Customer service |  |  |
  wexcombe | Wexcombe Calibration Services |  | Arlo Wexcombe | Calibration engineer |  |  | Calibrates balance, caliper and torque tester once a year.
  press-house | Harrowmere press house (own production) | harrowmere | Wendell Fyfe | Head of production |  |  | Own pressing and bottling are received like deliveries.
  ottermill | Ottermill Small Packaging |  | Ivo Otterby | Sales |  |  | Hang tags are cut too wide again and again: no more orders until the die is replaced.
`,
);

export function supplierSteps(day: number): Step[] {
  return suppliers.map(
    ({ key, name, primary, position, secondary, secondPosition, notes, ...of }, index) => ({
      day,
      title: `Supplier ${name}`,
      run: async site => {
        const domain = of.domain || key;
        const contacts = {
          ...contact('primary', [primary, position], domain, index),
          ...(secondary && contact('secondary', [secondary, secondPosition], domain, index + 50)),
        };
        await site.create('supplier', { name, ...contacts, ...(notes && { notes }) }, `supplier:${key}`);
      },
    }),
  );
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
