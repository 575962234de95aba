import { Badge, Box, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconArrowsLeftRight, IconClockExclamation } from '@tabler/icons-react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type {
  Board as BoardAnswer,
  BoardCard,
  BoardFamily,
} from '../../../shared/operations/board-operations.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useFormats } from '../../i18n/formats.ts';
import { recordPath } from '../../ui/record-path.ts';
import './quality.css';

export interface BoardProps {
  family: BoardFamily;
  board: BoardAnswer;
  canMove: boolean;
  /** The card that has just been dealt with: it keeps the focus where it comes to stand. */
  wanted: number | null;
  /** A person wants the card in another column. */
  onMove: (card: BoardCard, from: string, to: string) => void;
}

/**
 * Columns by status, the oldest first. One stop of Tab: arrows go from card to card, Enter opens, Shift and an arrow to the
 * side changes the status.
 */
export function Board({ family, board, canMove, wanted, onMove }: BoardProps) {
  const { t } = useTranslation('quality');
  const body = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const { columns } = board;
  const isShown = columns.some(column => column.cards.some(({ id }) => id === chosen));
  const current = isShown ? chosen : (columns.find(({ cards }) => cards.length > 0)?.cards[0]?.id ?? null);

  // The form that had the focus is gone; the board is read again after the change, and the card made anew in its other
  // column.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each new reading
  useLayoutEffect(() => {
    if (wanted === null || document.activeElement !== document.body) return;
    body.current?.querySelector<HTMLElement>(`[data-card="${wanted}"]`)?.focus();
  }, [board, wanted]);

  const focus = (card: BoardCard | undefined) => {
    if (!card) return;
    setChosen(card.id);
    body.current?.querySelector<HTMLElement>(`[data-card="${card.id}"]`)?.focus();
  };

  const onKeyDown = (event: KeyboardEvent, column: number, row: number) => {
    const here = columns[column];
    const card = here?.cards[row];
    if (!here || !card) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined && event.shiftKey) {
      const next = columns[column + step];
      event.preventDefault();
      if (next && canMove) onMove(card, here.status, next.status);
      return;
    }
    const target = targetOf(columns, event.key, column, row);
    if (target === undefined) return;
    event.preventDefault();
    focus(target ?? undefined);
  };

  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t(canMove ? 'board.keys' : 'board.keys.read')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: columns.length }} ref={body}>
        {columns.map(({ status, total, cards }, column) => (
          <Box component="section" key={status} aria-label={t(`status.${status}`)} className="board-column">
            <Group justify="space-between" mb="xs">
              <Title order={2} size="h4">
                {t(`status.${status}`)}
              </Title>
              {total !== null && (
                <Badge
                  size="lg"
                  variant="outline"
                  color="gray"
                  aria-label={t('board.total', { count: total })}
                >
                  {total}
                </Badge>
              )}
            </Group>
            {cards.length === 0 && <Text c="dimmed">{t('board.none')}</Text>}
            <ul className="board-cards">
              {cards.map((card, row) => (
                <Card
                  key={card.id}
                  family={family}
                  card={card}
                  isOpen={status !== 'closed'}
                  isCurrent={card.id === current}
                  onFocus={() => setChosen(card.id)}
                  onKeyDown={event => onKeyDown(event, column, row)}
                  {...(canMove && {
                    onMove: () => {
                      const next = columns[column + 1] ?? columns[column - 1];
                      if (next) onMove(card, status, next.status);
                    },
                  })}
                />
              ))}
            </ul>
            {total !== null && total > cards.length && (
              <Text size="sm">{t('board.more', { count: total - cards.length })}</Text>
            )}
            {total === null && cards.length > 0 && (
              <Text size="sm" c="dimmed">
                {t('board.newest', { count: cards.length })}
              </Text>
            )}
          </Box>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

interface CardProps {
  family: BoardFamily;
  card: BoardCard;
  isOpen: boolean;
  isCurrent: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onMove?: () => void;
}

function Card({ family, card, isOpen, isCurrent, onFocus, onKeyDown, onMove }: CardProps) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const number = useRecordWords().title(family, card.id, card.number);
  const about = [
    card.source !== null && family === 'ncr' ? t(`source.${card.source}`) : card.source,
    card.part,
    card.lot_number && t('card.lot', { lot: card.lot_number }),
    card.supplier,
  ].filter(Boolean);
  return (
    <li className="board-card" data-late={card.is_late || undefined}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Link
          to={recordPath(family, card.id)}
          data-card={card.id}
          tabIndex={isCurrent ? 0 : -1}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
          className="board-link typed"
        >
          {number}
        </Link>
        {card.is_late ? (
          <Badge
            size="lg"
            color="red.9"
            leftSection={<IconClockExclamation size={16} aria-hidden />}
            styles={{ root: { textTransform: 'none', flex: 'none' } }}
          >
            {t('card.late', { count: card.days })}
          </Badge>
        ) : (
          <Text size="sm" className="date">
            {isOpen ? t('card.days', { count: card.days }) : formats.day(card.day)}
          </Text>
        )}
      </Group>
      {card.description && (
        <Text size="sm" lineClamp={2} className="typed">
          {card.description}
        </Text>
      )}
      <Group justify="space-between" wrap="nowrap" gap="xs" align="end">
        <Text size="sm" c="dimmed" className="typed">
          {about.join(' · ')}
          {card.disposition && ` · ${t(`disposition.${card.disposition}`)}`}
        </Text>
        {onMove && (
          <Button
            variant="subtle"
            px="sm"
            flex="none"
            tabIndex={isCurrent ? 0 : -1}
            aria-label={t('card.status', { number })}
            title={t('card.status', { number })}
            onClick={onMove}
          >
            <IconArrowsLeftRight aria-hidden />
          </Button>
        )}
      </Group>
    </li>
  );
}

/** The card that a key leads to; null: the key is one of the board's and leads nowhere; undefined: it is not. */
function targetOf(
  columns: BoardAnswer['columns'],
  key: string,
  column: number,
  row: number,
): BoardCard | null | undefined {
  const cards = columns[column]?.cards ?? [];
  const beside = (step: number) => {
    for (let at = column + step; at >= 0 && at < columns.length; at += step) {
      const others = columns[at]?.cards ?? [];
      if (others.length > 0) return others[Math.min(row, others.length - 1)] ?? null;
    }
    return null;
  };
  switch (key) {
    case 'ArrowDown':
      return cards[row + 1] ?? null;
    case 'ArrowUp':
      return cards[row - 1] ?? null;
    case 'ArrowLeft':
      return beside(-1);
    case 'ArrowRight':
      return beside(1);
    case 'Home':
      return cards[0] ?? null;
    case 'End':
      return cards.at(-1) ?? null;
    default:
      return undefined;
  }
}
