import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import { type Hand, useSession } from '../../api/session.ts';
import { ActionForm } from '../../ui/action-form.tsx';

/** By what one comes back at this machine in two seconds: a PIN, a badge. */
export function OwnHand() {
  const { t } = useTranslation('setup');
  const { session } = useSession();
  const [isOpen, open] = useDisclosure(false);
  const hand = session?.hand;
  if (!hand) return null;
  const said = [hand.has_pin ? t('hand.has.pin') : null, hand.has_badge ? t('hand.has.badge') : null].filter(
    text => text !== null,
  );
  return (
    <Stack>
      <Title order={2} size="h3">
        {t('hand')}
      </Title>
      <Text>{t('hand.text')}</Text>
      <Text role="status" fw={700}>
        {said.length === 0 ? t('hand.none') : said.join(' ')}
      </Text>
      {isOpen ? (
        <SetHand hand={hand} onClose={open.close} />
      ) : (
        <Group>
          <Button onClick={open.open}>{t('hand.set')}</Button>
        </Group>
      )}
    </Stack>
  );
}

function SetHand({ hand, onClose }: { hand: Hand; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.session.hand');
  const [password, setPassword] = useState('');
  const [pin, setPin] = useState('');
  const [badge, setBadge] = useState('');
  const [isRemoving, setIsRemoving] = useState(false);
  return (
    <ActionForm
      title={t('hand.set')}
      submit={t(isRemoving ? 'hand.remove' : 'hand.set')}
      onClose={onClose}
      onSubmit={() => {
        const given = { ...(pin !== '' && { pin }), ...(badge.trim() !== '' && { badge }) };
        return mutateAsync({ body: { password, ...(isRemoving ? { pin: null, badge: null } : given) } });
      }}
    >
      {errors => (
        <>
          {!isRemoving && (
            <>
              <PasswordInput
                label={t('hand.pin')}
                description={t('hand.pin.hint')}
                inputMode="numeric"
                autoComplete="off"
                maxLength={8}
                value={pin}
                onChange={event => setPin(event.currentTarget.value.replaceAll(/\D/g, ''))}
                error={errors('pin')}
                visibilityToggleButtonProps={{ 'aria-label': t('session:pin.show') }}
              />
              <TextInput
                label={t('hand.badge')}
                description={t('hand.badge.hint')}
                autoComplete="off"
                value={badge}
                onChange={event => setBadge(event.currentTarget.value)}
                error={errors('badge')}
              />
            </>
          )}
          <PasswordInput
            label={t('session:password')}
            required
            autoComplete="current-password"
            value={password}
            onChange={event => setPassword(event.currentTarget.value)}
            error={errors('password')}
            visibilityToggleButtonProps={{ 'aria-label': t('session:password.show') }}
          />
          {(hand.has_pin || hand.has_badge) && !isRemoving && (
            <Button variant="default" onClick={() => setIsRemoving(true)}>
              {t('hand.remove')}
            </Button>
          )}
        </>
      )}
    </ActionForm>
  );
}
