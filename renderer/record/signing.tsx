import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { settingsSchema } from '../../shared/operations/extension-schemas.ts';
import { useCall } from '../api/calls.ts';
import { useSession } from '../api/session.ts';

export interface Signing {
  isNeeded: boolean;
  needsReason: boolean;
  password: string;
  setPassword: (password: string) => void;
  /** What a write carries of it: the reason that a person typed is the one that is signed. */
  bodyOf: (reason: string) => Record<string, string>;
}

/** The signature that the site's settings ask for with each change of a report. */
export function useSigning(isSigned = true): Signing {
  const { data } = useCall<z.infer<typeof settingsSchema>>('x.settings.read', {}, { isEnabled: isSigned });
  const [password, setPassword] = useState('');
  const isNeeded = isSigned && data?.data.is_esignature_required === true;
  return {
    isNeeded,
    needsReason: isNeeded && data?.data.is_esignature_reason_required === true,
    password,
    setPassword,
    bodyOf: reason =>
      isNeeded ? { esignature_password: password, ...(reason !== '' && { esignature_reason: reason }) } : {},
  };
}

/** The password that signs; nothing where no signature is asked for. */
export function SigningField({ signing, error }: { signing: Signing; error: string | undefined }) {
  const { t } = useTranslation('quality');
  const { session } = useSession();
  if (!signing.isNeeded) return null;
  return (
    <PasswordInput
      label={t('sign.password')}
      description={t('sign.hint', { name: session?.user?.name })}
      value={signing.password}
      onChange={event => signing.setPassword(event.currentTarget.value)}
      error={error}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': t('sign.show'), size: 44 }}
      required
    />
  );
}
