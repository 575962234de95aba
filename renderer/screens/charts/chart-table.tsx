import { Anchor, Table } from '@mantine/core';
import { Link } from 'react-router';

export interface Cell {
  /** As it is written to CSV. */
  value: string | number | null;
  /** As a person reads it; the value itself where it is left out. */
  shown?: string;
  /** Where it leads. */
  path?: string;
}

/** What a picture shows, as rows: for those who do not see it, and for spreadsheets. */
export interface ChartTable {
  columns: readonly { label: string; isNumber?: boolean }[];
  rows: readonly (readonly Cell[])[];
}

/** What a column says of a row. */
export type ChartColumn<Row> = readonly [label: string, cell: (row: Row) => Cell, isNumber?: 'number'];

export function tableOf<Row>(rows: readonly Row[], columns: readonly ChartColumn<Row>[]): ChartTable {
  return {
    columns: columns.map(([label, , kind]) => ({ label, isNumber: kind === 'number' })),
    rows: rows.map(row => columns.map(([, cell]) => cell(row))),
  };
}

export function DataTable({ caption, table }: { caption: string; table: ChartTable }) {
  const { columns, rows } = table;
  const alignment = (at: number) => (columns[at]?.isNumber ? 'number' : undefined);
  return (
    <Table.ScrollContainer
      minWidth={480}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={caption}
      data-chart-table
    >
      <Table verticalSpacing="xs" aria-label={caption}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ label }, at) => (
              <Table.Th key={label} scope="col" className={alignment(at)}>
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, number) => (
            // Rows are points in their order, which is what tells them apart.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <Table.Tr key={number}>
              {row.map((cell, at) => (
                <Table.Td key={columns[at]?.label} className={alignment(at)}>
                  <CellContent {...cell} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function CellContent({ value, shown, path }: Cell) {
  const text = shown ?? String(value ?? '–');
  if (path === undefined) return <span className="typed">{text}</span>;
  return (
    <Anchor component={Link} to={path} className="typed">
      {text}
    </Anchor>
  );
}
