import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCamera } from '../../ui/scan/camera/use-camera.tsx';
import { MuteButton, ScanVerdict } from '../../ui/scan/scan-verdict.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import type { useFloorScans } from './use-floor-scans.ts';

interface FloorPanelProps {
  scans: ReturnType<typeof useFloorScans>;
  /** What is to be done before anything is scanned. */
  ready: string;
  /** What is in the hand, or comes next: `ScanFact`s. */
  children?: ReactNode;
  actions?: ReactNode;
}

/** The last scan, to be read from two metres, and what comes next. A code that no scanner reads is typed. */
export function FloorPanel({ scans, ready, children, actions }: FloorPanelProps) {
  const { t } = useTranslation('floor');
  const { verdict, push, mute } = scans;
  const camera = useCamera();
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
    <section className="scan-panel" data-outcome={verdict?.outcome} aria-label={t('scan:panel')}>
      <ScanVerdict outcome={verdict?.outcome ?? null} taken={t('outcome.taken')} text={verdict?.text ?? ''}>
        {verdict ? verdict.why : ready}
      </ScanVerdict>
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
        <MuteButton {...mute} />
        {camera.button}
      </Group>
      {camera.picture}
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
