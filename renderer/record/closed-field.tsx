import { Group, Text } from '@mantine/core';
import type { Field } from '../../shared/contract/fields.ts';
import type { Role } from '../../shared/contract/role.ts';
import { useTitles } from '../api/titles.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { ForRole } from '../ui/reason/for-role.tsx';
import { FieldValue, referredFamily } from './field-value.tsx';

interface ClosedFieldProps {
  field: Field;
  value: unknown;
  /** Of which it is a value, where another one says what it refers to. */
  record?: Record<string, unknown>;
  /** Whose it is to change it. */
  role: Role;
}

/** A field of a form that this user cannot change: what it says, and whom it is for. */
export function ClosedField({ field, value, record, role }: ClosedFieldProps) {
  const texts = useFamilyTexts();
  const target = field.kind === 'reference' ? referredFamily(field, record) : undefined;
  const titleOf = useTitles(target && value ? [`${target}:${value}`] : []);
  const label = texts.label(field);
  return (
    <section aria-label={label}>
      <Text fw={500}>{label}</Text>
      <Group gap="sm" mih={48}>
        <FieldValue field={field} value={value} titleOf={titleOf} {...(record && { record })} />
        <ForRole role={role} />
      </Group>
    </section>
  );
}
