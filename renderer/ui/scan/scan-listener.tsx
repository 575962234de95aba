import { Button, Group, Paper, Text } from '@mantine/core';
import { IconBarcode, IconX } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import type { Scan } from '../../../shared/operations/overview-operations.ts';
import { optionsOf, SETUP_CODE, withoutFrame } from '../../../shared/scanner/profile.ts';
import { createWedge, type KeyOutcome } from '../../../shared/scanner/wedge.ts';
import { client } from '../../api/client.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { recordPath } from '../record-path.ts';
import { useHotkeys } from '../use-hotkeys.ts';
import { isRefusedByField, takeReading } from './gauge.ts';
import { createEar, knownScanner, learnScanner, SETTLED_MS } from './known-scanner.ts';
import { meantBy } from './meant-by.ts';
import { hasScanTarget, isOnSurface, offerScan } from './scan-target.ts';
import { type Held, heldBy, retype, textControl } from './typed-text.ts';

/** Keys of a scan that go through before it is known for one; the wedge lets two. */
const PASSED_AT_MOST = 8;

interface Notice {
  text: string;
  matches: Scan['matches'];
  failure: string | null;
  /** The scanner that was set up, in words. */
  scanner?: { before: string; after: string };
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
    let profile = knownScanner();
    /** Nothing is typed into: not even a list, whose options are found by their first letters. */
    const holdsAll = () => isOnSurface() && !textControl(document.activeElement) && !isListOpen();
    const wedgeFor = () => createWedge({ ...(profile && optionsOf(profile)), holdsAll });
    let wedge = wedgeFor();
    const ear = createEar();
    let isReplaying = false;
    let learning: ReturnType<typeof setTimeout> | undefined;
    /** What the control held before each of the last keys that went through to it. */
    const passed: (Held | null)[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** Takes back what became of the last scan, should its end come late. */
    let takeBackLast: (() => void) | null = null;

    const open = async (text: string) => {
      try {
        const { data } = await client.call('x.scan', { body: { data: text } });
        const match = meantBy(data);
        if (match) await go.current(recordPath(match.family, match.id));
        else setNotice({ text, matches: data.matches, failure: null });
      } catch (error) {
        setNotice({ text, matches: [], failure: error instanceof Error ? error.message : String(error) });
      }
    };

    const settle = ({ scan: read, takeBack, giveBack, isCut, retracts, isContinued }: KeyOutcome) => {
      if (retracts) takeBackLast?.();
      const control = textControl(document.activeElement);
      if (read === null) {
        if (control && giveBack !== '') giveTo(control, giveBack);
        else for (const key of giveBack) replay(key);
        return;
      }
      takeBackLast = null;
      // What it said was about the scan before.
      setNotice(null);
      const scan = profile ? withoutFrame(read, profile) : read;
      const held = takeBack > 0 ? passed.at(-takeBack) : control && heldBy(control);
      passed.length = 0;
      if (scan.toUpperCase().includes(SETUP_CODE)) {
        if (held) retype(held, '');
        return;
      }
      if (takeReading(control, scan, held, isContinued) || isRefusedByField(document.activeElement)) return;
      if (hasScanTarget()) {
        if (held) retype(held, '');
        const taken = offerScan(scan, isCut);
        if (typeof taken === 'function') takeBackLast = taken;
        if (taken !== false) return;
      }
      if (!held) return void open(scan);
      retype(held, scan.replaceAll('\u001d', ''));
      takeBackLast = () => retype(held, '');
    };

    /** Each key as if it went through by itself, so that a scan whose keys they are after all takes them out again. */
    const giveTo = (control: NonNullable<Held['control']>, text: string) => {
      for (const key of text) {
        const held = heldBy(control);
        remember(held);
        retype(held, key);
      }
    };
    const remember = (held: Held | null) => {
      passed.push(held);
      if (passed.length > PASSED_AT_MOST) passed.shift();
    };

    /** A key that was kept back and is a person's after all: a shortcut of the screen. */
    const replay = (key: string) => {
      isReplaying = true;
      const options = { key, bubbles: true, cancelable: true };
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', options));
      isReplaying = false;
    };

    /** What the scanner sends around a scan is known from here on. */
    const learn = () => {
      const learned = learnScanner(ear.keys());
      if (!learned) return;
      profile = learned;
      wedge = wedgeFor();
      const [before, after] = [learned.prefix, learned.suffix].map(keys => keys.join(' ')) as [
        string,
        string,
      ];
      setNotice({ text: '', matches: [], failure: null, scanner: { before, after } });
    };

    /** Keys that wait behind a busy screen are no pause: they carry the time at which they were pressed. */
    const pause = () => {
      if (isInputPending()) timer = setTimeout(pause, 20);
      else settle(wedge.pause());
    };

    const listen = (event: KeyboardEvent) => {
      if (event.isComposing || isReplaying) return;
      ear.hear(event.key, event.timeStamp);
      clearTimeout(learning);
      if (ear.keys().length >= SETUP_CODE.length) learning = setTimeout(learn, SETTLED_MS);
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
        remember(held);
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
      clearTimeout(learning);
    };
  }, []);

  // It covers what stands below: it goes by Escape wherever the focus is, and with the page that it was said on.
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page.
  useLayoutEffect(() => setNotice(null), [pathname]);
  useHotkeys(notice ? [['Escape', () => setNotice(null)]] : []);

  // Nothing is being typed in: a scan is opened only then.
  const choices = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (notice) choices.current?.querySelector<HTMLElement>('a, button')?.focus();
  }, [notice]);

  if (!notice) return null;
  const { scanner } = notice;
  const says = scanner
    ? t('known', {
        before: scanner.before || t('known.nothing'),
        after: scanner.after || t('known.nothing'),
      })
    : t(notice.matches.length > 0 ? 'several' : 'unknown', { text: notice.text });
  return (
    <Paper className="scan-notice" withBorder shadow="md" p="md" role={notice.scanner ? 'status' : 'alert'}>
      <Group wrap="nowrap" align="start">
        <IconBarcode aria-hidden />
        <div>
          <Text fw={700} className="typed">
            {says}
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
                {words.title(match.family, match.id, match.title)}{' '}
                {words.subtitle(match.family, match.subtitle)}
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

function isListOpen(): boolean {
  return document.activeElement?.getAttribute('aria-expanded') === 'true';
}

/** Chromium's own; elsewhere nothing is known to wait. */
function isInputPending(): boolean {
  const { scheduling } = navigator as { scheduling?: { isInputPending?: () => boolean } };
  return scheduling?.isInputPending?.() ?? false;
}
