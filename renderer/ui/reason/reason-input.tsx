import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { givenReasons, ownReasons, type ReasonKind, rememberReason } from './reasons.ts';

export interface ReasonInputProps {
  kind: ReasonKind;
  value: string;
  onChange: (reason: string) => void;
  label?: string;
  /** Beside how one chooses. */
  description?: string | undefined;
  error?: string | undefined;
  isDue?: boolean;
  isAutoFocused?: boolean;
}

/**
 * Why something is changed: by one key (1 to 9) of those that are offered, last of all what this person has typed before,
 * or in one's own words. Enter saves the form that it stands in.
 */
export function ReasonInput(props: ReasonInputProps) {
  const { kind, value, onChange, label, description, error, isDue = false, isAutoFocused = false } = props;
  const { t } = useTranslation('reason');
  const input = useRef<HTMLInputElement>(null);
  const offered = useOffered(kind);
  const choose = (reason: string) => {
    onChange(reason);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.nativeEvent.isComposing) return;
    const chosen = /^[1-9]$/.test(event.key) ? offered[Number(event.key) - 1] : undefined;
    // Within words of one's own a digit is a digit.
    if (chosen === undefined || (value !== '' && !offered.includes(value))) return;
    event.preventDefault();
    onChange(chosen);
  };
  const keys = offered.length > 0 ? t('keys', { count: offered.length }) : undefined;
  return (
    <Stack gap="xs" style={{ gridColumn: '1 / -1' }} data-reason>
      <TextInput
        ref={input}
        label={label ?? t('reason')}
        description={[description, keys].filter(Boolean).join(' ') || undefined}
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        error={error}
        required={isDue}
        autoComplete="off"
        maw="45rem"
        {...(isAutoFocused && { 'data-autofocus': true })}
      />
      {offered.length > 0 && (
        <Group gap="xs" role="group" aria-label={t('choose')}>
          {offered.map((reason, index) => (
            <Button
              key={reason}
              variant={reason === value ? 'filled' : 'default'}
              aria-pressed={reason === value}
              // Keys choose in the input: Tab goes on to what saves.
              tabIndex={-1}
              leftSection={
                <kbd className="hint" aria-hidden>
                  {index + 1}
                </kbd>
              }
              onClick={() => choose(reason)}
              className="typed"
            >
              {reason}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** As they stand when the input opens: a key means the same until it closes. */
function useOffered(kind: ReasonKind): string[] {
  const { t } = useTranslation('reason');
  const { session } = useSession();
  const names = givenReasons(kind);
  const given = names.map(name => t(`given.${name}`));
  const user = session?.user?.id ?? 0;
  const own = useMemo(() => ownReasons(user, kind), [user, kind]);
  return [...given, ...own.filter(reason => !given.includes(reason))];
}

/** Keeps a reason of one's own for the next time, at this machine. */
export function useRememberReason(): (kind: ReasonKind, reason: string) => void {
  const { t } = useTranslation('reason');
  const { session } = useSession();
  return (kind, reason) => {
    const typed = reason.trim();
    const isGiven = givenReasons(kind).some(name => t(`given.${name}`) === typed);
    // A long explanation is of one case.
    if (typed !== '' && typed.length <= 60 && !isGiven) rememberReason(session?.user?.id ?? 0, kind, typed);
  };
}
