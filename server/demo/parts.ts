import { checkDigit } from '../../shared/gs1/check-digit.ts';
import type { Step } from './site.ts';
import type { SupplierKey } from './suppliers.ts';

export interface SamplePart {
  name: string;
  type: 'Raw material' | 'Bulk oil' | 'Packaging' | 'Finished product' | 'Activity';
  unit: 'kg' | 'l' | 'units';
  supplier: SupplierKey;
  reorderPoint?: number;
  /** Of one unit. */
  cost?: number;
  /** Days from making to the last usable day. */
  shelfLife?: number;
  /** kg per l. */
  density?: number;
  /** Received and kept in kg although the part counts in l. */
  isKeptInKg?: true;
  /** What it is bottled from. */
  parent?: string;
}

const seed = (name: string, supplier: SupplierKey, reorderPoint: number, cost: number): SamplePart => ({
  name,
  type: 'Raw material',
  unit: 'kg',
  supplier,
  reorderPoint,
  cost,
  shelfLife: 365,
});
const herb = (name: string, cost: number): SamplePart => ({
  name,
  type: 'Raw material',
  unit: 'kg',
  supplier: 'brackwell',
  reorderPoint: 5,
  cost,
  shelfLife: 540,
});
const bulk = (name: string, density: number, cost: number, shelfLife: number): SamplePart => ({
  name,
  type: 'Bulk oil',
  unit: 'l',
  supplier: 'press-house',
  reorderPoint: 40,
  density,
  cost,
  shelfLife,
});
const packaging = (name: string, supplier: SupplierKey, reorderPoint: number, cost: number): SamplePart => ({
  name,
  type: 'Packaging',
  unit: 'units',
  supplier,
  reorderPoint,
  cost,
});
const bottled = (
  name: string,
  parent: string,
  reorderPoint: number,
  cost: number,
  shelfLife: number,
): SamplePart => ({
  name,
  type: 'Finished product',
  unit: 'units',
  supplier: 'press-house',
  parent,
  reorderPoint,
  cost,
  shelfLife,
});

/** By part number; what is bottled comes after what it is bottled from. */
export const parts: Readonly<Record<string, SamplePart>> = {
  'RM-1010': seed('Linseed, brown, cleaned', 'tillerfield', 600, 1.35),
  'RM-1020': seed('Pumpkin seed, shelled', 'norrvik', 250, 4.9),
  'RM-1030': seed('Sunflower seed, high oleic', 'oxmere', 350, 1.1),
  'RM-1040': seed('Black cumin seed', 'norrvik', 120, 5.6),
  'RM-1050': seed('Rapeseed, cold-press quality', 'tillerfield', 350, 0.85),
  'RM-1110': herb('Rosemary leaf, dried', 14.5),
  'RM-1120': herb('Chamomile flower, dried', 22.8),
  'RM-1130': herb('Calendula petal, dried', 26.4),
  'RM-1140': herb('Thyme leaf, dried', 12.9),
  'RM-1210': {
    name: 'Tocopherol concentrate',
    type: 'Raw material',
    unit: 'kg',
    supplier: 'aldersyke',
    reorderPoint: 4,
    cost: 48,
    shelfLife: 720,
    density: 0.95,
  },
  'BO-2010': bulk('Linseed oil, cold-pressed, bulk', 0.928, 5.2, 120),
  'BO-2020': bulk('Pumpkin seed oil, bulk', 0.92, 16.4, 270),
  'BO-2030': bulk('Sunflower oil, cold-pressed, bulk', 0.918, 3.6, 270),
  'BO-2040': bulk('Black cumin oil, bulk', 0.921, 21.5, 300),
  'BO-2050': bulk('Rapeseed oil, cold-pressed, bulk', 0.915, 3.1, 240),
  'BO-2060': {
    ...bulk('Olive oil, extra virgin, bulk', 0.916, 7.8, 450),
    supplier: 'valdorine',
    isKeptInKg: true,
  },
  'PK-3010': packaging('Amber bottle 100 ml', 'karsholt', 800, 0.31),
  'PK-3020': packaging('Amber bottle 250 ml', 'karsholt', 900, 0.42),
  'PK-3030': packaging('Amber bottle 500 ml', 'karsholt', 600, 0.58),
  'PK-3110': packaging('Pourer closure 31.5 x 24', 'penmarrow', 1500, 0.09),
  'PK-3120': packaging('Dropper insert 18 mm', 'penmarrow', 900, 0.12),
  'PK-3210': packaging('Label, blank stock', 'quillhurst', 3000, 0.03),
  'PK-3310': packaging('Carton for 12 x 250 ml', 'stannery', 120, 0.74),
  'PK-3320': packaging('Carton for 6 x 500 ml', 'stannery', 120, 0.69),
  'PK-3410': packaging('Gift box for one bottle', 'ottermill', 500, 0.38),
  'PK-3420': packaging('Shrink capsule 31 mm', 'ottermill', 500, 0.05),
  'PK-3430': packaging('Hang tag with cord', 'ottermill', 500, 0.07),
  'FG-4010': bottled('Linseed oil 250 ml', 'BO-2010', 120, 2.65, 165),
  'FG-4020': bottled('Linseed oil 500 ml', 'BO-2010', 60, 4.4, 165),
  'FG-4110': bottled('Pumpkin seed oil 250 ml', 'BO-2020', 96, 5.6, 365),
  'FG-4210': bottled('Sunflower oil 500 ml', 'BO-2030', 72, 3.5, 365),
  'FG-4310': bottled('Black cumin oil 100 ml', 'BO-2040', 96, 3.4, 365),
  'FG-4410': bottled('Rapeseed oil 500 ml', 'BO-2050', 72, 3.2, 330),
  'FG-4510': bottled('Rosemary olive oil 250 ml', 'BO-2060', 96, 3.9, 300),
  'FG-4610': bottled('Calendula oil 100 ml', 'BO-2060', 72, 2.9, 270),
  'FG-4710': bottled('Chamomile oil 100 ml', 'BO-2060', 72, 2.9, 270),
  'AC-9010': {
    name: 'Nitrogen blanketing of a tank',
    type: 'Activity',
    unit: 'units',
    supplier: 'press-house',
  },
};

