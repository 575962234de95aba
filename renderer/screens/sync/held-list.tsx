import { Anchor, Badge, Button, Card, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Held, SyncState } from '../../../shared/operations/exchange-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { recordPath } from '../../ui/record-path.ts';
import { Section } from '../../ui/section.tsx';

/** What central holds and why: it lets it in after all, or central or the author's station gives it up. */
export function HeldList({ role }: { role: SyncState['role'] | undefined }) {
  const { t } = useTranslation('sync');
  const { data, error, refetch } = useCall('x.held.list', { query: { per_page: 50 } });
  const held = data?.data ?? [];
  const total = Number(data?.meta.total ?? held.length);
  if (!error && held.length === 0) return null;
  return (
    <Section title={t('held', { count: total })}>
      <Text mb="sm">{t('held.text')}</Text>
      <Failure error={error} onRetry={() => void refetch()} />
      <Stack>
        {held.map((one, index) => (
          <HeldCommit key={one.commit_id} held={one} place={index + 1} isCentral={role === 'central'} />
        ))}
      </Stack>
      {total > held.length && <Text>{t('more', { count: total - held.length })}</Text>}
    </Section>
  );
}

interface HeldCommitProps {
  held: Held;
  /** In the list, from 1. */
  place: number;
  isCentral: boolean;
}

function HeldCommit({ held, place, isCentral }: HeldCommitProps) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const may = useMay();
  const [verb, setVerb] = useState<'release' | 'withdraw' | null>(null);
  const titleOf = useTitles(held.records.map(({ family, id }) => `${family}:${id}`));
  // Who may see the users is an administrator.
  const isTheirs = !held.is_administrative || may('x.users.list');
  const [code = '', detail = ''] = held.code.split(/:\s*(.*)/s);
  const canDecide = !held.is_withdrawn_here && verb === null && isTheirs;
  return (
    <Card withBorder component="section" aria-label={t('held.one', { place, user: held.user })}>
      <Stack gap="xs">
        <Text fw={700}>{WHY.test(code) ? t(`why.${code}`) : held.why}</Text>
        {held.is_administrative && (
          <Badge color="red" variant="light">
            {t('held.people')}
          </Badge>
        )}
        {detail !== '' && <Text className="typed">{detail}</Text>}
        <Text size="sm" className="typed">
          {[held.user, formats.moment(held.at), held.station_name].filter(Boolean).join(' · ')}
        </Text>
        {held.reason && (
          <Text size="sm" fs="italic" className="typed">
            {t('value.reason', { reason: held.reason })}
          </Text>
        )}
        <List listStyleType="none">
          {held.records.map(({ family, id }) => (
            <List.Item key={`${family}:${id}`}>
              <Anchor component={Link} to={recordPath(family, id)} className="cell-link typed">
                {titleOf(family, id) ?? `${family} ${id}`}
              </Anchor>
            </List.Item>
          ))}
        </List>
        {held.is_withdrawn_here && <Text>{t('held.withdrawn')}</Text>}
        {canDecide && (
          <Group>
            {isCentral && may('x.held.release') && (
              <Button variant="default" onClick={() => setVerb('release')}>
                {t('held.release')}
              </Button>
            )}
            {may('x.held.withdraw') && (
              <Button variant="default" onClick={() => setVerb('withdraw')}>
                {t('held.withdraw')}
              </Button>
            )}
          </Group>
        )}
        {verb && (
          <Decide
            id={held.commit_id}
            verb={verb}
            isTogether={isCentral && /^(right_lost|not_signed)$/.test(code)}
            onClose={() => setVerb(null)}
          />
        )}
      </Stack>
    </Card>
  );
}

/** Reasons that this version has words for. */
const WHY =
  /^(schema|unknown_target|id_taken|over_withdrawn|follows|central_decides|not_permitted|right_lost|not_signed|not_proved|beyond_limit|not_allowed)$/;

interface DecideProps {
  id: string;
  verb: 'release' | 'withdraw';
  /** What a person wrote without a right that he once had, or before he knew that it is signed, is decided together. */
  isTogether: boolean;
  onClose: () => void;
}

function Decide({ id, verb, isTogether, onClose }: DecideProps) {
  const { t } = useTranslation('sync');
  const { mutateAsync } = useWrite(`x.held.${verb}`);
  return (
    <ReasonForm
      title={t(`held.${verb}`)}
      label={t('reason:reason')}
      description={t(isTogether ? `held.${verb}.all` : `held.${verb}.hint`)}
      onClose={onClose}
      onSubmit={(reason, signature) =>
        mutateAsync({
          params: { commit_id: id },
          body: { reason, ...(isTogether && { with_alike: true }), ...signature },
        })
      }
    />
  );
}
