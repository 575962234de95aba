import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';

export function MissingPage() {
  const { t } = useTranslation('app');
  const { pathname } = useLocation();
  return (
    <Stack p={pathname.startsWith('/app/') ? 0 : 'lg'}>
      <Title order={1}>{t('missing.title')}</Title>
      <Text className="typed">{t('missing.text', { path: pathname })}</Text>
      <Anchor component={Link} to="/app">
        {t('missing.home')}
      </Anchor>
    </Stack>
  );
}
