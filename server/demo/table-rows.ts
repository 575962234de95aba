/**
 * The rows of a table that stands as text, a row a line and `|` between its cells, as records by the names of its columns.
 * @throws Error where a row has more or fewer cells than there are columns
 */
export function tableRows<const Column extends string>(
  columns: readonly Column[],
  text: string,
): Record<Column, string>[] {
  const lines = text.trim().split('\n');
  return lines.map(line => {
    const cells = line.split('|').map(cell => cell.trim());
    if (cells.length !== columns.length)
      throw new Error(`A row of the sample company has ${cells.length} of ${columns.length} cells: ${line}`);
    return Object.fromEntries(columns.map((column, at) => [column, cells[at]])) as Record<Column, string>;
  });
}
