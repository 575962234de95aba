import { isObject } from '../../support/expect-shape.ts';
import { firstDifference } from './first-difference.ts';
import type { StationInProcess } from './station-in-process.ts';
import type { StoredFile } from './stored-file.ts';

/** By path, the whole text of each answer. */
export type Answers = ReadonlyMap<string, { status: number; text: string }>;

const LISTS = [
  '/suppliers',
  '/ncrs',
  '/orders',
  '/parts',
  '/x/shipments',
  '/receiving-inspections',
  '/inventory',
  '/x/companies',
];

/** Every record by itself and with its history, every page of the lists, searches, sums and stock. */
export function pathsOf({ records }: StoredFile): string[] {
  return [
    ...LISTS.flatMap(list => [1, 2, 3].map(page => `${list}?per_page=25&page=${page}`)),
    ...records.flatMap(({ family, id }) => [`/x/records/${family}/${id}`, `/x/history/${family}/${id}`]),
    ...searches(records),
    '/orders?keyword=OR-',
    '/ncrs?status=open&per_page=100',
    '/inventory/1',
    '/inventory/1/locations',
    '/x/inventory/1/facts',
    '/x/settings',
    '/status',
  ];
}

/** Searches that find one record each. */
function searches(records: StoredFile['records']): string[] {
  return records.flatMap(({ family, fields }) => {
    if (family === 'supplier') return [`/suppliers?keyword=${fields.name}`];
    return family === 'ncr' ? [`/ncrs?keyword=${fields.ncr_number}`] : [];
  });
}

export async function everyAnswer(station: StationInProcess, paths: readonly string[]): Promise<Answers> {
  const answers = new Map<string, { status: number; text: string }>();
  for (const path of paths) answers.set(path, await station.get(path));
  return answers;
}

/** A 404 for what is there is as wrong as another value; only an error of the server's refuses. */
export function judge(truth: Answers, answers: Answers): { wrong: string[]; refused: string[] } {
  const result: { wrong: string[]; refused: string[] } = { wrong: [], refused: [] };
  for (const [path, { status, text }] of answers) {
    const expected = truth.get(path);
    if (expected?.status === status && expected.text === text) continue;
    if (status >= 500) result.refused.push(`${path} ${status} ${codeOf(text)}`);
    else result.wrong.push(`${path} ${status}: ${firstDifference(expected?.text ?? '', text)}`);
  }
  return result;
}

function codeOf(text: string): string {
  const body: unknown = JSON.parse(text);
  return isObject(body) ? String(body.code) : '';
}
