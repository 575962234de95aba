import { MultiSelect, Radio, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { boundableFamilies } from '../../../shared/families/boundable-families.ts';
import { family } from '../../../shared/families/registry.ts';
import type { tokenSchema } from '../../../shared/operations/extension-schemas.ts';
import { useWrite } from '../../api/calls.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { ActionForm } from '../../ui/action-form.tsx';

export type Token = z.infer<typeof tokenSchema>;
export type NewToken = Token & { secret: string };

/** Each includes those before it. */
export const SCOPES = ['read', 'write', 'admin'] as const;

export interface AddTokenProps {
  /** To choose from. */
  scopes: readonly (typeof SCOPES)[number][];
  onClose: () => void;
  onMade: (token: NewToken) => void;
}

/** A token with no more than its program needs: what it may, on which records, from where, until when. */
export function AddToken({ scopes, onClose, onMade }: AddTokenProps) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.tokens.create');
  const texts = useFamilyTexts();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<(typeof SCOPES)[number]>('read');
  const [lastDay, setLastDay] = useState('');
  const [families, setFamilies] = useState<string[]>([]);
  const [networks, setNetworks] = useState('');
  const isAdministering = scope === 'admin';
  return (
    <ActionForm
      title={t('token.new')}
      submit={t('token.create')}
      onClose={onClose}
      onSubmit={async () => {
        const body = {
          name,
          scopes: [scope],
          ends_at: lastDay === '' ? null : endOf(lastDay),
          families: isAdministering ? [] : families,
          networks: networks.split(/[\s,;]+/).filter(text => text !== ''),
        };
        const { data } = await mutateAsync({ body });
        onMade(data);
      }}
    >
      {errors => (
        <>
          <TextInput
            label={t('token.name')}
            description={t('token.name.hint')}
            required
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            error={errors('name')}
            autoComplete="off"
          />
          <Radio.Group label={t('token.scope')} value={scope} onChange={setScope} error={errors('scopes')}>
            {scopes.map(each => (
              <Radio
                key={each}
                value={each}
                label={t(`scope.${each}`)}
                description={t(`scope.${each}.may`)}
              />
            ))}
            {isAdministering && (
              <Text role="status" fw={700} mt="xs">
                {t('token.risk')}
              </Text>
            )}
          </Radio.Group>
          <TextInput
            type="date"
            label={t('token.last-day')}
            description={t('token.last-day.hint')}
            value={lastDay}
            onChange={event => setLastDay(event.currentTarget.value)}
            error={errors('ends_at')}
          />
          {!isAdministering && (
            <MultiSelect
              label={t('token.families')}
              description={t('token.families.hint')}
              data={boundableFamilies().map(each => ({ value: each, label: texts.plural(family(each)) }))}
              value={families}
              onChange={setFamilies}
              error={errors('families')}
              searchable
              nothingFoundMessage={t('token.families.none')}
            />
          )}
          <TextInput
            label={t('token.networks')}
            description={t('token.networks.hint')}
            value={networks}
            onChange={event => setNetworks(event.currentTarget.value)}
            error={errors('networks')}
            autoComplete="off"
          />
        </>
      )}
    </ActionForm>
  );
}

/** The end of a day, where the browser stands: the last day is a day on which the token counts. */
function endOf(day: string): string {
  const end = new Date(`${day}T00:00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}
