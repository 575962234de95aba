import { Alert, Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

export interface ShownOnceProps {
  title: string;
  /** The secret, large, and never again after this. */
  secret: string;
  children: ReactNode;
  onClose: () => void;
}

/** What is told this once: a secret to be copied, or read out to somebody. */
export function ShownOnce({ title, secret, children, onClose }: ShownOnceProps) {
  const { t } = useTranslation('setup');
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => panel.current?.focus(), []);
  return (
    <Alert color="blue" variant="light" title={title} role="status" ref={panel} tabIndex={-1}>
      <Stack gap="sm" align="start">
        <Text component="code" ff="monospace" size="xl" fw={700} className="typed" data-secret>
          {secret}
        </Text>
        <Text>{children}</Text>
        <Group>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button
                onClick={copy}
                leftSection={copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
              >
                <span aria-live="polite">{t(copied ? 'copied' : 'copy')}</span>
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {t('shown.done')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
