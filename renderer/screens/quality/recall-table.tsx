import { Anchor, Button, Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '../../i18n/formats.ts';
import { recordPath } from '../../ui/record-path.ts';
import { Section } from '../../ui/section.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

export interface RecallColumn<Row> {
  label: string;
  show: (row: Row) => ReactNode;
  /** The record to whose page the cell leads. */
  leadsTo?: (row: Row) => [family: string, id: number | null];
  isNumber?: boolean;
}

export interface RecallTableProps<Row> {
  title: string;
  rows: readonly Row[];
  /** Where there are more than stand here. */
  total?: number | undefined;
  keyOf: (row: Row) => string | number;
  columns: readonly RecallColumn<Row>[];
}

const FIRST = 25;

/** One part of the story, with how many there are; a long one opens on demand. Nothing but the heading where there is none. */
export function RecallTable<Row>({ title, rows, total, keyOf, columns }: RecallTableProps<Row>) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, FIRST);
  const name =
    rows.length === 0
      ? t('recall.none', { title })
      : t('recall.count', { title, count: formats.number(total ?? rows.length) });
  return (
    <Section title={name} size="h3">
      {rows.length > 0 && (
        <TitledTable
          minWidth={560}
          withTableBorder
          aria-label={name}
          className="recall-table"
          columns={columns.map(({ label, isNumber }) => ({ label, ta: isNumber ? 'right' : 'left' }))}
        >
          {shown.map(row => (
            <Table.Tr key={keyOf(row)}>
              {columns.map(({ label, show, leadsTo, isNumber }) => (
                <Table.Td key={label} ta={isNumber ? 'right' : 'left'} className="typed">
                  {leadsTo ? <RecordLink record={leadsTo(row)}>{show(row)}</RecordLink> : show(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </TitledTable>
      )}
      {shown.length < rows.length && (
        <Button variant="default" mt="xs" onClick={() => setIsWhole(true)}>
          {t('recall.all', { count: rows.length })}
        </Button>
      )}
    </Section>
  );
}

/** A record of the story, which leads to its page. */
function RecordLink(props: { record: [family: string, id: number | null]; children: ReactNode }) {
  const { record, children } = props;
  const [family, id] = record;
  if (id === null) return <>{children ?? '–'}</>;
  return (
    <Anchor component={Link} to={recordPath(family, id)} className="cell-link">
      {children ?? id}
    </Anchor>
  );
}
