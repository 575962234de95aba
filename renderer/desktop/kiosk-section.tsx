import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../ui/failure.tsx';
import { Section } from '../ui/section.tsx';
import { useIsKiosk, useLeaveKiosk } from './desktop-calls.ts';

/** The way out of a kiosk, by the PIN of the machine's administrators; nothing where there is no kiosk. */
export function KioskSection() {
  const { t } = useTranslation('desktop');
  const { data: isKiosk } = useIsKiosk();
  const { mutate: leave, data: answer, error, isPending } = useLeaveKiosk();
  const [pin, setPin] = useState('');
  if (!isKiosk) return null;
  return (
    <Section title={t('kiosk')}>
      <Text maw="45rem">{t('kiosk.about')}</Text>
      <form
        onSubmit={event => {
          event.preventDefault();
          leave(pin);
          setPin('');
        }}
      >
        <Group align="end">
          <TextInput
            type="password"
            withAsterisk={false}
            label={t('kiosk.pin')}
            value={pin}
            onChange={event => setPin(event.currentTarget.value)}
            autoComplete="off"
            required
          />
          <Button type="submit" variant="default" loading={isPending}>
            {t('kiosk.leave')}
          </Button>
        </Group>
      </form>
      <Text role="status">{answer && t(`kiosk.${answer}`)}</Text>
      <Failure error={error} />
    </Section>
  );
}
