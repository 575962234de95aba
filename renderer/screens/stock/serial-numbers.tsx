import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';

/** More of them are opened on demand. */
const FIRST = 60;

/** The numbers of single pieces. */
export function SerialNumbers({ serials }: { serials: readonly string[] }) {
  const { t } = useTranslation('stock');
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? serials : serials.slice(0, FIRST);
  return (
    <Section title={t('serials', { count: serials.length })}>
      <Text className="typed">{shown.join(', ')}</Text>
      {shown.length < serials.length && (
        <Button variant="default" mt="xs" onClick={() => setIsWhole(true)}>
          {t('serials.all', { count: serials.length })}
        </Button>
      )}
    </Section>
  );
}
