import { Alert, Badge, Group } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { memo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { commandOf, withoutSymbology } from './commands.ts';
import type { Scans } from './use-receiving.ts';

const SHOWN = 5;
const looks = {
  waiting: { color: 'gray', icon: IconClock },
  working: { color: 'blue', icon: IconClock },
  done: { color: 'green.9', icon: IconCheck },
  failed: { color: 'red', icon: IconX },
  undoing: { color: 'gray', icon: IconClock },
  undone: { color: 'gray', icon: IconX },
} as const;

/** The last scans and what became of them: each is on screen as soon as its last key. */
export const ScanList = memo(function ScanList({ scans }: { scans: Scans }) {
  const { t } = useTranslation('receiving');
  const entries = useSyncExternalStore(scans.subscribe, scans.entries);
  if (entries.length === 0) return null;
  const nameOf = (input: string) => {
    const command = commandOf(input);
    return command ? t(`command.${command}`) : withoutSymbology(input).replaceAll('\u001d', ' ');
  };
  return (
    <>
      <Group gap="xs" role="log" aria-label={t('scans')}>
        {entries
          .slice(-SHOWN)
          .toReversed()
          .map(({ id, input, status }) => {
            const { color, icon: Icon } = looks[status];
            return (
              <Badge
                key={id}
                size="lg"
                variant="outline"
                color={color}
                leftSection={<Icon size={16} aria-hidden />}
                maw="100%"
              >
                {t('scan', { text: nameOf(input), status: t(`scan.${status}`) })}
              </Badge>
            );
          })}
      </Group>
      {entries.some(({ status }) => status === 'failed') && (
        <Alert color="red" variant="light" role="alert">
          {t('scan.failed')}
        </Alert>
      )}
    </>
  );
});
