import { Table, type TableProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface TitledTableProps extends TableProps {
  columns: readonly (string | { label: string; ta: 'right' | 'left' })[];
  /** In pixels: where there is less room, the table scrolls sideways. */
  minWidth: number;
  /** Where there are more rows than this holds, they scroll. */
  maxHeight?: string;
  /** Nothing in it takes the focus, so that the table itself does: by the keyboard it scrolls. */
  isReadOnly?: boolean;
  /** The rows. */
  children: ReactNode;
}

/** A table with a title over each column. */
export function TitledTable({
  columns,
  minWidth,
  maxHeight,
  isReadOnly,
  children,
  ...props
}: TitledTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      {...(maxHeight !== undefined && { mah: maxHeight })}
      {...(isReadOnly && { scrollAreaProps: { viewportProps: { tabIndex: 0 } } })}
    >
      <Table {...props}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(column => {
              const { label, ...alignment } = typeof column === 'string' ? { label: column } : column;
              return (
                <Table.Th key={label} {...alignment}>
                  {label}
                </Table.Th>
              );
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
