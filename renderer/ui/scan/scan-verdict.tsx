import { ActionIcon } from '@mantine/core';
import {
  IconAlertOctagon,
  IconBarcode,
  IconCheck,
  IconHelpCircle,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Outcome, useMute } from './signal.ts';

const icons = { taken: IconCheck, question: IconHelpCircle, refused: IconAlertOctagon } as const;

interface ScanVerdictProps {
  /** Null: nothing has been scanned. */
  outcome: Outcome | null;
  /** What "taken" is called here. */
  taken: string;
  /** What stands here before a scan, where it is not that scans are waited for. */
  idle?: string | undefined;
  /** What was scanned. */
  text: string;
  /** Why it ended so, or what is to be done. */
  children?: ReactNode;
}

/** How the last scan has ended, to be read from two metres: a sign, a word, what it was, and why. */
export function ScanVerdict({ outcome, taken, idle, text, children }: ScanVerdictProps) {
  const { t } = useTranslation('scan');
  const Icon = outcome ? icons[outcome] : IconBarcode;
  const word = outcome === null && idle !== undefined ? idle : t(`outcome.${outcome ?? 'none'}`);
  return (
    <div className="scan-verdict" role="status">
      <Icon aria-hidden size={64} />
      <div>
        <p className="scan-word">{outcome === 'taken' ? taken : word}</p>
        {text && <p className="scan-text">{text}</p>}
        {children && <p className="scan-why">{children}</p>}
      </div>
    </div>
  );
}

interface ScanFactProps {
  /** For tests and styles. */
  name: string;
  title: string;
  isHuge?: boolean;
  isWide?: boolean;
  children: ReactNode;
}

/** As a pallet's number: huge it would be broken in its midst. */
const LONG_WORD = /\S{17}/;

/** What is known of the goods in the hand; `–` where it is nothing. */
export function ScanFact({ name, title, isHuge, isWide, children }: ScanFactProps) {
  const isLong = typeof children === 'string' && LONG_WORD.test(children);
  return (
    <div data-fact={name} data-size={isHuge && !isLong ? 'huge' : undefined} data-wide={isWide}>
      <dt>{title}</dt>
      <dd className="typed">{children || '–'}</dd>
    </div>
  );
}

/** Whether scans sound at this machine. */
export function MuteButton({ isMuted, toggle }: ReturnType<typeof useMute>) {
  const { t } = useTranslation('scan');
  return (
    <ActionIcon
      variant="default"
      aria-label={t(isMuted ? 'sound.on' : 'sound.off')}
      aria-pressed={isMuted}
      onClick={toggle}
    >
      {isMuted ? <IconVolumeOff aria-hidden /> : <IconVolume aria-hidden />}
    </ActionIcon>
  );
}
