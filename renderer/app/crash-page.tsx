import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';

/** A fault of a screen: says so, and the way on. What was typed is kept as a draft. */
export function CrashPage() {
  const { t } = useTranslation('app');
  const error = useRouteError();
  return (
    <Stack p="lg" role="alert" maw="45rem">
      <Title order={1}>{t('crash.title')}</Title>
      <Text>{t('crash.text')}</Text>
      <Code block>{error instanceof Error ? error.message : String(error)}</Code>
      <Group>
        <Button onClick={() => window.location.reload()}>{t('crash.again')}</Button>
        <Button variant="default" component="a" href="/app">
          {t('crash.home')}
        </Button>
      </Group>
    </Stack>
  );
}
