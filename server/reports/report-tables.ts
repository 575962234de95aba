import { hash } from 'node:crypto';
import { type Column, type ColumnType, type ReportedRows, reportedFamilies } from './report-shape.ts';

/** Who may read the views, and nothing else. People and programs who read reports are members of it. */
export const REPORTS_ROLE = 'holdpoint_reports';

/** Beside the journal's own tables. */
export const REPORT_TABLES = [
  'CREATE SCHEMA IF NOT EXISTS reports',
  `CREATE TABLE IF NOT EXISTS reports.record (
    family text NOT NULL, id bigint NOT NULL, document jsonb NOT NULL, PRIMARY KEY (family, id)
  )`,
  `CREATE TABLE IF NOT EXISTS reports.place (
    name text PRIMARY KEY, revision bigint NOT NULL, cursor text NOT NULL, position bigint NOT NULL,
    is_complete boolean NOT NULL, shape text NOT NULL, at timestamp with time zone NOT NULL
  )`,
  `INSERT INTO reports.place (name, revision, cursor, position, is_complete, shape, at)
  VALUES ('central', 0, '', 0, false, '', CURRENT_TIMESTAMP) ON CONFLICT (name) DO NOTHING`,
];

export const READ_PLACE =
  "SELECT revision, cursor, position, is_complete, shape FROM reports.place WHERE name = 'central'";

/** Compares as well: without a row another process has written since, and nothing of the transaction counts. */
export const MOVE_PLACE = `
UPDATE reports.place SET revision = revision + 1, cursor = $2, position = $3::bigint, is_complete = $4, shape = $5,
  at = CURRENT_TIMESTAMP
WHERE name = 'central' AND revision = $1::bigint`;

export const PUT_RECORDS = `
INSERT INTO reports.record (family, id, document)
SELECT each.family, each.id, CAST(each.document AS jsonb)
FROM unnest($1::text[], $2::bigint[], $3::text[]) AS each (family, id, document)
ON CONFLICT (family, id) DO UPDATE SET document = excluded.document
WHERE record.document IS DISTINCT FROM excluded.document`;

export const REMOVE_RECORDS = `
DELETE FROM reports.record USING unnest($1::text[], $2::bigint[]) AS gone (family, id)
WHERE record.family = gone.family AND record.id = gone.id`;

/** Of a stretch of a family what is not there any more; without an end all after its begin. */
export const KEEP_ONLY = `
DELETE FROM reports.record
WHERE family = $1 AND id >= $2::bigint AND ($3::bigint IS NULL OR id <= $3::bigint) AND NOT (id = ANY ($4::bigint[]))`;

export const REMOVE_OTHERS = 'DELETE FROM reports.record WHERE NOT (family = ANY ($1::text[]))';

export const MADE_VIEWS =
  "SELECT table_name AS name FROM information_schema.views WHERE table_schema = 'reports'";

export const HAS_ROLE = 'SELECT 1 FROM pg_roles WHERE rolname = $1';

export interface View {
  name: string;
  create: string;
  /** One statement each. */
  comments: readonly string[];
}

/** How far the reports are; `behind` counts groups of writes, and is 0 where they have all. */
const STANDING: View = {
  name: 'standing',
  create: `CREATE VIEW reports.standing AS
SELECT place.is_complete, place.position, head.position - place.position AS behind, place.at AS changed_at
FROM reports.place, head WHERE place.name = 'central' AND head.name = 'central'`,
  comments: [
    "COMMENT ON VIEW reports.standing IS 'How far the reports are: behind counts groups of writes.'",
  ],
};

/** One for each family, one for each kind of item, and how far they are. */
export function reportViews(): View[] {
  const all = reportedFamilies().flatMap(family =>
    viewsOf(
      family,
      'reports.record',
      `record.family = '${family.family}'`,
      [{ sql: 'record.id', name: 'id', description: 'Id.' }],
      'record.document',
    ),
  );
  return [...all, STANDING];
}

/** Changes with what the views have: all is to be written again then. */
export function shapeOf(views: readonly View[]): string {
  return hash('sha256', views.map(({ create }) => create).join(';\n'));
}

interface Known {
  sql: string;
  name: string;
  description: string;
}

function viewsOf(
  rows: ReportedRows,
  from: string,
  where: string,
  ids: readonly Known[],
  document: string,
): View[] {
  const taken = new Set(ids.map(({ name }) => name));
  const columns = rows.columns.filter(({ name }) => !taken.has(name));
  const shown = [
    ...ids.map(({ sql, name }) => `${sql} AS "${name}"`),
    ...columns.map(column => `${valueIn(document, column)} AS "${column.name}"`),
  ];
  const view = `reports.${rows.view}`;
  const comments = [
    `COMMENT ON VIEW ${view} IS ${literal(rows.description)}`,
    ...[...ids, ...columns].map(
      ({ name, description }) => `COMMENT ON COLUMN ${view}."${name}" IS ${literal(description)}`,
    ),
  ];
  const create = `CREATE VIEW ${view} AS\nSELECT ${shown.join(',\n  ')}\nFROM ${from} WHERE ${where}`;
  const items = Object.entries(rows.items).flatMap(([member, each]) => {
    const value = `${member}.value`;
    const own = ids.at(-1);
    const parents = ids.slice(0, -1);
    return viewsOf(
      each,
      `${from}, jsonb_array_elements(${document} -> '${member}') AS ${member} (value)`,
      where,
      [
        ...parents,
        ...(own
          ? [{ ...own, name: rows.idColumn, description: 'The record or item that it stands in.' }]
          : []),
        { sql: `CAST(${value} ->> 'id' AS bigint)`, name: 'id', description: 'Id.' },
      ],
      value,
    );
  });
  return [{ name: rows.view, create, comments }, ...items];
}

function valueIn(document: string, { name, type }: Column): string {
  if (type === 'jsonb') return `${document} -> '${name}'`;
  const text = `${document} ->> '${name}'`;
  return type === 'text' ? text : `CAST(${text} AS ${SQL_TYPES[type]})`;
}

const SQL_TYPES: Readonly<Record<Exclude<ColumnType, 'text' | 'jsonb'>, string>> = {
  bigint: 'bigint',
  numeric: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamptz: 'timestamp with time zone',
};

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
