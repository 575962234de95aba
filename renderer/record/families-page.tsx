import { Anchor, SimpleGrid, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Family } from '../../shared/contract/define-family.ts';
import { families } from '../../shared/families/registry.ts';
import { useMay } from '../api/may.ts';
import { listOperationOf } from '../api/operations.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';

/** Every kind of record that there is. */
export function Component() {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const may = useMay();
  const shown = Object.values<Family>(families).filter(family => {
    const list = listOperationOf(family);
    return list !== undefined && may(list.id);
  });
  return (
    <Stack>
      <Title order={1}>{t('families')}</Title>
      <SimpleGrid cols={{ base: 2, md: 3, xl: 4 }} component="ul" p={0} style={{ listStyle: 'none' }}>
        {shown.map(family => (
          <li key={family.name}>
            <Anchor component={Link} to={`/app/records/${family.name}`} className="tile">
              {texts.plural(family)}
            </Anchor>
          </li>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
