import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localMoment } from './local-moment.ts';

/** As the interface takes it; empty: not asked. */
export interface Asked {
  as_of: string;
  known: string;
}

/** Asks for a moment and what is meant by it; a place in the log, which the address can have, stays until another is chosen. */
export function PastForm({ asked, onAsk }: { asked: Asked; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation('past');
  const [moment, setMoment] = useState(localMoment(asked.as_of));
  const [known, setKnown] = useState(asked.known);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const at = new Date(moment);
    if (!Number.isNaN(at.getTime())) onAsk({ as_of: at.toISOString(), known });
  };
  return (
    <form onSubmit={submit}>
      <Group align="end">
        <TextInput
          type="datetime-local"
          step="any"
          required
          data-autofocus
          label={t('at')}
          description={t('at.hint')}
          value={moment}
          onChange={event => setMoment(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('meaning')}
          value={known}
          onChange={event => setKnown(event.currentTarget.value)}
          data={[
            { value: '', label: t('meaning.moment') },
            { value: 'here', label: t('meaning.here') },
          ]}
        />
        <Button type="submit">{t('show')}</Button>
      </Group>
    </form>
  );
}
