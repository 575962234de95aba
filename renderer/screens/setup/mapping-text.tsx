import { Stack, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Mapping, mappingText, parseMapping } from './mapping.ts';

export interface MappingTextProps {
  mapping: Mapping;
  /** There is no other way to change it. */
  isOpen: boolean;
  onChange: (mapping: Mapping) => void;
}

/** The whole mapping as its file has it, for what goes beyond one column for one field. */
export function MappingText({ mapping, isOpen, onChange }: MappingTextProps) {
  const { t } = useTranslation('setup');
  const present = mappingText(mapping);
  const [typed, setTyped] = useState(present);
  // What was changed elsewhere is shown; what is being typed is no mapping yet and stays.
  useEffect(() => {
    setTyped(before =>
      JSON.stringify(parseMapping(before)) === JSON.stringify(parseMapping(present)) ? before : present,
    );
  }, [present]);
  return (
    <details open={isOpen}>
      <summary className="unfold">{t('mapping.text')}</summary>
      <Stack>
        <Textarea
          label={t('mapping.text')}
          description={t('mapping.hint')}
          autosize
          minRows={6}
          maxRows={24}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={typed}
          error={parseMapping(typed) ? undefined : t('mapping.wrong')}
          onChange={event => {
            const text = event.currentTarget.value;
            setTyped(text);
            const next = parseMapping(text);
            if (next) onChange(next);
          }}
        />
      </Stack>
    </details>
  );
}
