import type { BenchMachine } from './bench-machine.ts';
import { wordOf } from './sync-record.ts';

/** Rows of one request. */
const ROWS = 1_000;
/** Lines of a receipt. */
const LINES = 50;

/** How many records of each family there are in a company of a million; a smaller one has the same shares. */
const SHARES = {
  companies: 10,
  'part-types': 20,
  'error-codes': 50,
  locations: 2_000,
  suppliers: 20_000,
  customers: 20_000,
  equipment: 5_000,
  specifications: 9_000,
  parts: 300_000,
  'inspection-plans': 10_000,
  orders: 80_000,
  'purchase-orders': 60_000,
  inventory: 50_000,
  adjustments: 40_000,
  moves: 20_000,
  inspections: 80_000,
  'lab-results': 90_000,
  ncrs: 80_000,
  cars: 33_000,
  complaints: 80_000,
  shipments: 20_000,
} as const;
/** Of these a part is changed once more, so that there is history: of parts, which lose their common word by it. */
export const RENAMED = 0.1;

type Made = keyof typeof SHARES;

/** Companies of mixed families whose records refer to each other, of any size. */
export class MillionCompany {
  readonly machine: BenchMachine;
  readonly #scale: number;
  /** The words of which two parts have the same one: twenty parts a word, at every size. */
  readonly vocabulary: number;

  /** @param records about so many in all */
  constructor(machine: BenchMachine, records: number) {
    this.machine = machine;
    this.#scale = records / 1_000_000;
    this.vocabulary = Math.max(1, Math.floor(this.count('parts') / 20));
  }

