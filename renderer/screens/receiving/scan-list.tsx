import { Badge, Group } from '@mantine/core';
import { IconAlertOctagon, IconCheck, IconClock, IconHelpCircle, IconX } from '@tabler/icons-react';
import { memo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueuedScan } from '../../../shared/scanner/queue.ts';
import type { Done, Scanned, Scans } from './desk-terms.ts';
import { useScanWords } from './scan-words.ts';

const SHOWN = 3;
const looks = {
  waiting: { color: 'gray.7', icon: IconClock },
  working: { color: 'blue.7', icon: IconClock },
  taken: { color: 'green.9', icon: IconCheck },
  question: { color: 'yellow.9', icon: IconHelpCircle },
  refused: { color: 'red.9', icon: IconAlertOctagon },
  failed: { color: 'red.9', icon: IconX },
  undoing: { color: 'gray.7', icon: IconClock },
  undone: { color: 'gray.7', icon: IconX },
} as const;

/** The last scans and how each has ended: each is on screen as soon as its last key. */
export const ScanList = memo(function ScanList({ scans }: { scans: Scans }) {
  const { t } = useTranslation('receiving');
  const entries = useSyncExternalStore(scans.subscribe, scans.entries);
  const shown = entries.slice(-SHOWN).toReversed();
  const words = useScanWords(shown.map(({ result }) => result?.verdict.details.part));
  if (shown.length === 0) return null;
  return (
    <Group gap="xs" wrap="nowrap" className="scan-log" role="log" aria-label={t('scans')}>
      {shown.map(entry => {
        const standing = standingOf(entry);
        const { color, icon: Icon } = looks[standing];
        return (
          <Badge
            key={entry.id}
            size="lg"
            variant="default"
            leftSection={
              <Icon size={16} aria-hidden color={`var(--mantine-color-${color.replace('.', '-')})`} />
            }
            maw="13rem"
          >
            {t('scan', {
              text: words.told(entry.input.text, entry.result?.verdict.details ?? {}),
              status: t(`scan.${standing}`),
            })}
          </Badge>
        );
      })}
    </Group>
  );
});

function standingOf({ status, result }: QueuedScan<Scanned, Done>): keyof typeof looks {
  return status === 'done' ? (result?.verdict.outcome ?? 'taken') : status;
}
