import { Group, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { tokenSchema } from '../../../shared/operations/extension-schemas.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { useCentralAddress } from './at-central.tsx';
import { RevocableTable } from './revocable-table.tsx';
import { ShownOnce } from './shown-once.tsx';

type Token = z.infer<typeof tokenSchema>;
type NewToken = Token & { secret: string };

/** Each includes those before it. */
const SCOPES = ['read', 'write', 'admin'] as const;

/** What programs call the interface with. */
export function TokensPage() {
  const { t } = useTranslation('setup');
  const { data, error, refetch } = useCall<Token[]>('x.tokens.list');
  const [isAdding, add] = useDisclosure(false);
  const [made, setMade] = useState<NewToken | null>(null);
  const isStation = useCentralAddress() !== null;
  useHotkeys([['n', add.open]]);
  const valid = (data?.data ?? []).filter(token => token.revoked_at === null);
  const revoked = (data?.data ?? []).filter(token => token.revoked_at !== null);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('section.tokens')}</Title>
        {!isAdding && <NewButton onClick={add.open}>{t('token.new')}</NewButton>}
      </Group>
      <Text>{t('token.text')}</Text>
      {isStation && <Text>{t('token.at-station')}</Text>}
      {isAdding && (
        <AddToken
          scopes={isStation ? SCOPES.filter(scope => scope !== 'admin') : SCOPES}
          onClose={add.close}
          onMade={setMade}
        />
      )}
      {made && (
        <ShownOnce
          title={t('token.made', { name: made.name })}
          secret={made.secret}
          onClose={() => setMade(null)}
        >
          {t('token.once')}
        </ShownOnce>
      )}
      <Failure error={error} onRetry={() => void refetch()} />
      {data && <TokenTable tokens={[...valid, ...revoked]} />}
    </Stack>
  );
}

function TokenTable({ tokens }: { tokens: readonly Token[] }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  return (
    <RevocableTable
      label={t('section.tokens')}
      rows={tokens}
      nameLabel={t('token.name')}
      columns={[
        {
          label: t('token.scope'),
          show: ({ effective_scopes: scopes }) => t(`scope.${scopes.at(-1) ?? 'read'}`),
        },
        { label: t('token.created'), show: ({ created_at }) => formats.moment(created_at) },
      ]}
      operation="x.tokens.revoke"
      sure={t('token.revoke.sure')}
      minWidth={600}
    />
  );
}

interface AddTokenProps {
  /** To choose from. */
  scopes: readonly (typeof SCOPES)[number][];
  onClose: () => void;
  onMade: (token: NewToken) => void;
}

function AddToken({ scopes, onClose, onMade }: AddTokenProps) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite<NewToken>('x.tokens.create');
  const [name, setName] = useState('');
  const [scope, setScope] = useState('read');
  return (
    <ActionForm
      title={t('token.new')}
      submit={t('token.create')}
      onClose={onClose}
      onSubmit={async () => {
        const { data } = await mutateAsync({ body: { name, scopes: [scope] } });
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
          </Radio.Group>
        </>
      )}
    </ActionForm>
  );
}