  count(family: Made): number {
    return Math.max(1, Math.round(SHARES[family] * this.#scale));
  }

  /** All of it, by the interface's own bulk operations and, for lots, by receipts. @param say told of each family */
  async fill(say: (text: string) => void): Promise<void> {
    for (const family of Object.keys(SHARES) as Made[]) {
      const began = performance.now();
      if (family === 'inventory') await this.#receive();
      else await this.#make(family, this.count(family));
      const seconds = (performance.now() - began) / 1_000;
      say(`${family.padEnd(18)} ${String(this.count(family)).padStart(8)} in ${seconds.toFixed(1)} s`);
    }
    for (let from = 0; from < this.count('parts') * RENAMED; from += ROWS)
      await this.machine.ask('PUT', '/x/bulk/part', {
        rows: range(Math.min(ROWS, this.count('parts') - from), n => ({
          id: 1 + from + n,
          name: this.partName(from + n, 'renamed'),
        })),
        mode: 'all',
      });
  }

  partName(n: number, also = 'fitting'): string {
    return `${wordOf(n % this.vocabulary)} ${also} ${n}`;
  }

  /** One more of a family, with a number that none has: what a person would write. */
  row(family: Made, n: number): object {
    const part_id = 1 + (n % this.count('parts'));
    const lot = 1 + (n % this.count('inventory'));
    const rows: Record<Made, () => object> = {
      companies: () => ({ name: `Company ${n}` }),
      'part-types': () => ({ name: `Type ${n}` }),
      'error-codes': () => ({ name: `Error ${n}` }),
      locations: () => ({ name: `Shelf ${n}`, kind: 'storage' }),
      suppliers: () => ({ name: `${wordOf(n)} Supplies`, notes: `Supplier number ${n}` }),
      customers: () => ({ name: `${wordOf(n + 7)} Trading` }),
      equipment: () => ({ name: `Calliper ${n}`, identification: `EQ-${n}` }),
      specifications: () => ({ name: `Drawing ${n}`, identification: `DRW-${n}`, revision: 1 }),
      parts: () => ({
        name: this.partName(n),
        identification: `P-${String(n).padStart(8, '0')}`,
        supplier_id: this.#one('suppliers', n),
        part_type_id: this.#one('part-types', n),
        unit_type: 'Mass',
        unit_of_measure: 'kg',
      }),
      'inspection-plans': () => ({ name: `Plan ${n}`, part_id, is_active: false }),
      orders: () => ({
        order_number: `O-${n}`,
        contact_id: this.#one('customers', n),
        order_date: dayOf(n),
        po_number: `PO-${n}`,
      }),
      'purchase-orders': () => ({
        po_number: `BUY-${n}`,
        supplier_id: this.#one('suppliers', n),
        order_date: dayOf(n),
        items: [{ part_id, quantity: 24, unit_of_measure: 'kg' }],
      }),
      inventory: () => ({ part_id, serial_number: `L-${n}`, opening_quantity: 1, unit: 'kg' }),
      adjustments: () => ({
        inventory_id: lot,
        quantity: 1,
        location_id: this.#one('locations', lot),
        reason: 'Counted again.',
      }),
      moves: () => ({
        inventory_id: lot,
        from_location_id: this.#one('locations', lot),
        location_id: this.#one('locations', lot + 1),
        quantity: 1,
      }),
      inspections: () => ({ entity_id: String(part_id), entity_type: 'part', sample_size: 1 }),
      'lab-results': () => ({
        testing_id: `T-${n}`,
        testing_date: dayOf(n),
        inspector_name: 'Ines Duarte',
        batch_number: `B-${n}`,
        lab_data: JSON.stringify({ pH: '5.8', lead: '<0.05' }),
      }),
      ncrs: () => ({
        ncr_number: `NCR-${n}`,
        source: 'internal',
        part_id,
        description: `${wordOf(n)} is broken.`,
        ...(isOpen(n) ? {} : { status: 'closed', disposition: 'use-as-is' }),
      }),
      cars: () => ({
        car_number: `CAR-${n}`,
        initiator_name: 'Ann Keller',
        date_opened: dayOf(n),
        type: 'corrective',
        ...(isOpen(n) ? {} : { date_closed: dayOf(n, 2026) }),
      }),
      complaints: () => ({
        complaint_number: `C-${n}`,
        complaint_date: dayOf(n),
        part_id,
        comments: wordOf(n),
        is_closed: !isOpen(n),
      }),
      shipments: () => ({
        shipment_number: `SH-${n}`,
        requested_ship_date: dayOf(n),
        contact_id: this.#one('customers', n),
      }),
    };
    return rows[family]();
  }

  async #make(family: Made, count: number): Promise<void> {
    for (let from = 0; from < count; from += ROWS) {
      const rows = range(Math.min(ROWS, count - from), n => this.row(family, from + n));
      await this.machine.ask('POST', `/x/bulk/${singularOf(family)}`, {
        rows,
        mode: 'all',
        reason: 'Filled by the benchmark.',
      });
    }
  }

  /** Lots as they come: lines of receipts. */
  async #receive(): Promise<void> {
    const lots = this.count('inventory');
    for (let from = 0; from < lots; from += LINES)
      await this.machine.ask('POST', '/receiving-inspections', {
        supplier_id: this.#one('suppliers', from),
        po_number: `PO-${from}`,
        items: range(Math.min(LINES, lots - from), n => ({
          part_id: 1 + ((from + n) % this.count('parts')),
          serial_number: `L-${from + n}`,
          quantity_accepted: 100,
          unit_of_measure: 'kg',
          expiry_date: dayOf(from + n, 2030),
          location_id: this.#one('locations', from + n),
          serial_numbers: [`SN-${from + n}`],
        })),
      });
  }

  #one(family: Made, n: number): number {
    return 1 + (n % this.count(family));
  }
}

function range<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

/** Of a hundred reports a few wait for somebody. */
function isOpen(n: number): boolean {
  return n % 50 === 0;
}

/** A day of the year, another for neighbours. */
function dayOf(n: number, year = 2025): string {
  return new Date(Date.UTC(year, 0, 1 + (n % 365))).toISOString().slice(0, 10);
}

function singularOf(family: Made): string {
  const irregular: Partial<Record<Made, string>> = {
    companies: 'company',
    inventory: 'inventory',
    equipment: 'equipment',
  };
  return irregular[family] ?? family.replace(/s$/, '');
}
