import { Button, Group, Pagination, Stack, Table, Text, Title } from '@mantine/core';
import { IconDownload, IconRosetteDiscountCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { AuditEventAnswer } from '../../../shared/operations/audit-operations.ts';
import { useCall } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { TitledTable } from '../../ui/titled-table.tsx';
import { AuditDetail } from './audit-detail.tsx';
import { AuditFilters, queryOf } from './audit-filters.tsx';
import { AuditReviews } from './audit-reviews.tsx';
import { useKindName } from './use-kind-name.ts';

const PER_PAGE = 50;

/** What the system noted of itself: filters and the chosen event stand in the address, so that a finding can be passed on. */
export function AuditPage() {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const { session } = useSession();
  const [address, setAddress] = useSearchParams();
  const query = queryOf(address);
  const page = Number(address.get('page')) || 1;
  const chosen = Number(address.get('event')) || null;
  const { data, error, refetch } = useCall(
    'x.audit.list',
    { query: { ...query, page, per_page: PER_PAGE, order: 'desc' } },
    { keepsPrevious: true },
  );
  const total = Number(data?.meta.total ?? 0);
  const go = (values: Record<string, string>) => {
    const next = new URLSearchParams(address);
    for (const [name, value] of Object.entries(values)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    setAddress(next, { replace: true });
  };
  return (
    <Stack>
      <Title order={1}>{t('section.audit')}</Title>
      <Text maw="45rem">{t('audit.text')}</Text>
      {session?.station.role === 'station' && <Text maw="45rem">{t('audit.own')}</Text>}
      <AuditFilters key={address.toString()} address={address} onShow={values => setAddress(values)} />
      <Failure error={error} onRetry={() => void refetch()} />
      {!data && !error && <Text role="status">{t('app:reading')}</Text>}
      {data && (
        <Text role="status">{total === 0 ? t('audit.none') : t('audit.found', { count: total })}</Text>
      )}
      {chosen !== null && <AuditDetail id={chosen} onClose={() => go({ event: '' })} />}
      {data && total > 0 && (
        <Events events={data.data} chosen={chosen} onChoose={id => go({ event: String(id) })} />
      )}
      {total > PER_PAGE && (
        <nav aria-label={t('audit.pages')}>
          <Pagination
            total={Math.ceil(total / PER_PAGE)}
            value={page}
            onChange={next => go({ page: next === 1 ? '' : String(next), event: '' })}
            getItemProps={number => ({ 'aria-label': t('audit.page', { number: formats.number(number) }) })}
            getControlProps={control => ({ 'aria-label': t(`audit.page.${control}`) })}
          />
        </nav>
      )}
      {total > 0 && <TakeAlong query={query} />}
      <AuditReviews />
    </Stack>
  );
}

function Events({
  events,
  chosen,
  onChoose,
}: {
  events: readonly AuditEventAnswer[];
  chosen: number | null;
  onChoose: (id: number) => void;
}) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const kindName = useKindName();
  const columns = [
    ...(['when', 'what', 'who', 'address', 'about'] as const).map(name => t(`audit.${name}`)),
    t('audit.station'),
  ];
  return (
    <TitledTable minWidth={900} verticalSpacing={0} aria-label={t('audit.events')} columns={columns}>
      {events.map(event => (
        <Table.Tr key={event.id} {...(event.id === chosen && { 'aria-current': 'true' })}>
          <Table.Td className="date">{formats.exactMoment(event.at)}</Table.Td>
          <Table.Td>
            <Button
              variant="subtle"
              px={0}
              aria-label={`${kindName(event.kind ?? '')}, ${formats.exactMoment(event.at)}: ${t('audit.open')}`}
              onClick={() => onChoose(event.id)}
            >
              {kindName(event.kind ?? '')}
              {event.count === null ? '' : ` (${formats.number(event.count)})`}
            </Button>
          </Table.Td>
          <Table.Td className="typed">{event.author_name ?? event.author ?? t('audit.machine')}</Table.Td>
          <Table.Td className="typed">{event.address}</Table.Td>
          <Table.Td className="typed">{event.subject}</Table.Td>
          <Table.Td className="typed">{event.station_name ?? event.station.slice(0, 8)}</Table.Td>
        </Table.Tr>
      ))}
    </TitledTable>
  );
}

/** The same events as files. */
function TakeAlong({ query }: { query: Record<string, string> }) {
  const { t } = useTranslation('setup');
  const [failure, setFailure] = useState<unknown>(null);
  const language = useLanguage();
  const take = async (
    read: (query: Record<string, string>) => Promise<Response>,
    name: string,
    asked = Object.keys(query),
  ) => {
    setFailure(null);
    try {
      const narrowed = Object.fromEntries(Object.entries(query).filter(([each]) => asked.includes(each)));
      const response = await read(narrowed);
      saveFile(await response.blob(), name);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        {t('audit.take')}
      </Title>
      <Failure error={failure} />
      <Text maw="45rem">{t('audit.package.text')}</Text>
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden />}
          onClick={() =>
            void take(
              query => client.stream('x.audit.export', { query: { ...query, format: 'csv', bom: true } }),
              'audit-trail.csv',
            )
          }
        >
          {t('audit.csv')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden />}
          onClick={() =>
            void take(
              query => client.stream('x.audit.export', { query: { ...query, format: 'json' } }),
              'audit-trail.jsonl',
            )
          }
        >
          {t('audit.json')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden />}
          onClick={() =>
            void take(
              query => client.stream('x.audit.paper', { query: { ...query, language } }),
              'audit-trail.pdf',
            )
          }
        >
          {t('audit.pdf')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconRosetteDiscountCheck aria-hidden />}
          onClick={() =>
            void take(query => client.stream('x.audit.package', { query }), 'audit-trail-signed.jsonl', [
              'from',
            ])
          }
        >
          {t('audit.package')}
        </Button>
      </Group>
    </Stack>
  );
}
