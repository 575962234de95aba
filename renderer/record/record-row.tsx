import { Anchor, Checkbox, Table } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Family } from '../../shared/contract/define-family.ts';
import { FieldValue, isNumeric } from './field-value.tsx';

export type Row = Record<string, unknown>;

/** A further column of a screen of its own. */
export interface ExtraColumn {
  label: string;
  /** The field whose order is that of the column. */
  sortBy?: string;
  show: (row: Row) => ReactNode;
}

interface RecordRowProps {
  family: Family;
  row: Row;
  columns: readonly string[];
  extra: readonly ExtraColumn[];
  /** Where it leads. */
  path: string;
  titleOf: (family: string, id: unknown) => string | undefined;
  isFirst: boolean;
  /** Undefined where nothing is chosen in the list. */
  isChosen?: boolean | undefined;
  chooseLabel: string;
}

/** A record of a list. The old rows stay until the new page is there, and are not drawn again meanwhile. */
export const RecordRow = memo(function RecordRow({
  family,
  row,
  columns,
  extra,
  path,
  titleOf,
  isFirst,
  isChosen,
  chooseLabel,
}: RecordRowProps) {
  return (
    <Table.Tr tabIndex={isFirst ? 0 : -1} data-id={String(row.id)} style={{ cursor: 'pointer' }}>
      {isChosen !== undefined && (
        // The table is told of it, as of the key in the row.
        <Table.Td>
          <Checkbox checked={isChosen} readOnly tabIndex={-1} aria-label={chooseLabel} data-choose />
        </Table.Td>
      )}
      {columns.map((name, at) => {
        const field = family.fields[name];
        if (!field) return null;
        const value = <FieldValue field={field} value={row[name]} titleOf={titleOf} record={row} />;
        const isLink = at === 0 && field.kind !== 'reference';
        return (
          <Table.Td key={name} ta={isNumeric(field) ? 'right' : 'left'}>
            {isLink ? (
              // The row itself is the stop for the keyboard.
              <Anchor component={Link} to={path} tabIndex={-1} className="cell-link" inherit>
                {value}
              </Anchor>
            ) : (
              value
            )}
          </Table.Td>
        );
      })}
      {extra.map(({ label, show }) => (
        <Table.Td key={label}>{show(row)}</Table.Td>
      ))}
    </Table.Tr>
  );
});
