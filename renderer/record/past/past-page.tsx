import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconHistory, IconPrinter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';
import type { Family } from '../../../shared/contract/define-family.ts';
import { recordTitle } from '../../../shared/families/record-title.ts';
import { familyOf } from '../../../shared/families/registry.ts';
import type { Operations } from '../../../shared/operations/operation-types.ts';
import type { PastAnswer } from '../../../shared/operations/past-operations.ts';
import { useCall } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { showPaper } from '../../desktop/show-paper.ts';
import { useAuthorName } from '../../i18n/author-name.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { Failure } from '../../ui/failure.tsx';
import { MissingPage } from '../../ui/missing-page.tsx';
import { useTask } from '../../ui/use-task.ts';
import { FieldList, ItemsTable } from '../record-fields.tsx';
import { itemsIn, useWholeRecord, type WholeRecord } from '../whole-record.ts';
import { type Asked, PastForm } from './past-form.tsx';

type PastQuery = Operations['x.records.paper']['asked']['query'];

/** A record as it was, by `as_of` and `known` of the address, so that it can be passed on. */
export function Component() {
  const params = useParams();
  const family = familyOf(params.family ?? '');
  if (!family) return <MissingPage />;
  return <PastPage key={`${family.name}:${params.id}`} family={family} id={Number(params.id)} />;
}

function PastPage({ family, id }: { family: Family; id: number }) {
  const { t } = useTranslation('past');
  const texts = useFamilyTexts();
  const words = useRecordWords();
  const [address, setAddress] = useSearchParams();
  const asked: Asked = { as_of: address.get('as_of') ?? '', known: address.get('known') ?? '' };
  const query: PastQuery = { as_of: asked.as_of, ...(asked.known === 'here' && { known: asked.known }) };
  const now = useWholeRecord(family.name, id);
  const then = useCall(
    'x.records.read',
    { params: { family: family.name, id }, query },
    { isEnabled: asked.as_of !== '' },
  );
  const record = asked.as_of === '' ? undefined : then.data?.data;
  const named = record ?? now.data?.data;
  return (
    <Stack>
      <div>
        <Text c="dimmed">{texts.title(family)}</Text>
        <Title order={1} className="typed">
          {t('title', {
            title: named
              ? words.title(family.name, id, recordTitle(family, named))
              : `${texts.title(family)} ${id}`,
          })}
        </Title>
        <Anchor component={Link} to={`/app/records/${family.name}/${id}`}>
          {t('now')}
        </Anchor>
      </div>
      <PastForm
        key={address.toString()}
        asked={asked}
        onAsk={next => setAddress({ as_of: next.as_of, ...(next.known !== '' && { known: next.known }) })}
      />
      {asked.as_of !== '' && !record && then.error ? (
        <Failure error={then.error} onRetry={() => void then.refetch()} />
      ) : null}
      {record?.past && <Then family={family} record={record} past={record.past} query={query} />}
    </Stack>
  );
}

function Then({
  family,
  record,
  past,
  query,
}: {
  family: Family;
  record: WholeRecord;
  past: PastAnswer;
  query: PastQuery;
}) {
  const { t } = useTranslation('past');
  const authorName = useAuthorName();
  const formats = useFormats();
  const { run, isBusy, failure } = useTask();
  const language = useLanguage();
  const values = { at: formats.exactMoment(past.at), place: past.place };
  const print = () =>
    run(async () => {
      const params = { family: family.name, id: record.id };
      const response = await client.stream('x.records.paper', { params, query: { ...query, language } });
      await showPaper(await response.blob());
    });
  return (
    <Stack>
      <Alert
        role="status"
        variant="outline"
        icon={<IconHistory aria-hidden />}
        title={t(`banner.${past.meaning}`, values)}
      >
        <Text>{t(`said.${past.meaning}`)}</Text>
        {past.notes.map(note => (
          <Text key={note}>{t(`note.${note}`)}</Text>
        ))}
        <Text>{t('names')}</Text>
      </Alert>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('record:changed', {
            user: authorName(record.user),
            at: formats.exactMoment(record.updated_at),
            version: record.version,
          })}
        </Text>
        <Button
          variant="default"
          leftSection={<IconPrinter aria-hidden />}
          loading={isBusy}
          onClick={() => void print()}
        >
          {t('print')}
        </Button>
      </Group>
      <Failure error={failure} />
      <FieldList family={family} values={record.fields} />
      {Object.entries(family.collections).map(([name, collection]) => (
        <ItemsTable key={name} collection={collection} items={itemsIn(collection, record.fields[name])} />
      ))}
    </Stack>
  );
}
