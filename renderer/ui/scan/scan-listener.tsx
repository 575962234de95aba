import { Button, Group, Paper, Text } from '@mantine/core';
import { IconBarcode, IconX } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { Scan } from '../../../shared/operations/overview-operations.ts';
import { createWedge, type KeyOutcome } from '../../../shared/scanner/wedge.ts';
import { client } from '../../api/client.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { recordPath } from '../record-path.ts';
import { isRefusedByField, takeReading } from './gauge.ts';
import { hasScanTarget, offerScan } from './scan-target.ts';
import { type Held, heldBy, retype, textControl } from './typed-text.ts';

/** Keys of a scan that go through before it is known for one; the wedge lets two. */
const PASSED_AT_MOST = 8;

interface Notice {
  text: string;
  matches: Scan['matches'];
  failure: string | null;
}

/**
 * One listener for the whole window, so that no field's focus can swallow a scan. A screen that works by scanning gets it;
 * else, with the caret in a field, it is typed there; else what was scanned is opened.
 */
export function ScanListener() {
  const words = useRecordWords();
  const { t } = useTranslation('scan');
  const say = useServerMessage();
  const navigate = useNavigate();
  const [notice, setNotice] = useState<Notice | null>(null);
  const go = useRef(navigate);
  go.current = navigate;

  useLayoutEffect(() => {
    const wedge = createWedge();
    /** What the control held before each of the last keys that went through to it. */
    const passed: (Held | null)[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;

    const open = async (text: string) => {
      setNotice(null);
      try {
        const { data } = await client.call<Scan>('x.scan', { body: { data: text } });
        const [match] = data.matches;
        if (match && data.matches.length === 1) await go.current(recordPath(match.family, match.id));
        else setNotice({ text, matches: data.matches, failure: null });
      } catch (error) {
        setNotice({ text, matches: [], failure: error instanceof Error ? error.message : String(error) });
      }
    };

    const settle = ({ scan, takeBack, giveBack }: KeyOutcome) => {
      const control = textControl(document.activeElement);
      if (scan === null) {
        if (control && giveBack !== '') retype(heldBy(control), giveBack);
        return;
      }
      const held = takeBack > 0 ? passed.at(-takeBack) : control && heldBy(control);
      passed.length = 0;
      if (takeReading(control, scan, held) || isRefusedByField(document.activeElement)) return;
      if (hasScanTarget()) {
        if (held) retype(held, '');
        if (offerScan(scan)) return;
      }
      if (held) retype(held, scan.replaceAll('\u001d', ''));
      else void open(scan);
    };

    /** Keys that wait behind a busy screen are no pause: they carry the time at which they were pressed. */
    const pause = () => {
      if (isInputPending()) timer = setTimeout(pause, 20);
      else settle(wedge.pause());
    };

    const listen = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      const control = textControl(document.activeElement);
      const held = control && heldBy(control);
      const outcome = wedge.key({
        key: event.key,
        at: event.timeStamp,
        code: event.code,
        isCtrl: event.ctrlKey,
        isAlt: event.altKey,
        isMeta: event.metaKey,
        isRepeat: event.repeat,
      });
      if (!outcome.isPassed) {
        event.preventDefault();
        event.stopPropagation();
      } else if (event.key.length === 1) {
        passed.push(held);
        if (passed.length > PASSED_AT_MOST) passed.shift();
      }
      settle(outcome);
      clearTimeout(timer);
      const due = wedge.dueAt();
      // A key that a busy machine brought late says that the next one comes as late.
      const lag = Math.max(0, performance.now() - event.timeStamp);
      if (due !== null) timer = setTimeout(pause, due - event.timeStamp + lag);
    };
    // Before any control sees the key.
    window.addEventListener('keydown', listen, { capture: true });
    return () => {
      window.removeEventListener('keydown', listen, { capture: true });
      clearTimeout(timer);
    };
  }, []);

  // Nothing is being typed in: a scan is opened only then.
  const choices = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (notice) choices.current?.querySelector<HTMLElement>('a, button')?.focus();
  }, [notice]);

  if (!notice) return null;
  return (
    <Paper className="scan-notice" withBorder shadow="md" p="md" role="alert">
      <Group wrap="nowrap" align="start">
        <IconBarcode aria-hidden />
        <div>
          <Text fw={700} className="typed">
            {t(notice.matches.length > 0 ? 'several' : 'unknown', { text: notice.text })}
          </Text>
          {notice.failure && <Text>{say(notice.failure)}</Text>}
          <Group mt="xs" ref={choices}>
            {notice.matches.map(match => (
              <Button
                key={`${match.family}:${match.id}`}
                component={Link}
                to={recordPath(match.family, match.id)}
                variant="default"
                onClick={() => setNotice(null)}
              >
                {words.title(match.family, match.id, match.title)} {words.subtitle(match.subtitle)}
              </Button>
            ))}
            <Button variant="subtle" leftSection={<IconX aria-hidden />} onClick={() => setNotice(null)}>
              {t('close')}
            </Button>
          </Group>
        </div>
      </Group>
    </Paper>
  );
}

/** Chromium's own; elsewhere nothing is known to wait. */
function isInputPending(): boolean {
  const { scheduling } = navigator as { scheduling?: { isInputPending?: () => boolean } };
  return scheduling?.isInputPending?.() ?? false;
}