export function partOf(number: string): SamplePart {
  const part = parts[number];
  if (!part) throw new Error(`The sample company has no part ${number}.`);
  return part;
}

/** What customers can order. */
export const finishedProducts = Object.keys(parts).filter(
  number => partOf(number).type === 'Finished product',
);

/** The unit that receipts of a part are written in. */
export function receiptUnit(number: string): 'kg' | 'l' | 'EA' {
  const { unit, isKeptInKg } = partOf(number);
  if (isKeptInKg) return 'kg';
  return unit === 'units' ? 'EA' : unit;
}

export function partSteps(day: number): Step[] {
  const numbers = Object.keys(parts);
  const own = numbers.filter(number => partOf(number).parent === undefined);
  const children = numbers.filter(number => partOf(number).parent !== undefined);
  return [own, children].map(batch => ({
    day,
    title: `Parts ${batch[0]} to ${batch.at(-1)}`,
    run: async site => {
      const bodies = batch.map(number => {
        const { name, type, unit, supplier, reorderPoint, density, parent } = partOf(number);
        return {
          identification: number,
          name,
          part_type_id: site.idOf(`part-type:${type}`),
          is_activity: type === 'Activity',
          is_finished_product: type === 'Finished product',
          supplier_id: site.idOf(`supplier:${supplier}`),
          unit_of_measure: unit,
          ...(unit === 'units' ? {} : { unit_type: unit === 'kg' ? 'Mass' : 'Volume' }),
          ...(density && { density, density_mass_unit: 'kg', density_volume_unit: 'l' }),
          ...(reorderPoint && { reorder_point: reorderPoint }),
          ...(parent && { parent_part_id: site.idOf(`part:${parent}`) }),
          ...(type === 'Activity' ? {} : { barcodes: [barcode(number)] }),
        };
      });
      const { data } = await site.client.call('parts.bulk-create', { body: bodies });
      for (const [index, { id }] of data.entries()) {
        site.remember(`part:${batch[index]}`, id);
        site.count('part');
      }
    },
  }));
}

/** An EAN-13 of the range 20 to 29, which every company may use within its own walls. */
function barcode(number: string): string {
  const digits = `20000000${number.slice(3)}`;
  return digits + checkDigit(digits);
}
