import { Anchor, Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { AttentionGroup } from '../../../shared/operations/overview-operations.ts';
import { callOptions } from '../../api/calls.ts';
import { useHasRole, useHighestRole, useMay } from '../../api/may.ts';
import { useSession } from '../../api/session.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { Failure } from '../../ui/failure.tsx';
import { recordPath } from '../../ui/record-path.ts';
import { Section } from '../../ui/section.tsx';
import { SampleCompany } from '../setup/sample-company.tsx';
import { byWork, matterPlaces } from './by-work.ts';

/** While something of it is still being counted, as after a start. */
const STILL_COUNTING_MS = 1_000;

/** What needs attention today. */
export function Component() {
  const { t } = useTranslation('home');
  const { session } = useSession();
  const may = useMay();
  const role = useHighestRole();
  const { data, error, refetch } = useQuery({
    ...callOptions('x.attention.read'),
    refetchInterval: ({ state }) =>
      state.data?.data.some(group => !group.is_complete) ? STILL_COUNTING_MS : false,
  });
  // Only quality can do something about them; who locks a lot by one sees it there.
  const isQuality = useHasRole('quality');
  const groups = (data?.data ?? []).filter(
    ({ kind, total }) => total > 0 && (isQuality || kind !== 'corrections_awaiting'),
  );
  return (
    <Stack>
      <Title order={1} className="typed">
        {t('title', { name: session?.user?.name })}
      </Title>
      {may('x.sample-company.create') && <SampleCompany isGoneWhenDone />}
      <Failure error={error} onRetry={() => void refetch()} />
      {!data && !error && <Text role="status">{t('reading')}</Text>}
      {data && groups.length === 0 && (
        <Group>
          <IconCircleCheck aria-hidden size={40} />
          <Text size="lg">{t('nothing')}</Text>
        </Group>
      )}
      {byWork(groups, role).map(([work, matters]) => (
        <Section key={work} title={t(`work.${work}`)}>
          <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
            {matters.map(group => (
              <Matter key={group.kind} group={group} />
            ))}
          </SimpleGrid>
        </Section>
      ))}
    </Stack>
  );
}

/** At a station it is central's key, which is certified there; elsewhere the own one. */
function usePlaceOf() {
  const { session } = useSession();
  const isOwnKey = session?.station.role !== 'station';
  return (kind: AttentionGroup['kind']) =>
    kind === 'authority' && isOwnKey ? '/app/setup/authority' : matterPlaces[kind].path;
}

function Matter({ group }: { group: AttentionGroup }) {
  const { t } = useTranslation('home');
  const formats = useFormats();
  const words = useRecordWords();
  const say = useServerMessage();
  const { kind, total, overdue, items, says } = group;
  const placeOf = usePlaceOf();
  // What to do stands in settings that not everybody sees.
  const isForOthers = !useMay()('x.backups.list') && kind === 'backup';
  /** What an item says about itself beside its title and its day, which has a place of its own. */
  const besides = ({ family, title, subtitle, date }: AttentionGroup['items'][number]) =>
    (words.subtitle(family, subtitle)?.split(' · ') ?? [])
      .filter(detail => detail !== formats.day(date) && !title.includes(detail))
      .join(' · ');
  return (
    <Card withBorder component="section" aria-label={t(`kind.${kind}`)}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={3} size="h4">
          {isForOthers ? (
            t(`kind.${kind}`)
          ) : (
            <Anchor component={Link} to={placeOf(kind)} className="cell-link" inherit>
              {t(`kind.${kind}`)}
            </Anchor>
          )}
        </Title>
        <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
          {overdue ? (
            <Badge size="xl" color="red">
              {t('overdue', { count: overdue })}
            </Badge>
          ) : null}
          {overdue !== total && (
            <Badge size="xl" variant="outline" color="gray" aria-label={t('total', { count: total })}>
              {formats.number(total)}
            </Badge>
          )}
        </Group>
      </Group>
      {isForOthers ? (
        <Text>{t('backup.tell')}</Text>
      ) : (
        says?.split('\n').map(sentence => (
          <Text key={sentence} className="typed">
            {say(sentence)}
          </Text>
        ))
      )}
      <ul className="members">
        {items.slice(0, 5).map(item => (
          <li key={`${item.family}:${item.id}`}>
            <Anchor component={Link} to={recordPath(item.family, item.id)} className="row-link">
              <span className="typed">
                {words.title(item.family, item.id, item.title)}
                <Text span c="dimmed">{` ${besides(item)}`}</Text>
              </span>
              {item.date && <span className="date">{formats.day(item.date)}</span>}
            </Anchor>
          </li>
        ))}
      </ul>
      {total > 5 && (
        <Anchor component={Link} to={placeOf(kind)} className="cell-link" size="sm">
          {t('more', { count: total - Math.min(5, items.length) })}
        </Anchor>
      )}
    </Card>
  );
}
