import { z } from 'zod';
import { answerSchema } from '../contract/answer-schema.ts';
import { successSchema } from '../contract/envelope.ts';
import { named } from '../contract/field-schemas.ts';
import { defineOperation, idParameter, jsonBody } from '../contract/operation.ts';
import { families } from '../families/registry.ts';
import { boardOperations } from './board-operations.ts';
import {
  ncrFiguresSchema,
  stockValueSchema,
  supplierFiguresSchema,
  trendListSchema,
  trendSchema,
} from './figure-schemas.ts';
import { labImportOperation } from './lab-import.ts';
import { recallPackageSchema } from './recall-package.ts';
import { samplingOperations } from './sampling-operations.ts';
import { signatureInput } from './signature-input.ts';
import { traceSchema } from './trace-schemas.ts';

/** Trace, recall, boards, sampling and the numbers for pictures. */
export function qualityOperations() {
  return [
    ...traceOperations(),
    ...trendOperations(),
    ...figureOperations(),
    ...boardOperations(),
    ...samplingOperations(),
    labImportOperation(),
    acceptance(),
  ];
}

export const acceptanceSchema = named('Acceptance', {
  reason: z.string().trim().min(1).max(10_000).describe('Why it counts; kept with the correction.'),
  ...signatureInput,
});

function acceptance() {
  return defineOperation('x.corrections.accept', 'POST', '/x/corrections/{id}/accept', 'Corrections', {
    summary: 'Accept a correction that waits for quality: it locks its lots no more',
    parameters: { id: idParameter('Id of the correction') },
    body: jsonBody(() => acceptanceSchema),
    answer: () => successSchema(answerSchema(families.correction)),
    errors: [404, 409, 412, 422, 429],
    scope: 'write',
  });
}

function traceOperations() {
  const lot = { id: idParameter('Id of the lot') };
  const part = { id: idParameter('Id of the part') };
  const trace = () => successSchema(traceSchema);
  const recall = <const Id extends string, const Path extends string>(id: Id, path: Path, summary: string) =>
    defineOperation(id, 'GET', path, 'Recall', {
      summary,
      answer: () => recallPackageSchema,
      errors: [404],
    });
  return [
    defineOperation('x.trace.inventory', 'GET', '/x/trace/inventory/{id}', 'Recall', {
      summary: 'Everything around a lot: where it came from, what was found, to whom it went',
      parameters: lot,
      answer: trace,
      errors: [404],
    }),
    defineOperation('x.trace.parts', 'GET', '/x/trace/parts/{id}', 'Recall', {
      summary: 'The same of a part: of its newest 100 lots',
      parameters: part,
      answer: trace,
      errors: [404],
    }),
    {
      ...recall(
        'x.recall.inventory',
        '/x/recall/inventory/{id}/package',
        'Recall package of a lot: records and history with hashes, for `holdpoint verify`',
      ),
      parameters: lot,
    },
    {
      ...recall(
        'x.recall.parts',
        '/x/recall/parts/{id}/package',
        'Recall package of a part: records and history with hashes, for `holdpoint verify`',
      ),
      parameters: part,
    },
  ];
}

const partQuery = { schema: z.int().min(1), description: 'Id of the part.', isRequired: true } as const;

function trendOperations() {
  return [
    defineOperation('x.trends.list', 'GET', '/x/trends', 'Figures', {
      summary: 'Characteristics and measurements of a part that have numbers',
      query: { part_id: partQuery },
      answer: () => successSchema(z.array(trendListSchema)),
      errors: [404, 422],
    }),
    defineOperation('x.trends.characteristics', 'GET', '/x/trends/characteristics', 'Figures', {
      summary: 'One characteristic of a part over its inspections, with its limits',
      query: {
        part_id: partQuery,
        characteristic: {
          schema: z.string(),
          description: 'Name of the characteristic, as its template has it.',
          isRequired: true,
        },
        by: {
          schema: z.enum(['lot-mean', 'sample', 'first']).default('lot-mean'),
          description:
            "What one point is: the mean of a lot's samples, each sample, or the first sample of each inspection.",
        },
      },
      answer: () => successSchema(trendSchema),
      errors: [404, 422],
    }),
    defineOperation('x.trends.lab', 'GET', '/x/trends/lab', 'Figures', {
      summary: 'One measurement over lab results, with its limits',
      query: {
        part_id: {
          schema: z
            .int()
            .min(1)
            .meta({ examples: [1] }),
          description: 'Id of the part; this, or the template, or both.',
        },
        template_id: {
          schema: z.int().min(1),
          description: 'Id of the template; this, or the part, or both.',
        },
        measurement: { schema: z.string(), description: 'Name of the measurement.', isRequired: true },
      },
      answer: () => successSchema(trendSchema),
      errors: [404, 422],
    }),
  ];
}

function figureOperations() {
  const months = {
    schema: z.int().min(1).max(60).default(12),
    description: 'Months to look back, this one included; 60 at most.',
  };
  return [
    defineOperation('x.figures.stock-value', 'GET', '/x/figures/stock-value', 'Figures', {
      summary: 'Value of the stock by month and by expiry',
      query: { months },
      answer: () => successSchema(stockValueSchema),
      errors: [422],
    }),
    defineOperation('x.figures.ncrs', 'GET', '/x/figures/ncrs', 'Figures', {
      summary: 'Non-conformance reports by status, source, cause, supplier and age',
      answer: () => successSchema(ncrFiguresSchema),
    }),
    defineOperation('x.figures.suppliers', 'GET', '/x/figures/suppliers', 'Figures', {
      summary: "Suppliers' accepted share, and their lots that failed",
      query: { months },
      answer: () => successSchema(supplierFiguresSchema),
      errors: [422],
    }),
  ];
}
