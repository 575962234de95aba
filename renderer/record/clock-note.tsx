import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NOTABLE_CLOCK_OFFSET } from '../../shared/contract/limits.ts';
import { useFormats } from '../i18n/formats.ts';

/** That the clock by which something was written was wrong, and what time it was by central's. */
export function ClockNote({ at, offset }: { at: string | null; offset: number | null | undefined }) {
  const { t } = useTranslation('record');
  const formats = useFormats();
  const moment = Date.parse(at ?? '');
  if (Number.isNaN(moment) || offset == null || Math.abs(offset) < NOTABLE_CLOCK_OFFSET) return null;
  return (
    <Text size="sm">
      {t(offset < 0 ? 'clock.behind' : 'clock.ahead', {
        span: formats.span(Math.abs(offset)),
        moment: formats.moment(new Date(moment - offset).toISOString()),
      })}
    </Text>
  );
}
