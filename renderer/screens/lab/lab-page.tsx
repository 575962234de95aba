import { Button, Group, Stack, Title } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../shared/families/registry.ts';
import { useMay } from '../../api/may.ts';
import { RecordTable } from '../../record/record-table.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { EnterResult } from './enter-result.tsx';
import { ImportResults } from './import-results.tsx';
import { LabVerdict } from './lab-verdict.tsx';

/** All lab results, newest first; entering one, and taking many from an instrument's file. */
export function Component() {
  const { t } = useTranslation('lab');
  const may = useMay();
  const [action, setAction] = useState<'enter' | 'import' | null>(null);
  const close = () => setAction(null);
  useHotkeys([['n', () => setAction('enter')]]);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        {action === null && (
          <Group>
            {may('lab-results.create') && (
              <NewButton onClick={() => setAction('enter')}>{t('new')}</NewButton>
            )}
            {may('x.lab-results.import') && (
              <Button
                variant="default"
                leftSection={<IconFileImport aria-hidden />}
                onClick={() => setAction('import')}
              >
                {t('import')}
              </Button>
            )}
          </Group>
        )}
      </Group>
      {action === 'enter' && <EnterResult onClose={close} />}
      {action === 'import' && <ImportResults onClose={close} />}
      <RecordTable
        family={families['lab-result']}
        extra={[{ label: t('verdict'), show: row => <LabVerdict row={row} /> }]}
      />
    </Stack>
  );
}
