import { PasswordInput, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import { differingLabData } from '../../../shared/families/lab-data.ts';
import { canBeSigned } from '../../../shared/families/signature-acts.ts';
import {
  type DueSignature,
  type SignedChange,
  signaturesDue,
} from '../../../shared/families/signatures-due.ts';
import { useSession } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { useTitles } from '../../api/titles.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useFormats } from '../../i18n/formats.ts';
import { TitledTable } from '../titled-table.tsx';
import { useDeviationWords } from './policy-words.ts';

export interface Signing {
  isNeeded: boolean;
  needsReason: boolean;
  due: readonly DueSignature[];
  /** What is signed; null where only the server knows. */
  change: SignedChange | null;
  password: string;
  setPassword: (password: string) => void;
  /** What a write carries of it: the reason that a person typed is the one that is signed. */
  bodyOf: (reason: string) => Record<string, string>;
}

/** A person's password as it is typed, and the site's settings about what is signed with it. */
export interface Signer {
  /** What that change is signed for; `isAsked`: the server wants it signed whatever is known here. */
  of: (change: SignedChange | null, isAsked?: boolean) => Signing;
}

/** @param isEnabled false where nothing can be signed, and the settings are not read */
export function useSigner(isEnabled = true): Signer {
  const { data } = useSettings(isEnabled);
  const [password, setPassword] = useState('');
  return {
    of: (change, isAsked = false) => {
      const due = data && change ? signaturesDue(data.data, change) : [];
      const isNeeded = due.length > 0 || isAsked;
      return {
        isNeeded,
        needsReason: due.some(({ needsReason }) => needsReason),
        due,
        change,
        password,
        setPassword,
        bodyOf: reason =>
          isNeeded
            ? { esignature_password: password, ...(reason !== '' && { esignature_reason: reason }) }
            : {},
      };
    },
  };
}

/** The signature that the site's settings ask for with a change; null where there is none to sign yet. */
export function useSigning(change: SignedChange | null): Signing {
  return useSigner(change !== null && canBeSigned(change.family)).of(change);
}

/** A change of a record's own fields, by which the signatures that it needs are found. */
export function changeOf(
  family: Family,
  before: Readonly<Record<string, unknown>> | undefined,
  fields: Readonly<Record<string, unknown>>,
): SignedChange {
  const changes = Object.entries(fields).flatMap(([path, now]) => {
    const old = before?.[path] ?? null;
    return sameJson(old, now ?? null) ? [] : [{ path, old, new: now ?? null }];
  });
  return { family, changes, before, after: { ...before, ...fields } };
}

/** What is signed, by whom and for what, and the password that signs it; nothing where no signature is asked for. */
export function SigningField({ signing, error }: { signing: Signing; error: string | undefined }) {
  const { t } = useTranslation('quality');
  const { session } = useSession();
  const texts = useFamilyTexts();
  if (!signing.isNeeded) return null;
  const another = signing.due.find(({ needsAnother }) => needsAnother);
  const meanings = signing.due.map(({ meaning }) => texts.choice(meaning)).join(', ');
  return (
    <Stack gap="xs" my="sm" style={{ gridColumn: '1 / -1' }} data-signing>
      {signing.change && <WhatIsSigned change={signing.change} />}
      {meanings !== '' && (
        <Text>
          {t('sign.meaning')}: <strong>{meanings}</strong>
        </Text>
      )}
      {another && <Text>{t(another.waiting.length > 0 ? 'sign.waits' : 'sign.another')}</Text>}
      <PasswordInput
        maw="24rem"
        label={t('sign.password')}
        description={t('sign.hint', { name: session?.user?.name })}
        value={signing.password}
        onChange={event => signing.setPassword(event.currentTarget.value)}
        error={error}
        // The library says it of every input but this one.
        aria-invalid={error === undefined ? undefined : true}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('sign.show'), size: 44 }}
        required
      />
    </Stack>
  );
}

/** Each value as it was and as it will be. */
function WhatIsSigned({ change }: { change: SignedChange }) {
  const { t } = useTranslation('quality');
  const texts = useFamilyTexts();
  const { family, changes } = change;
  const shown = useShownValue(change);
  if (changes.length === 0) return null;
  return (
    <TitledTable
      minWidth={320}
      withTableBorder
      aria-label={t('sign.what')}
      columns={['sign.what', 'sign.before', 'sign.after'].map(key => t(key))}
    >
      {changes.map(({ path, old, new: now }) => {
        const field = family.fields[path];
        const measured = path === 'lab_data' ? differingLabData(old, now) : undefined;
        return (
          <Table.Tr key={path}>
            <Table.Td>{field ? texts.label(field) : texts.path(path)}</Table.Td>
            <Table.Td className="typed">{measured ? measured.old || '–' : shown(path, old)}</Table.Td>
            <Table.Td className="typed">{measured ? measured.now || '–' : shown(path, now)}</Table.Td>
          </Table.Tr>
        );
      })}
    </TitledTable>
  );
}

/** A value as people read it: days as the language writes them, records by what they are called. */
function useShownValue({ family, changes }: SignedChange): (path: string, value: unknown) => string {
  const { t } = useTranslation('app');
  const texts = useFamilyTexts();
  const formats = useFormats();
  const deviations = useDeviationWords();
  const titleOf = useTitles(
    changes.flatMap(({ path, old, new: now }) => {
      const target = family.fields[path]?.reference;
      return target ? [old, now].flatMap(id => (typeof id === 'number' ? [`${target}:${id}`] : [])) : [];
    }),
  );
  return (path, value) => {
    const field = family.fields[path];
    if (path === 'esignature_deviations') return deviations(Object(value)) || '–';
    if (value === null || value === undefined || value === '') return '–';
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number')
      return (field?.reference && titleOf(field.reference, value)) || formats.number(value);
    if (typeof value !== 'string') return JSON.stringify(value);
    if (field?.kind === 'date') return formats.day(value);
    return field?.kind === 'timestamp' ? formats.moment(value) : texts.choice(value);
  };
}
