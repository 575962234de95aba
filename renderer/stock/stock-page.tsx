import { Button, Group, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { families } from '../../shared/families/registry.ts';
import { useMay } from '../api/may.ts';
import { RecordTable } from '../record/record-table.tsx';

/** All lots. A scan of a lot's or part's label opens it from here as from everywhere. */
export function Component() {
  const { t } = useTranslation('stock');
  const may = useMay();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        {may('x.inventory.create') && (
          <Button
            component={Link}
            to="/app/records/inventory/new"
            variant="default"
            leftSection={<IconPlus aria-hidden />}
          >
            {t('opening')}
          </Button>
        )}
      </Group>
      <RecordTable family={families.inventory} />
    </Stack>
  );
}
