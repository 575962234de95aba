import { ActionIcon, Button, Group, Text } from '@mantine/core';
import {
  IconAlertOctagon,
  IconBarcode,
  IconCheck,
  IconHelpCircle,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useTitles } from '../../api/titles.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { signal, useMute } from '../../ui/scan/signal.ts';
import { amount, isBegun, isComplete } from './line.ts';
import { ScanList } from './scan-list.tsx';
import { useScanWords } from './scan-words.ts';
import { nameOfSerial, type Receiving } from './use-receiving.ts';

const icons = { taken: IconCheck, question: IconHelpCircle, refused: IconAlertOctagon } as const;

interface ScanPanelProps {
  receiving: Receiving;
  isTyping: boolean;
  onType: () => void;
}

/** What was scanned last, to be read from two metres: how it ended, in colour and in words, and the line as it stands now. */
export function ScanPanel({ receiving, isTyping, onType }: ScanPanelProps) {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const quantity = useQuantity();
  const { line, verdict, scans, desk, acts, isSending, bestBefore } = receiving;
  const words = useScanWords([line.part, verdict?.details.part]);
  const titleOf = useTitles(line.location === null ? [] : [`location:${line.location}`]);
  const hasScanned = useSyncExternalStore(scans.subscribe, () => scans.entries().length > 0);
  const { isMuted, toggle } = useMute();

  const told = useRef(verdict);
  useEffect(() => {
    if (verdict && told.current !== verdict) signal(verdict.outcome, isMuted);
    told.current = verdict;
  }, [verdict, isMuted]);

  const Icon = verdict ? icons[verdict.outcome] : IconBarcode;
  const { accepted, rejected } = line;
  const serials = line.scanned.serials.map(nameOfSerial);
  return (
    <section className="scan-panel" data-outcome={verdict?.outcome} aria-label={t('panel')}>
      <div className="scan-verdict" role="status">
        <Icon aria-hidden size={64} />
        <div>
          <p className="scan-word">{t(verdict ? `outcome.${verdict.outcome}` : 'outcome.none')}</p>
          {verdict?.text && (
            <p className="scan-text">{words.goods(verdict.details) || words.name(verdict.text)}</p>
          )}
          {verdict?.why && (
            <p className="scan-why">
              {t(`title.${verdict.why}`)}. {words.why(verdict.why, verdict.details)}
            </p>
          )}
        </div>
      </div>
      <dl className="scan-line" aria-label={t('line')}>
        <Fact name="part" title={t('part')} isWide>
          {words.partName(line.part)}
        </Fact>
        <Fact name="lot" title={t('lot')}>
          {line.lot}
        </Fact>
        <Fact name="expiry" title={t('expiry')}>
          {formats.day(line.expiry || null)}
        </Fact>
        <Fact name="accepted" title={t('accepted')} isHuge>
          {accepted && quantity(amount(accepted), line.unit)}
        </Fact>
        <Fact name="rejected" title={t('rejected')} isHuge>
          {rejected && quantity(amount(rejected), line.unit)}
        </Fact>
        {line.location !== null && (
          <Fact name="location" title={t('location')}>
            {titleOf('location', line.location) ?? String(line.location)}
          </Fact>
        )}
        {serials.length > 0 && (
          <Fact name="serials" title={t('serials')} isWide>
            {formats.list(serials)}
          </Fact>
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
        <Button px="sm" variant="default" aria-expanded={isTyping} onClick={onType}>
          {t(isTyping ? 'type.close' : 'type')}
        </Button>
        <ActionIcon
          variant="default"
          aria-label={t(isMuted ? 'sound.on' : 'sound.off')}
          aria-pressed={isMuted}
          onClick={toggle}
        >
          {isMuted ? <IconVolumeOff aria-hidden /> : <IconVolume aria-hidden />}
        </ActionIcon>
      </Group>
      <ScanList scans={scans} />
    </section>
  );
}

function Fact(props: {
  name: string;
  title: string;
  isHuge?: boolean;
  isWide?: boolean;
  children: ReactNode;
}) {
  const { name, title, isHuge, isWide, children } = props;
  return (
    <div data-fact={name} data-size={isHuge ? 'huge' : undefined} data-wide={isWide}>
      <dt>{title}</dt>
      <dd className="typed">{children || '–'}</dd>
    </div>
  );
}
