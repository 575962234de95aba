import { Badge, Group } from '@mantine/core';
import { IconCheck, IconLock, IconUserOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../shared/contract/define-family.ts';
import type { families } from '../../../shared/families/registry.ts';
import { useFormats } from '../../i18n/formats.ts';

/** How long a lockout lasts. */
const LOCKOUT_MS = 15 * 60_000;

/** Whether a user can sign in, and why not: by shape and text. */
export function UserState({ user }: { user: User }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const lockedOut = lockoutOf(user);
  const look = { variant: 'outline', size: 'lg', styles: { root: { textTransform: 'none' } } } as const;
  return (
    <Group gap="xs">
      {user.is_active ? (
        <Badge {...look} color="gray" leftSection={<IconCheck aria-hidden size={16} />}>
          {t(stateOf(user))}
        </Badge>
      ) : (
        <Badge {...look} color="gray" leftSection={<IconUserOff aria-hidden size={16} />}>
          {t('user.inactive')}
        </Badge>
      )}
      {lockedOut && (
        <Badge {...look} variant="filled" color="red.9" leftSection={<IconLock aria-hidden size={16} />}>
          {t('user.locked-out', { at: formats.moment(lockedOut) })}
        </Badge>
      )}
    </Group>
  );
}

function stateOf({ password_changed_at: changed, password_revoked_at: revoked }: User) {
  if (revoked) return 'user.revoked';
  return changed ? 'user.active' : 'user.without-password';
}

/** Since when wrong passwords keep the user out; null: they do not. */
export function lockoutOf({ locked_out_at: at }: User): string | null {
  if (!at) return null;
  const since = Date.parse(at.includes('T') ? at : `${at.replace(' ', 'T')}Z`);
  return Date.now() - since < LOCKOUT_MS ? at : null;
}

export type User = Answer<(typeof families)['user']>;
