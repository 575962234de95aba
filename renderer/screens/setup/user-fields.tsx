import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Role } from '../../../shared/contract/role.ts';
import { languages } from '../../i18n/i18n.ts';
import { RoleChoice } from './role-choice.tsx';

export interface UserValues {
  name: string;
  login: string;
  role: Role | null;
  language: string | null;
}

export interface UserFieldsProps {
  values: UserValues;
  onChange: (values: UserValues) => void;
  errors: (name: string) => string | undefined;
}

/** Who a user is, and what the user may do. */
export function UserFields({ values, onChange, errors }: UserFieldsProps) {
  const { t } = useTranslation('setup');
  return (
    <>
      <TextInput
        label={t('user.name')}
        required
        value={values.name}
        onChange={event => onChange({ ...values, name: event.currentTarget.value })}
        error={errors('name')}
        autoComplete="off"
      />
      <TextInput
        label={t('user.login')}
        description={t('user.login.hint')}
        required
        value={values.login}
        onChange={event => onChange({ ...values, login: event.currentTarget.value })}
        error={errors('login')}
        autoComplete="off"
        spellCheck={false}
      />
      <LanguageSelect
        value={values.language}
        onChange={language => onChange({ ...values, language })}
        error={errors('language')}
      />
      <RoleChoice
        value={values.role}
        onChange={role => onChange({ ...values, role })}
        error={errors('roles')}
      />
    </>
  );
}

export interface LanguageSelectProps {
  value: string | null;
  onChange: (language: string | null) => void;
  error?: string | undefined;
}

export function LanguageSelect({ value, onChange, error }: LanguageSelectProps) {
  const { t } = useTranslation('setup');
  return (
    <Select
      label={t('user.language')}
      data={[
        { value: '', label: t('user.language.browser') },
        ...languages.map(language => ({ value: language, label: t(`session:language.${language}`) })),
      ]}
      value={value ?? ''}
      onChange={chosen => onChange(chosen || null)}
      allowDeselect={false}
      error={error}
    />
  );
}

/** The body of a write. */
export function userBody({ name, login, role, language }: UserValues) {
  return { name, login, language, roles: role === null ? [] : [role] };
}
