import { Button, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

interface Revocable {
  id: number;
  name: string;
  revoked_at?: string | null;
}

export interface RevocableTableProps<Row extends Revocable> {
  label: string;
  rows: readonly Row[];
  /** What stands between the name and the state. */
  columns: { label: string; show: (row: Row) => ReactNode; isTyped?: boolean }[];
  nameLabel: string;
  /** The operation that revokes a row by its id. */
  operation: 'x.stations.revoke' | 'x.enrolment-codes.revoke' | 'x.tokens.revoke';
  /** What the second press says; undefined where something is asked first. */
  sure?: string;
  /** Asks what there is to ask, in the place of a second press. */
  onRevoke?: (row: Row) => void;
  minWidth: number;
}

/** Tokens, codes and stations: what was given out, and taking it back by a second press. */
export function RevocableTable<Row extends Revocable>(props: RevocableTableProps<Row>) {
  const { label, rows, columns, nameLabel, operation, sure = '', onRevoke, minWidth } = props;
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const revoke = useWrite(operation);
  return (
    <>
      <Failure error={revoke.error} />
      <TitledTable
        minWidth={minWidth}
        verticalSpacing="xs"
        aria-label={label}
        columns={[nameLabel, ...columns.map(column => column.label), t('token.revocation')]}
      >
        {rows.map(row => (
          <Table.Tr key={row.id}>
            <Table.Td className="typed">{row.name}</Table.Td>
            {columns.map(column => (
              <Table.Td key={column.label} {...(column.isTyped && { className: 'typed' })}>
                {column.show(row)}
              </Table.Td>
            ))}
            <Table.Td>
              {row.revoked_at ? (
                t('token.revoked', { at: formats.moment(row.revoked_at) })
              ) : onRevoke ? (
                <Button
                  variant="default"
                  aria-label={t('token.revoke.named', { name: row.name })}
                  onClick={() => onRevoke(row)}
                >
                  {t('token.revoke')}
                </Button>
              ) : (
                <ConfirmButton
                  label={t('token.revoke')}
                  named={t('token.revoke.named', { name: row.name })}
                  sure={sure}
                  onSure={() => revoke.mutate({ params: { id: row.id }, body: {} })}
                />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </TitledTable>
    </>
  );
}
