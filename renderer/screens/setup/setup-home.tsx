import { Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay } from '../../api/may.ts';
import { SampleCompany } from './sample-company.tsx';
import type { Section } from './sections.tsx';

/** What there is to set up, in words. */
export function SetupHome({ offered }: { offered: readonly Section[] }) {
  const { t } = useTranslation('setup');
  const may = useMay();
  return (
    <Stack>
      <Title order={1}>{t('title')}</Title>
      {may('x.sample-company.create') && <SampleCompany />}
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} component="ul" p={0} style={{ listStyle: 'none' }}>
        {offered.map(({ name, icon: Icon }) => (
          <li key={name}>
            <Anchor component={Link} to={`/app/setup/${name}`} className="tile" h="100%">
              <Icon aria-hidden size={32} style={{ flex: 'none', marginRight: '1rem' }} />
              <span>
                <Text span fw={700} display="block">
                  {t(`section.${name}`)}
                </Text>
                <Text span size="sm" c="dimmed">
                  {t(`about.${name}`)}
                </Text>
              </span>
            </Anchor>
          </li>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
