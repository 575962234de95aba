import { RowSpool } from '../store/row-spool.ts';
import { cellOf, keyText, type Notation, type PlacedRow, plainText } from './column-value.ts';
import { csvRows, type RowReading, type SourceRow } from './csv-rows.ts';
import type { BadRow } from './fault.ts';
import type { ImportFile } from './file-text.ts';
import type { ImportRow } from './import-row.ts';
import { jsonRows } from './json-rows.ts';
import { mapRow } from './map-row.ts';
import { filesOf, type Mapping, optionsOf } from './mapping.ts';
import { columnsRead, type HoldpointPlan, type MappedPlan, planImport, type StepPlan } from './plan.ts';
import { readWholeRow } from './whole-row.ts';

export interface StepReader {
  plans: readonly StepPlan[];
  /** By file: the columns that no step reads, of the files read so far. */
  unmappedColumns(): Record<string, string[]>;
  /** Reads a step's files from the beginning. Null for a row that was read and gives no record of its own. */
  rows(index: number): AsyncGenerator<ImportRow | null>;
  /** Before the files are read once more. */
  again(): void;
  close(): void;
}

export interface StepReaderOptions {
  mapping: Mapping;
  files: readonly ImportFile[];
  /** A file for what must be put aside. */
  spoolFile: string;
  /** The site's time zone, for moments that are given for days. */
  siteZone: string;
  onBad: (faults: BadRow[]) => void;
}

/**
 * Reads the files of an import step by step: row after row as it is mapped, with the rows of its items, in memory that
 * does not grow with the files. It knows no records; what depends on them is the write gate's to say.
 */
export function createStepReader({
  mapping,
  files,
  spoolFile,
  siteZone,
  onBad,
}: StepReaderOptions): StepReader {
  const plans = planImport(mapping);
  const spool = new RowSpool(spoolFile);
  const columnsOfFile = new Map<string, readonly string[]>();
  const spooled = new Set<string>();
  const notations = new Map<string, Notation>(
    filesOf(mapping).map(file => [file, notationOf(mapping, file)]),
  );
  const notation = (file: string): Notation => notations.get(file) ?? { no_value: [''] };

  function sourceRows(plan: StepPlan, name: string): AsyncGenerator<SourceRow> {
    const file = files.find(each => each.name === name);
    if (!file) throw new Error(`The import has no file ${name}.`);
    const reading: RowReading = {
      file,
      options: optionsOf(mapping, name),
      needed: columnsRead(plan, name),
      onColumns: columns => columnsOfFile.set(name, columns),
      onBadRow: (line, message) => onBad([{ file: name, line, column: null, value: null, message }]),
    };
    return isCsv(mapping, name) ? csvRows(reading) : jsonRows(reading);
  }

  /** Puts the rows of a second file aside, once for both readings. */
  async function* putAside(
    plan: StepPlan,
    list: string,
    file: string,
    keyOf: (row: SourceRow) => string | null,
  ) {
    if (spooled.has(list)) return;
    spooled.add(list);
    for await (const row of sourceRows(plan, file)) {
      const key = keyOf(row);
      if (key !== null) spool.put(list, key, row.line, JSON.stringify(row.values));
      yield null;
    }
  }

  function* withoutRecord(list: string, file: string, owner: string): Generator<null> {
    for (const { line, key } of spool.unseen(list)) {
      const value = plainKey(key);
      const message = `There is no row with the key ${value} in ${owner}. Add it there, or take this row out.`;
      onBad([{ file, line, column: null, value, message }]);
      yield null;
    }
  }

  const take = (list: string, key: string): PlacedRow[] =>
    spool
      .take(list, key)
      .map(({ line, data }, index) => ({ line, values: JSON.parse(data), index: index + 1 }));

  async function* mappedRows(plan: MappedPlan, step: string): AsyncGenerator<ImportRow | null> {
    const { file, family } = plan;
    const ownFiles = plan.items.flatMap(item =>
      item.file ? [{ ...item.file, list: `${step}.${item.name}` }] : [],
    );
    for (const { name, belongsTo, list } of ownFiles) {
      yield* putAside(plan, list, name, row => keyIn(row, belongsTo, name, notation(name), onBad));
    }
    let index = 0;
    for await (const source of sourceRows(plan, file)) {
      index += 1;
      const row: PlacedRow = { ...source, index };
      const { no_value: noValue } = notation(file);
      const isLeftOut = Object.entries(plan.leaveOut).some(([column, texts]) =>
        texts.includes(shownCell(row, column)),
      );
      const columns = plan.key.length > 0 ? plan.key : (plan.match?.columns ?? []);
      const key = keyText(row, columns, noValue);
      if (key !== null) for (const { list } of ownFiles) spool.see(list, key, row.line);
      const earlier =
        isLeftOut || key === null || columns.length === 0 ? undefined : spool.see(step, key, row.line);
      if (isLeftOut || (earlier !== undefined && plan.isDistinct)) {
        yield null;
        continue;
      }
      if (earlier !== undefined) {
        const message = `Line ${earlier} has the same key. Give each ${family.title.toLowerCase()} one row, or set "distinct" in the mapping to take the first.`;
        onBad([{ file, line: row.line, column: columns[0] ?? null, value: plainKey(key ?? ''), message }]);
        yield null;
        continue;
      }
      const mapped = mapRow(plan, row, {
        notationOf: notation,
        siteZone,
        rowsOf: (item, of) => take(`${step}.${item.name}`, of),
      });
      if (Array.isArray(mapped)) onBad(mapped);
      yield Array.isArray(mapped) ? null : mapped;
    }
    for (const { list, name } of ownFiles) yield* withoutRecord(list, name, file);
  }

  async function* wholeRows(plan: HoldpointPlan, step: string): AsyncGenerator<ImportRow | null> {
    const listOf = (item: string) => `${step}.${item}`;
    for (const item of plan.items) {
      yield* putAside(plan, listOf(item.name), item.file, row => plainText(row.values.record));
    }
    for await (const row of sourceRows(plan, plan.file)) {
      const id = row.values.id;
      const hasId = id !== undefined && id !== null && id !== '';
      const key = plainText(id);
      for (const item of plan.items) if (hasId) spool.see(listOf(item.name), key, row.line);
      const earlier = hasId ? spool.see(step, key, row.line) : undefined;
      const read =
        earlier === undefined
          ? readWholeRow(plan, row, {
              isCsv: isCsv(mapping, plan.file),
              siteZone,
              itemRows: (item, record) => take(listOf(item.name), record),
            })
          : [
              {
                file: plan.file,
                line: row.line,
                column: 'id',
                value: key,
                message: `Line ${earlier} has the same id. Give each record one row.`,
              },
            ];
      if (Array.isArray(read)) onBad(read);
      yield Array.isArray(read) ? null : read;
    }
    for (const item of plan.items) yield* withoutRecord(listOf(item.name), item.file, plan.file);
  }

  return {
    plans,
    rows(index) {
      const plan = plans[index];
      if (!plan) throw new RangeError(`The mapping has no step ${index}.`);
      const step = `step ${index}`;
      return plan.form === 'mapped' ? mappedRows(plan, step) : wholeRows(plan, step);
    },
    unmappedColumns: () => unmappedColumns(mapping, plans, columnsOfFile),
    again: () => spool.forgetSeen(),
    close: () => spool.close(),
  };
}

