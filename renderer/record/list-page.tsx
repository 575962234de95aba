import { Button, Group, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { familyOf } from '../../shared/families/registry.ts';
import { useMay } from '../api/may.ts';
import { listOperationOf, operationOf } from '../api/operations.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { MissingPage } from '../ui/missing-page.tsx';
import { RecordTable } from './record-table.tsx';

/** All records of a family. */
export function Component() {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const may = useMay();
  const family = familyOf(useParams().family ?? '');
  if (!family || !listOperationOf(family)) return <MissingPage />;
  const create = operationOf(family, 'create');
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{texts.plural(family)}</Title>
        {create && may(create.id) && (
          <Button
            component={Link}
            to={`/app/records/${family.name}/new`}
            leftSection={<IconPlus aria-hidden />}
          >
            {t('create', { family: texts.title(family) })}
          </Button>
        )}
      </Group>
      <RecordTable key={family.name} family={family} />
    </Stack>
  );
}
