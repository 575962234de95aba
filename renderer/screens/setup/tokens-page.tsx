import { Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { familyOf } from '../../../shared/families/registry.ts';
import { useCall } from '../../api/calls.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { AddToken, type NewToken, SCOPES, type Token } from './add-token.tsx';
import { useCentralAddress } from './at-central.tsx';
import { RevocableTable } from './revocable-table.tsx';
import { ShownOnce } from './shown-once.tsx';
import { WebOrigins } from './web-origins.tsx';

/** What programs call the interface with. */
export function TokensPage() {
  const { t } = useTranslation('setup');
  const { data, error, refetch } = useCall('x.tokens.list');
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
      {data && <WebOrigins />}
    </Stack>
  );
}

function TokenTable({ tokens }: { tokens: readonly Token[] }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const texts = useFamilyTexts();
  const boundsOf = ({ ends_at: end, families, networks }: Token) => [
    ...(end === null ? [] : [t(isOver(end) ? 'token.ended' : 'token.until', { at: formats.moment(end) })]),
    ...(families ?? []).map(name => {
      const family = familyOf(name);
      return family ? texts.plural(family) : name;
    }),
    ...(networks ?? []),
  ];
  return (
    <RevocableTable
      label={t('section.tokens')}
      rows={tokens}
      nameLabel={t('token.name')}
      columns={[
        {
          label: t('token.scope'),
          show: ({ roles, effective_scopes: scopes }) => (
            <>
              {roles.map(role => t(`role.${role}`)).join(', ')}
              {scopes.includes('admin') && <strong> – {t('token.is-risk')}</strong>}
            </>
          ),
        },
        { label: t('token.bounds'), show: token => boundsOf(token).join(', ') || t('token.unbounded') },
        {
          label: t('token.created'),
          show: ({ created_at: at, created_by: by }) =>
            by === null ? formats.moment(at) : t('token.created.by', { at: formats.moment(at), by }),
        },
        {
          label: t('token.used'),
          show: ({ last_used_at: at, last_used_from: from }) =>
            at === null ? t('token.unused') : t('token.used.from', { at: formats.moment(at), from }),
        },
      ]}
      operation="x.tokens.revoke"
      sure={t('token.revoke.sure')}
      minWidth={1000}
    />
  );
}

function isOver(end: string): boolean {
  return Date.parse(end) <= Date.now();
}
