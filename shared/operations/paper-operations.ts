import { z } from 'zod';
import { labelResolutions } from '../contract/label-printers.ts';
import { defineOperation, idParameter } from '../contract/operation.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** What can be printed, and the family of the record that it prints. */
export const paperDocuments = {
  receipt: 'receiving-inspection',
  'inspection-report': 'inspection',
  certificate: 'inventory',
  ncr: 'ncr',
  car: 'car',
  'packing-list': 'shipment',
  'pick-list': 'shipment',
  recall: 'inventory',
  'part-recall': 'part',
} as const;
export type PaperDocument = keyof typeof paperDocuments;

/** What has labels, and the family of the record: the label of an `item` is that of one line of a receipt. */
export const labelKinds = {
  lot: 'inventory',
  part: 'part',
  location: 'location',
  item: 'receiving-inspection',
} as const;
export type LabelKind = keyof typeof labelKinds;

export const labelFormats = ['pdf', 'zpl'] as const;
export const labelSymbols = ['datamatrix', 'qr', 'code128'] as const;
export type LabelSymbol = (typeof labelSymbols)[number];

/** Width and height of the label in millimetres, as rolls of labels are sold. */
export const labelSizes = {
  '50x25': [50, 25],
  '62x29': [62, 29],
  '100x50': [100, 50],
  '102x152': [102, 152],
} as const satisfies Record<string, readonly [number, number]>;
export type LabelSize = keyof typeof labelSizes;

export const MOST_COPIES = 200;

/** Records that have one label each: an item is a line of one. */
export const manyLabelKinds = ['lot', 'part', 'location'] as const satisfies readonly LabelKind[];

/** Documents and labels: what a person prints, in the language of the reader. */
export function paperOperations() {
  const language = {
    schema: z.enum(languages),
    description: 'Language of the paper; `en` when absent. What people typed stays as it is.',
  };
  const form = {
    format: {
      schema: z.enum(labelFormats),
      description: '`pdf`, a page a label, when absent; `zpl` answers text/plain for a label printer.',
    },
    symbol: {
      schema: z.enum(labelSymbols),
      description:
        'The code; `datamatrix` when absent. Of a lot whose part has a GTIN among its barcodes, `datamatrix` and `code128` are GS1 codes with (01) GTIN, (17) expiry and (10) lot number; otherwise the code is `family:id`, of a part its part number.',
    },
    size: {
      schema: z.enum(keysOf(labelSizes)),
      description: 'Width and height in millimetres; `62x29` when absent.',
    },
    copies: {
      schema: z.int().min(1).max(MOST_COPIES),
      description: 'How many labels; 1 when absent.',
    },
    dpi: {
      schema: z.literal(labelResolutions),
      description: 'With `zpl`: dots per inch of the printer; 203 when absent.',
    },
    language,
  };
  return [
    defineOperation('x.paper.read', 'GET', '/x/paper/{document}/{id}', 'Paper', {
      summary:
        'Print a record as PDF: receipt, inspection report, certificate, NCR, CAR, packing list, pick list, recall',
      parameters: {
        document: {
          schema: z.enum(keysOf(paperDocuments)),
          description:
            'What to print. A `certificate` is a preview of the certificate that a lot would get, marked as not issued; it is refused (409) while the lot is locked or has no passing results. A `pick-list` is of a shipment that has not gone (409).',
          isRequired: true,
        },
        id: idParameter(
          'Id of the record: of a `certificate` or `recall` the lot, of a `part-recall` the part, of a `packing-list` or `pick-list` the shipment',
        ),
      },
      query: { language },
      answerType: 'application/pdf',
      errors: [404, 409, 422, 429],
    }),
    defineOperation('x.labels.read', 'GET', '/x/labels/{kind}/{id}', 'Paper', {
      summary: 'Labels with a code that scanners read, as PDF or in the language of label printers (ZPL II)',
      parameters: {
        kind: {
          schema: z.enum(keysOf(labelKinds)),
          description: 'What the label is for. An `item` is one line of a receipt, named by `line`.',
          isRequired: true,
        },
        id: idParameter('Id of the lot, part or location; of an `item` the receipt'),
      },
      query: {
        line: { schema: z.int().min(1), description: 'Id of the line; needed for an `item`.' },
        ...form,
      },
      answerType: 'application/pdf',
      otherAnswerTypes: ['text/plain'],
      errors: [404, 422, 429],
    }),
    defineOperation('x.labels.list', 'GET', '/x/labels/{kind}', 'Paper', {
      summary: 'Labels of many records in one file, in the order of their ids as given',
      parameters: {
        kind: {
          schema: z.enum(manyLabelKinds),
          description: 'What the labels are for.',
          isRequired: true,
        },
      },
      query: {
        ids: {
          schema: z
            .string()
            .regex(/^\d+(,\d+)*$/)
            .meta({ examples: ['1'] }),
          description: `Ids of the lots, parts or locations as \`12,13\`; with their copies at most ${MOST_COPIES} labels.`,
          isRequired: true,
        },
        ...form,
        copies: { ...form.copies, description: 'How many labels of each; 1 when absent.' },
      },
      answerType: 'application/pdf',
      otherAnswerTypes: ['text/plain'],
      errors: [404, 422, 429],
    }),
  ];
}

/** The keys of a table, as zod wants them. */
export function keysOf<Key extends string>(table: Record<Key, unknown>): Key[] {
  return Object.keys(table) as Key[];
}
