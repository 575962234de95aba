import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import type { Session } from '../../api/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { ScanListener } from '../../ui/scan/scan-listener.tsx';
import { useScanTarget } from '../../ui/scan/scan-target.ts';
import { focusInput } from './focus-input.ts';
import { PinPad } from './pin-pad.tsx';

const LONGEST = 8;

/** Somebody whom a PIN or a badge brings back here. */
export interface Returning {
  session: string;
  name: string;
  hasPin: boolean;
}

/** Who rests in this browser, and whoever has locked it, as far as they have a PIN or a badge here. */
export function returningOf({
  session,
  user,
  hand,
  needs_password: needs,
  is_locked: isLocked,
  resting,
}: Session) {
  const own: Returning[] =
    session && user && hand && isLocked && !needs && (hand.has_pin || hand.has_badge)
      ? [{ session, name: user.name, hasPin: hand.has_pin }]
      : [];
  const others = resting.map(each => ({
    session: each.session,
    name: each.user.name,
    hasPin: each.has_pin,
  }));
  return [...own, ...others];
}

export interface ResumeProps {
  people: readonly Returning[];
  /** Whoever has locked the screen: typing goes to their PIN; a scanned badge is anybody's until a name is chosen. */
  first: string | null;
}

/** People change by their name and PIN, or by scanning a badge. */
export function Resume({ people, first }: ResumeProps) {
  const { t } = useTranslation('session');
  const resume = useWrite('x.session.resume');
  const [chosen, setChosen] = useState<string | null>(null);
  const [pin, setPin] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const named = people.find(({ session }) => session === (chosen ?? first));
  const isTyping = named?.hasPin === true;

  const send = (body: { code: string; session?: string }) => {
    setPin('');
    resume.mutate({ body });
    focusInput(form, 'pin');
  };
  useScanTarget(text => {
    const code = text.trim();
    if (code !== '') send(chosen === null ? { code } : { code, session: chosen });
    return true;
  });
  useLayoutEffect(() => {
    if (isTyping) focusInput(form, 'pin');
  }, [isTyping]);

  return (
    <Stack>
      <ScanListener />
      <Group gap="xs" role="group" aria-label={t('returning')}>
        {people.map(({ session, name }) => (
          <Button
            key={session}
            size="lg"
            mih={56}
            variant={session === named?.session ? 'filled' : 'default'}
            aria-pressed={session === named?.session}
            leftSection={<IconUser aria-hidden />}
            onClick={() => {
              setChosen(session);
              setPin('');
              resume.reset();
              focusInput(form, 'pin');
            }}
          >
            {name}
          </Button>
        ))}
      </Group>
      <Text>{t(isTyping ? 'resume.pin' : 'resume.badge')}</Text>
      {isTyping && (
        <form
          ref={form}
          aria-label={t('resume')}
          onSubmit={event => {
            event.preventDefault();
            if (pin !== '') send({ code: pin, session: named.session });
          }}
        >
          <Stack gap="xs">
            <PasswordInput
              name="pin"
              size="lg"
              label={t('pin.of', { name: named.name })}
              inputMode="numeric"
              autoComplete="off"
              maxLength={LONGEST}
              value={pin}
              onChange={event => setPin(digitsIn(event.currentTarget.value))}
              visibilityToggleButtonProps={{ 'aria-label': t('pin.show') }}
            />
            <PinPad
              onDigit={digit => setPin(before => digitsIn(`${before}${digit}`))}
              onBack={() => setPin(before => before.slice(0, -1))}
              submit={t('resume')}
              isBusy={resume.isPending}
            />
          </Stack>
        </form>
      )}
      <Failure error={resume.error} />
    </Stack>
  );
}

function digitsIn(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, LONGEST);
}
