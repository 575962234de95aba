import { Alert, Anchor, Button, Group, Stack, Text, Timeline } from '@mantine/core';
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Family } from '../../shared/contract/define-family.ts';
import { momentOf } from '../../shared/contract/moment-of.ts';
import type { Operations } from '../../shared/operations/operation-types.ts';
import { useCall } from '../api/calls.ts';
import { useAuthorName } from '../i18n/author-name.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useFormats } from '../i18n/formats.ts';
import { Failure } from '../ui/failure.tsx';
import { AuthorProof } from './author-proof.tsx';
import { ClockNote } from './clock-note.tsx';
import { describePath } from './described-path.ts';
import { FieldValue } from './field-value.tsx';

const PER_PAGE = 50;

/** Who changed what, when and why, newest first: old and new value of every field. */
export function RecordHistory({ family, id }: { family: Family; id: number }) {
  const { t } = useTranslation('record');
  const formats = useFormats();
  const authorName = useAuthorName();
  const [older, setOlder] = useState(0);
  const params = { family: family.name, id };
  const first = useCall('x.history.list', { params, query: { per_page: PER_PAGE } });
  const total = Number(first.data?.meta.total ?? 0);
  // Pages count from the oldest; what is read first here is the newest.
  const last = Math.max(1, Math.ceil(total / PER_PAGE));
  const page = useCall(
    'x.history.list',
    { params, query: { per_page: PER_PAGE, page: Math.max(1, last - older) } },
    { isEnabled: total > 0, keepsPrevious: true },
  );
  const { error, refetch } = first.error ? first : page;
  const pastPath = `/app/records/${family.name}/${id}/past`;
  const { isFetching } = first;
  const missing = first.data?.meta.missing;
  const entries = (page.data?.data ?? []).toReversed();
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!first.data) return <Text role="status">{t('app:reading')}</Text>;
  return (
    <Stack>
      <Group justify="space-between">
        <Text role="status" size="sm">
          {t('history.count', { count: total })}
        </Text>
        <Button component={Link} to={pastPath} variant="default" leftSection={<IconHistory aria-hidden />}>
          {t('past:open')}
        </Button>
      </Group>
      {missing && (
        <MissingHistory missing={missing} isBusy={isFetching} onRetry={() => void first.refetch()} />
      )}
      <Timeline bulletSize={20} lineWidth={2} active={entries.length}>
        {entries.map(entry => (
          <Timeline.Item
            key={entry.commit}
            title={[formats.moment(entry.at), entry.user_name ?? authorName(entry.user), entry.station_name]
              .filter(Boolean)
              .join(' · ')}
          >
            {entry.author_proof && <AuthorProof proof={entry.author_proof} />}
            <ClockNote at={entry.at} offset={entry.clock_offset} atLeast={entry.clock_at_least} />
            {entry.reason && (
              <Text className="typed" fs="italic">
                {t('history.reason', { reason: entry.reason })}
              </Text>
            )}
            <dl className="changes">
              {entry.changes.map(change => (
                <Change key={change.path} family={family} {...change} />
              ))}
            </dl>
            <Anchor
              component={Link}
              size="sm"
              to={`${pastPath}?${new URLSearchParams({ as_of: momentOf({ ...entry, clock_offset: entry.clock_offset ?? null }) })}`}
              aria-label={`${t('past:entry')}: ${formats.moment(entry.at)}`}
            >
              {t('past:entry')}
            </Anchor>
            {entry.unknown !== undefined && entry.unknown.length > 0 && (
              <Text size="sm" c="dimmed" className="typed">
                {t('history.unknown', { names: entry.unknown.join(', ') })}
              </Text>
            )}
          </Timeline.Item>
        ))}
      </Timeline>
      {last > 1 && (
        <Stack gap="xs">
          {older + 1 < last && (
            <Button variant="default" onClick={() => setOlder(older + 1)}>
              {t('history.older')}
            </Button>
          )}
          {older > 0 && (
            <Button variant="default" onClick={() => setOlder(older - 1)}>
              {t('history.newer')}
            </Button>
          )}
        </Stack>
      )}
    </Stack>
  );
}

/** Where a station took records in place of the log: what was before comes from central when somebody looks. */
function MissingHistory({
  missing,
  isBusy,
  onRetry,
}: {
  missing: NonNullable<Operations['x.history.list']['meta']['missing']>;
  isBusy: boolean;
  onRetry: () => void;
}) {
  const { t } = useTranslation('record');
  const formats = useFormats();
  const { reason, message, known_since: since } = missing;
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('history.missing')}
    >
      <Text size="sm">
        {since === null
          ? t('history.missing.unknown')
          : t('history.missing.since', { since: formats.moment(since) })}{' '}
        {t(`history.missing.${reason}`)}
      </Text>
      {reason === 'refused' && (
        <Text size="sm" className="typed">
          {message}
        </Text>
      )}
      <Button mt="xs" size="xs" variant="default" loading={isBusy} onClick={onRetry}>
        {t('history.missing.again')}
      </Button>
    </Alert>
  );
}

function Change({
  family,
  path,
  old,
  new: present,
}: {
  family: Family;
  path: string;
  old: unknown;
  new: unknown;
}) {
  const texts = useFamilyTexts();
  const { label, field } = describePath(family, path, texts.word);
  const show = (value: unknown) =>
    field ? <FieldValue field={field} value={value} /> : <Plain value={value} />;
  return (
    <div>
      <dt className="typed">{label}</dt>
      <dd>
        {old !== null && old !== undefined && (
          <>
            <del>{show(old)}</del> <span aria-hidden>→</span>{' '}
          </>
        )}
        <ins>{show(present)}</ins>
      </dd>
    </div>
  );
}

function Plain({ value }: { value: unknown }) {
  return <span className="typed">{typeof value === 'string' ? value : JSON.stringify(value)}</span>;
}
