import type { LabImportRequest } from '../../../shared/operations/lab-import.ts';

type Delimiter = NonNullable<LabImportRequest['delimiter']>;

export interface CsvHead {
  delimiter: Delimiter;
  hasDecimalComma: boolean;
  columns: string[];
}

const DELIMITERS: readonly Delimiter[] = ['\t', ';', ','];

/**
 * What a file looks like by its first lines, as a proposal that a person can change: the delimiter that cuts the first
 * line most, and a decimal comma where numbers have one and no commas cut.
 */
export function readHead(csv: string): CsvHead {
  const [first = '', ...lines] = csv.replace(/^\uFEFF/, '').split(/\r?\n/, 20);
  const [delimiter = ','] = DELIMITERS.toSorted(
    (one, other) => first.split(other).length - first.split(one).length,
  );
  return {
    delimiter,
    hasDecimalComma: delimiter !== ',' && lines.some(line => /\d,\d/.test(line)),
    columns: columnsOf(first, delimiter),
  };
}

export function columnsOf(csv: string, delimiter: string): string[] {
  const [first = ''] = csv.replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  return first
    .split(delimiter)
    .map(name =>
      name
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('""', '"'),
    )
    .filter(Boolean);
}

/** A column's meaning: a measurement's name behind this, or one of the fields below. */
export const MEASURES = 'measures:';
export const columnFields = ['batch_number', 'testing_id', 'testing_date', 'inspector_name'] as const;

const USUAL: Record<(typeof columnFields)[number], RegExp> = {
  batch_number: /^(batch|lot|charge|los)([ _-]?(number|no|nr|nummer))?\.?$/i,
  testing_id: /^(test(ing)?|analysis|sample|prüf|analyse|proben?)[ _-]?(id|number|no|nr|nummer)\.?$/i,
  testing_date: /^(test(ing)?[ _-]?)?(date|datum|day|tag)$/i,
  inspector_name: /^(inspector([ _-]?name)?|operator|analyst|user|prüfer|bediener)$/i,
};

/** What the columns probably mean, by their names. */
export function guessMeanings(
  columns: readonly string[],
  measurements: readonly string[],
): Record<string, string> {
  const taken = new Set<string>();
  return Object.fromEntries(
    columns.flatMap(column => {
      const measurement = measurements.find(name => name.toLowerCase() === column.toLowerCase());
      const field = columnFields.find(name => USUAL[name].test(column));
      const meaning = measurement === undefined ? field : MEASURES + measurement;
      if (meaning === undefined || taken.has(meaning)) return [];
      taken.add(meaning);
      return [[column, meaning]];
    }),
  );
}

/** The request's `columns` and `measurements`, from what each column was said to mean. */
export function mappingOf(
  meanings: Record<string, string>,
): Pick<LabImportRequest, 'columns' | 'measurements'> {
  const entries = Object.entries(meanings);
  return {
    columns: Object.fromEntries(
      entries.flatMap(([column, meaning]) => (meaning.startsWith(MEASURES) ? [] : [[meaning, column]])),
    ),
    measurements: Object.fromEntries(
      entries.flatMap(([column, meaning]) =>
        meaning.startsWith(MEASURES) ? [[column, meaning.slice(MEASURES.length)]] : [],
      ),
    ),
  };
}
