import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import {
  IconAlertOctagon,
  IconBarcode,
  IconCheck,
  IconHelpCircle,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import type { Said, useFloorScans } from './use-floor-scans.ts';

const icons = { taken: IconCheck, question: IconHelpCircle, refused: IconAlertOctagon } as const;

interface FloorPanelProps {
  scans: ReturnType<typeof useFloorScans>;
  /** What is to be done before anything is scanned. */
  ready: string;
  /** What is in the hand, or comes next: `Fact`s. */
  children?: ReactNode;
  actions?: ReactNode;
}

/** The last scan, to be read from two metres, and what comes next. A code that no scanner reads is typed. */
export function FloorPanel({ scans, ready, children, actions }: FloorPanelProps) {
  const { t } = useTranslation('floor');
  const { verdict, push, mute } = scans;
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useHotkeys([
    [
      't',
      () => {
        setTyped(typed ?? '');
        requestAnimationFrame(() => field.current?.focus());
      },
    ],
  ]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!typed?.trim()) return;
    void push(typed.trim());
    setTyped('');
  };
  return (
    <section className="scan-panel" data-outcome={verdict?.outcome} aria-label={t('panel')}>
      <Verdict verdict={verdict} ready={ready} />
      {children && <dl className="scan-line">{children}</dl>}
      <Group gap="xs" className="scan-actions">
        {actions}
        <Button
          variant="default"
          px="sm"
          aria-expanded={typed !== null}
          onClick={() => setTyped(typed === null ? '' : null)}
        >
          {t('type')}
        </Button>
        <ActionIcon
          variant="default"
          aria-label={t(mute.isMuted ? 'sound.on' : 'sound.off')}
          aria-pressed={mute.isMuted}
          onClick={mute.toggle}
        >
          {mute.isMuted ? <IconVolumeOff aria-hidden /> : <IconVolume aria-hidden />}
        </ActionIcon>
      </Group>
      {typed !== null && (
        <form onSubmit={submit}>
          <TextInput
            ref={field}
            label={t('code')}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            onKeyDown={event => event.key === 'Escape' && setTyped(null)}
            autoComplete="off"
          />
        </form>
      )}
    </section>
  );
}

function Verdict({ verdict, ready }: { verdict: Said | null; ready: string }) {
  const { t } = useTranslation('floor');
  const Icon = verdict ? icons[verdict.outcome] : IconBarcode;
  return (
    <div className="scan-verdict" role="status">
      <Icon aria-hidden size={64} />
      <div>
        <p className="scan-word">{verdict ? t(`outcome.${verdict.outcome}`) : t('outcome.none')}</p>
        {verdict?.text && <p className="scan-text">{verdict.text}</p>}
        <p className="scan-why">{verdict ? verdict.why : ready}</p>
      </div>
    </div>
  );
}

export function Fact(props: {
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
