import { Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Role } from '../../../shared/contract/role.ts';

/** Stands where something is not offered: whom it is for. */
export function ForRole({ role }: { role: Role }) {
  const { t } = useTranslation('reason');
  return (
    <Text span size="sm" c="dimmed" style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}>
      <IconLock size={16} aria-hidden />
      {t('for', { role: t(`role.${role}`) })}
    </Text>
  );
}
