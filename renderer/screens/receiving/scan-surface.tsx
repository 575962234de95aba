import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTitles } from '../../api/titles.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { Failure } from '../../ui/failure.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { shownSerials } from './line.ts';
import { OpenList } from './open-list.tsx';
import { isReceived, type ReceiptItem } from './receipt-row.tsx';
import { ReceiveLine } from './receive-line.tsx';
import { ScanPanel } from './scan-panel.tsx';
import type { Receiving } from './use-receiving.ts';

interface ScanSurfaceProps {
  receiving: Receiving;
  items: ReceiptItem[];
  isClosed: boolean;
}

/** All that receiving by scanner needs, on one screen: the last scan, what is open, and what has been saved; typing is folded away. */
export function ScanSurface({ receiving, items, isClosed }: ScanSurfaceProps) {
  const { t } = useTranslation('receiving');
  const [isTyping, setIsTyping] = useState(false);
  const surface = useRef<HTMLDivElement>(null);
  const opened = useRef<Element | null>(null);
  const { acts, open, failure } = receiving;
  const fold = () => {
    setIsTyping(false);
    if (opened.current instanceof HTMLElement) opened.current.focus();
  };
  const type = () => {
    opened.current = document.activeElement;
    setIsTyping(true);
  };
  useHotkeys(
    isClosed
      ? []
      : [
          ['t', type],
          ['s', () => void acts.save().catch(() => {})],
          ['a', () => surface.current?.querySelector<HTMLElement>('.open-scan :is(input, button)')?.focus()],
          ['y', () => void receiving.desk.push('HP:YES', false)],
          ['n', () => void receiving.desk.push('HP:NO', false)],
        ],
  );
  // A field that has the caret would share the next scan's keys with the scanner.
  const newest = receiving.verdict;
  useEffect(() => {
    const { activeElement } = document;
    if (newest && activeElement instanceof HTMLInputElement && surface.current?.contains(activeElement))
      activeElement.blur();
  }, [newest]);
  const hasOpen = open.length > 0;
  return (
    <div ref={surface}>
      <div className="scan-surface" data-open={hasOpen}>
        <ScanPanel
          receiving={receiving}
          isClosed={isClosed}
          isTyping={isTyping}
          onType={isTyping ? fold : type}
        />
        <div className="scan-side">
          <OpenList receiving={receiving} isClosed={isClosed} />
          <SavedLines items={items} shows={hasOpen ? 3 : 4} />
        </div>
      </div>
      <Failure error={failure ?? receiving.desk.board.fault()} />
      {isTyping && !isClosed && <ReceiveLine receiving={receiving} onClose={fold} />}
      {!isTyping && !isClosed && (
        <Text size="sm" c="dimmed">
          {t('keys')}
        </Text>
      )}
    </div>
  );
}

interface SavedLinesProps {
  items: ReceiptItem[];
  /** So many, the newest: all of it stands on one screen. */
  shows: number;
}

function SavedLines({ items, shows }: SavedLinesProps) {
  const { t } = useTranslation('receiving');
  const quantity = useQuantity();
  const received = items.filter(isReceived);
  const shown = received.slice(-shows).toReversed();
  const titleOf = useTitles(shown.map(item => `part:${item.part_id}`));
  return (
    <section aria-label={t('saved')} className="scan-saved">
      <Text fw={700}>{t('lines.count', { count: received.length })}</Text>
      <ol reversed start={received.length}>
        {shown.map(item => {
          const unit = String(item.unit_of_measure ?? '');
          const rejected = Number(item.quantity_rejected ?? 0);
          const accepted = Number(item.quantity_accepted ?? 0);
          return (
            <li key={String(item.id)} className="typed">
              {[
                titleOf('part', item.part_id),
                item.serial_number,
                (accepted > 0 || rejected === 0) && quantity(accepted, unit),
                rejected > 0 && `${t('rejected')} ${quantity(rejected, unit)}`,
                shownSerials(item).join(', '),
              ]
                .filter(Boolean)
                .join(' · ')}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
