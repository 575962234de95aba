import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCloudOff, IconPencil } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../ui/failure.tsx';
import type { Counts } from './cell-store.ts';
import type { RowSaver } from './row-saver.ts';
import type { Cells } from './use-cells.ts';

export function useCounts({ store }: Cells): Counts {
  return useSyncExternalStore(store.subscribe('counts'), store.counts);
}

/** What is missing and what is outside of its limits, and whether everything is saved. */
export function CountsBar({ cells }: { cells: Cells }) {
  const { t } = useTranslation('inspection');
  const counts = useCounts(cells);
  const { missing, outside, unreadable, unjudged, failingSamples, samples } = counts;
  return (
    <>
      <Group gap="lg" role="group" aria-label={t('counts')}>
        <Text>{t('count.samples', { count: samples })}</Text>
        <Figure isGood={missing === 0} text={t('count.missing', { count: missing })} />
        <Figure isGood={outside === 0} text={t('count.outside', { count: outside })} />
        <Figure isGood={failingSamples === 0} text={t('count.failing', { count: failingSamples })} />
        {unreadable > 0 && <Figure isGood={false} text={t('count.unreadable', { count: unreadable })} />}
        {unjudged > 0 && <Figure isGood={false} text={t('count.unjudged', { count: unjudged })} />}
        <SavedState cells={cells} />
      </Group>
      <SavingFailure saver={cells.saver} />
    </>
  );
}

function Figure({ isGood, text }: { isGood: boolean; text: string }) {
  const Icon = isGood ? IconCheck : IconAlertTriangle;
  return (
    <Group gap={4} wrap="nowrap">
      <Icon size={20} aria-hidden />
      <Text fw={isGood ? 400 : 700}>{text}</Text>
    </Group>
  );
}

const phaseIcons = {
  saved: IconCheck,
  typed: IconPencil,
  due: IconAlertTriangle,
  saving: IconPencil,
  away: IconCloudOff,
  failed: IconAlertTriangle,
};

function SavedState({ cells: { saver, ask } }: { cells: Cells }) {
  const { t } = useTranslation('inspection');
  const { phase } = useSyncExternalStore(saver.subscribe, saver.state);
  const Icon = phaseIcons[phase];
  return (
    <Group gap="sm" ms="auto">
      <Group gap={4} wrap="nowrap" role="status">
        <Icon size={20} aria-hidden />
        <Text fw={phase === 'failed' || phase === 'due' ? 700 : 400}>{t(`saver.${phase}`)}</Text>
      </Group>
      {phase === 'due' && (
        <Button variant="default" onClick={() => ask(true)}>
          {t('correct.why')}
        </Button>
      )}
    </Group>
  );
}

function SavingFailure({ saver }: { saver: RowSaver }) {
  const { phase, failure } = useSyncExternalStore(saver.subscribe, saver.state);
  if (phase !== 'failed') return null;
  return <Failure error={failure} onRetry={() => void saver.flush().catch(() => {})} />;
}