function notationOf(mapping: Mapping, file: string): Notation {
  const { no_value, date, zone, number } = optionsOf(mapping, file);
  return { no_value, date, zone, number };
}

function isCsv(mapping: Mapping, file: string): boolean {
  const { format } = optionsOf(mapping, file);
  return format === undefined ? !/\.(json|jsonl|ndjson)$/i.test(file) : format === 'csv';
}

function keyIn(
  row: SourceRow,
  columns: readonly string[],
  file: string,
  notation: Notation,
  onBad: (faults: BadRow[]) => void,
): string | null {
  const key = keyText(row, columns, notation.no_value);
  const message = `The row does not say which record it belongs to (${columns.join(', ')}). Give the key of the record.`;
  if (key === null) onBad([{ file, line: row.line, column: columns[0] ?? null, value: null, message }]);
  return key;
}

function unmappedColumns(
  mapping: Mapping,
  plans: readonly StepPlan[],
  columnsOfFile: ReadonlyMap<string, readonly string[]>,
): Record<string, string[]> {
  const entries = [...columnsOfFile].map(([file, columns]) => {
    const ignored = optionsOf(mapping, file).ignore ?? [];
    const read = plans.flatMap(plan => (plan.form === 'mapped' ? columnsRead(plan, file) : columns));
    const isRead = (column: string) => read.some(name => name === column || name.startsWith(`${column}.`));
    return [file, columns.filter(column => !isRead(column) && !ignored.includes(column))] as const;
  });
  return Object.fromEntries(entries.filter(([, columns]) => columns.length > 0));
}

function shownCell(row: PlacedRow, column: string): string {
  const cell = cellOf(row, column, []);
  return cell === null ? '' : plainText(cell).trim();
}

/** A key as people read it: `["10248"]` is 10248. */
function plainKey(key: string): string {
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts) ? parts.join(', ') : key;
  } catch {
    return key;
  }
}
