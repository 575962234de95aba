import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconFileSpreadsheet, IconPhotoDown, IconTable } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { chartCsv } from './chart-csv.ts';
import { chartPicture } from './chart-picture.ts';
import { type ChartTable, DataTable } from './chart-table.tsx';

export interface ChartFigureProps {
  title: string;
  /** What must be known to read the picture: how many, which choice, what is left out. */
  notes: readonly string[];
  /** Of the files, without ending. */
  fileName: string;
  table: ChartTable;
  /** The drawings (`.chart-drawing`) and their legend. */
  children: ReactNode;
}

/** A picture with its heading, its table, and both as files. Whoever shows tables once, has them with every picture. */
export function ChartFigure({ title, notes, fileName, table, children }: ChartFigureProps) {
  const { t } = useTranslation('charts');
  const figure = useRef<HTMLElement>(null);
  const heading = useId();
  const tableId = useId();
  const [failure, setFailure] = useState<unknown>(null);
  const [isShown, setIsShown] = useLocalStorage({
    key: 'holdpoint.charts.table',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const savePicture = async () => {
    if (!figure.current) return;
    setFailure(null);
    try {
      saveFile(await chartPicture(figure.current), `${fileName}.png`);
    } catch (error) {
      setFailure(error);
    }
  };
  const nameOf = (key: string) => t('export.of', { action: t(key), title });
  return (
    <figure ref={figure} className="chart" aria-labelledby={heading} style={{ margin: 0 }}>
      <Stack gap="sm">
        <Stack gap={2}>
          <Title order={2} id={heading} size="h3" className="typed">
            {title}
          </Title>
          {notes.map(note => (
            <Text key={note} className="chart-note typed">
              {note}
            </Text>
          ))}
        </Stack>
        {children}
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconTable aria-hidden />}
            aria-expanded={isShown}
            aria-controls={tableId}
            onClick={() => setIsShown(!isShown)}
          >
            {t(isShown ? 'table.hide' : 'table.show')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconPhotoDown aria-hidden />}
            aria-label={nameOf('png')}
            onClick={() => void savePicture()}
          >
            {t('png')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconFileSpreadsheet aria-hidden />}
            aria-label={nameOf('csv')}
            onClick={() => saveFile(chartCsv(table), `${fileName}.csv`)}
          >
            {t('csv')}
          </Button>
        </Group>
        <Failure error={failure} />
        <div id={tableId}>{isShown && <DataTable caption={title} table={table} />}</div>
      </Stack>
    </figure>
  );
}
