import { Button, Group, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconListCheck, IconStairs } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { families } from '../../../shared/families/registry.ts';
import { useMay } from '../../api/may.ts';
import { RecordTable } from '../../record/record-table.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { NewInspection } from './new-inspection.tsx';
import { VerdictBadge, verdictKind } from './verdict-badge.tsx';

/** The verdict has a column of its own, by shape and text. */
const listed = {
  ...families.inspection,
  columns: families.inspection.columns.filter(name => name !== 'passed'),
};

/** All inspections, newest first, and the beginning of a new one; `?lot=12` begins one of that lot. */
export function Component() {
  const { t } = useTranslation('inspection');
  const may = useMay();
  const lot = Number(useSearchParams()[0].get('lot')) || null;
  const [isBeginning, begin] = useDisclosure(lot !== null);
  useHotkeys([['n', begin.open]]);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        <Group>
          <Button
            component={Link}
            to="/app/inspection/sampling"
            variant="default"
            leftSection={<IconStairs aria-hidden />}
          >
            {t('sampling')}
          </Button>
          <Button
            component={Link}
            to="/app/records/inspection-plan"
            variant="default"
            leftSection={<IconListCheck aria-hidden />}
          >
            {t('plans')}
          </Button>
          {may('inspections.create') && !isBeginning && (
            <NewButton onClick={begin.open}>{t('new')}</NewButton>
          )}
        </Group>
      </Group>
      {isBeginning && <NewInspection lot={lot} onClose={begin.close} />}
      <RecordTable
        family={listed}
        extra={[
          {
            label: t('verdict'),
            show: row => (
              <Group gap={4}>
                <VerdictBadge kind={verdictKind(row.passed)} />
                {row.is_against_measurements === true && <VerdictBadge kind="against" />}
              </Group>
            ),
          },
        ]}
      />
    </Stack>
  );
}
