import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isMisdated, momentOf } from '../../shared/contract/moment-of.ts';
import { useFormats } from '../i18n/formats.ts';

/** That the clock by which something was written was wrong, and what time it was by central's. */
export function ClockNote({ at, offset }: { at: string | null; offset: number | null | undefined }) {
  const { t } = useTranslation('record');
  const formats = useFormats();
  if (at === null || Number.isNaN(Date.parse(at)) || offset == null) return null;
  const dated = { at, clock_offset: offset };
  if (!isMisdated(dated)) return null;
  return (
    <Text size="sm">
      {t(offset < 0 ? 'clock.behind' : 'clock.ahead', {
        span: formats.span(Math.abs(offset)),
        moment: formats.moment(momentOf(dated)),
      })}
    </Text>
  );
}
