import { z } from 'zod';
import type { Family } from '../contract/define-family.ts';
import { successSchema } from '../contract/envelope.ts';
import { defineOperation, jsonBody, noBody, type QuerySpec } from '../contract/operation.ts';
import { families } from '../families/registry.ts';
import { importJobSchema } from './extension-schemas.ts';
import { filterSchema } from './list-query.ts';

/** What lists can be narrowed by, so that what a list shows can be exported: of all families together. */
function selectionQuery() {
  const query: QuerySpec = {};
  for (const family of Object.values<Family>(families)) {
    for (const name of Object.keys(family.filters)) {
      query[name] = {
        schema: filterSchema(family, name),
        description: `Only records with this value, as in the family's list; of a family without the filter it is read past and named in the header Holdpoint-Ignored.`,
      };
    }
  }
  const description = "As the family's list: a part of the text, in any case.";
  const comparison = z.union([z.string(), z.record(z.string(), z.string())]);
  return {
    ...query,
    keyword: { schema: z.string(), description },
    filter: {
      schema: z.record(z.string(), comparison),
      description:
        "As the family's list: only records whose fields compare so, `filter[field]=value` or `filter[field][operator]=value`.",
      isDeep: true,
    },
  };
}

/** Import and export. An import is made, given its files, then run; it can be watched and cancelled. */
export function transferOperations() {
  const one = { id: { schema: z.string(), description: 'Id of the import', isRequired: true } };
  const job = () => successSchema(importJobSchema);
  return [
    defineOperation('x.imports.list', 'GET', '/x/imports', 'Import and export', {
      summary: 'List imports since the server started',
      answer: () => successSchema(z.array(importJobSchema)),
      scope: 'admin',
    }),
    defineOperation('x.imports.create', 'POST', '/x/imports', 'Import and export', {
      summary: 'Make an import from a mapping',
      body: jsonBody(() =>
        z.object({
          mapping: z
            .looseObject({})
            .describe('Files, families, columns and constants, as a mapping file has them.'),
          skip_bad: z.boolean().optional().describe('Take the good rows. Absent: all rows or none.'),
          dry_run: z.boolean().optional().describe('Check every row and write none.'),
        }),
      ),
      answer: job,
      success: 201,
      errors: [409, 413, 415, 422],
      scope: 'admin',
    }),
    defineOperation('x.imports.file', 'PUT', '/x/imports/{id}/files/{name}', 'Import and export', {
      summary: 'Give an import one of its files (CSV or JSON)',
      parameters: {
        ...one,
        name: { schema: z.string(), description: 'Name of the file in the mapping', isRequired: true },
      },
      body: { schema: () => z.string(), isOptional: false, limit: 2 ** 31, type: 'application/octet-stream' },
      answer: job,
      errors: [404, 409, 413, 415, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.imports.run', 'POST', '/x/imports/{id}/run', 'Import and export', {
      summary: 'Run an import; watch it with its read operation',
      parameters: one,
      body: noBody,
      answer: job,
      errors: [404, 409, 422],
      scope: 'admin',
    }),
    defineOperation('x.imports.cancel', 'POST', '/x/imports/{id}/cancel', 'Import and export', {
      summary: 'Cancel an import; what is not committed yet is not written',
      parameters: one,
      body: noBody,
      answer: job,
      errors: [404, 409],
      scope: 'admin',
    }),
    defineOperation('x.imports.read', 'GET', '/x/imports/{id}', 'Import and export', {
      summary: 'How far an import is, and its bad rows',
      parameters: one,
      answer: job,
      errors: [404],
      scope: 'admin',
    }),
    defineOperation('x.exports.read', 'GET', '/x/exports/{family}', 'Import and export', {
      summary: 'Export a family as CSV or JSON that import gives back unchanged',
      parameters: {
        family: {
          schema: z.string(),
          description: 'Family, as `supplier` or `suppliers`.',
          isRequired: true,
        },
      },
      query: {
        format: {
          schema: z.enum(['csv', 'json']),
          description: 'Form of the file; `json`, one object a line, when absent.',
        },
        items: {
          schema: z.string(),
          description: 'With `csv`: the items of this collection instead of the records.',
        },
        bom: {
          schema: z.boolean(),
          description: 'A byte order mark, by which spreadsheets know the file as UTF-8.',
        },
        ...selectionQuery(),
      },
      answerType: 'application/octet-stream',
      errors: [404, 422],
    }),
  ];
}
