import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useTitles } from '../../api/titles.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useCamera } from '../../ui/scan/camera/use-camera.tsx';
import { commandOf } from '../../ui/scan/commands.ts';
import { MuteButton, ScanFact, ScanVerdict } from '../../ui/scan/scan-verdict.tsx';
import { signal, useMute } from '../../ui/scan/signal.ts';
import { amount, isBegun, isComplete, nameOfSerial } from './line.ts';
import { ScanList } from './scan-list.tsx';
import { useScanWords } from './scan-words.ts';
import type { Receiving } from './use-receiving.ts';

interface ScanPanelProps {
  receiving: Receiving;
  isClosed: boolean;
  isTyping: boolean;
  onType: () => void;
}

/** What was scanned last, to be read from two metres: how it ended, in colour and in words, and the line as it stands now. */
export function ScanPanel({ receiving, isClosed, isTyping, onType }: ScanPanelProps) {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const quantity = useQuantity();
  const { next, scans, desk, acts, bestBefore } = receiving;
  // What a scan has begun is seen before the line that it ends is saved.
  const line = next ?? receiving.line;
  const verdict = next ? null : receiving.verdict;
  const isSending = receiving.isSending || next !== null;
  const words = useScanWords([line.part, verdict?.details.part]);
  const titleOf = useTitles(line.location === null ? [] : [`location:${line.location}`]);
  const hasScanned = useSyncExternalStore(scans.subscribe, () => scans.entries().length > 0);
  const mute = useMute();
  const camera = useCamera();
  const { isMuted } = mute;

  const told = useRef(verdict);
  useEffect(() => {
    if (verdict === null) return;
    if (told.current !== verdict) signal(verdict.outcome, isMuted);
    told.current = verdict;
  }, [verdict, isMuted]);

  const { accepted, rejected } = line;
  const serials = line.scanned.serials.map(nameOfSerial);
  return (
    <section className="scan-panel" data-outcome={verdict?.outcome} aria-label={t('scan:panel')}>
      <ScanVerdict
        outcome={verdict?.outcome ?? null}
        taken={t(verdict && commandOf(verdict.text) ? 'outcome.done' : 'outcome.taken')}
        idle={isClosed ? t('title.closed') : undefined}
        text={verdict?.text ? words.told(verdict.text, verdict.details) : ''}
      >
        {next && t('saving')}
        {isClosed && verdict === null && t('closed.idle')}
        {verdict?.why && `${t(`title.${verdict.why}`)}. ${words.why(verdict.why, verdict.details)}`}
      </ScanVerdict>
      <dl className="scan-line" aria-label={t('line')}>
        <ScanFact name="part" title={t('part')} isWide>
          {words.partName(line.part)}
        </ScanFact>
        <ScanFact name="lot" title={t('lot')}>
          {line.lot}
        </ScanFact>
        <ScanFact name="expiry" title={t('expiry')}>
          {formats.day(line.expiry || null)}
        </ScanFact>
        <ScanFact name="accepted" title={t('accepted')} isHuge>
          {accepted && quantity(amount(accepted), line.unit)}
        </ScanFact>
        <ScanFact name="rejected" title={t('rejected')} isHuge>
          {rejected && quantity(amount(rejected), line.unit)}
        </ScanFact>
        {line.location !== null && (
          <ScanFact name="location" title={t('location')}>
            {titleOf('location', line.location) ?? String(line.location)}
          </ScanFact>
        )}
        {line.sscc !== null && (
          <ScanFact name="pallet" title={t('pallet')} isWide>
            {line.sscc}
          </ScanFact>
        )}
        {serials.some(serial => serial !== line.sscc) && (
          <ScanFact name="serials" title={t('serials')} isWide>
            {formats.list(serials)}
          </ScanFact>
        )}
      </dl>
      {bestBefore && <Text>{t('best-before', { day: formats.day(bestBefore) })}</Text>}
      <Group gap="xs" className="scan-actions">
        <Button
          px="sm"
          disabled={!isComplete(line) || isSending}
          onClick={() =>
            void acts.save().catch(() => {
              // The line says why.
            })
          }
        >
          {t('save')}
        </Button>
        <Button px="sm" variant="default" disabled={!hasScanned} onClick={() => void desk.undoLast()}>
          {t('undo')}
        </Button>
        <Button
          px="sm"
          variant="default"
          disabled={!isBegun(line) || isSending}
          onClick={() => void acts.clear()}
        >
          {t('clear')}
        </Button>
        <Button px="sm" variant="default" disabled={isClosed} aria-expanded={isTyping} onClick={onType}>
          {t(isTyping ? 'type.close' : 'type')}
        </Button>
        <MuteButton {...mute} />
        {camera.button}
      </Group>
      {camera.picture}
      <ScanList scans={scans} />
    </section>
  );
}
