import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isMisdated, momentOf } from '../../shared/contract/moment-of.ts';
import { useFormats } from '../i18n/formats.ts';

interface ClockNoteProps {
  at: string | null;
  offset: number | null | undefined;
  /** What the clock should at least have said, where it was not confirmed. */
  atLeast?: string | null | undefined;
}

/** That the clock by which something was written was wrong, and what time it was by central's; or that it was not confirmed. */
export function ClockNote({ at, offset, atLeast }: ClockNoteProps) {
  const { t } = useTranslation('record');
  const formats = useFormats();
  if (at === null || Number.isNaN(Date.parse(at))) return null;
  const unconfirmed = atLeast && (
    <Text size="sm">
      {t('clock.unconfirmed', { says: formats.exactMoment(at), least: formats.exactMoment(atLeast) })}
    </Text>
  );
  const dated = { at, clock_offset: offset ?? null };
  if (offset == null || !isMisdated(dated)) return unconfirmed;
  return (
    <>
      {unconfirmed}
      <Text size="sm">
        {t(offset < 0 ? 'clock.behind' : 'clock.ahead', {
          span: formats.span(Math.abs(offset)),
          moment: formats.moment(momentOf(dated)),
        })}
      </Text>
    </>
  );
}
