import { Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ROLES, type Role } from '../../../shared/contract/role.ts';

export interface RoleChoiceProps {
  value: Role | null;
  onChange: (role: Role) => void;
  error?: string | undefined;
}

/** What a user may do, in words: each role includes those before it, so that one is enough. */
export function RoleChoice({ value, onChange, error }: RoleChoiceProps) {
  const { t } = useTranslation('setup');
  return (
    <Radio.Group
      label={t('role')}
      description={t('role.hint')}
      value={value ?? ''}
      onChange={chosen => {
        const role = ROLES.find(each => each === chosen);
        if (role) onChange(role);
      }}
      error={error}
      style={{ gridColumn: '1 / -1' }}
    >
      <Stack gap={0} mt="xs">
        {ROLES.map(role => (
          <Radio key={role} value={role} label={t(`role.${role}`)} description={t(`role.${role}.may`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** The one that includes all others of a user's; null: no role. */
export function highestRole(roles: readonly string[] | null): Role | null {
  return ROLES.findLast(role => roles?.includes(role)) ?? null;
}
