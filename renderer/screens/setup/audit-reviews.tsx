import { Alert, Button, Group, Stack, Table, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall, useWrite } from '../../api/calls.ts';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

/** The newest; the rest is for programs. */
const MOST = 50;

/** Who looked through the trail, until when, and what they found; and saying so oneself. */
export function AuditReviews() {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const say = useServerMessage();
  const { session } = useSession();
  const [isReviewing, reviewing] = useDisclosure(false);
  const { data, error, refetch } = useCall('x.audit.reviews', {
    query: { per_page: MOST },
  });
  const due = data?.meta.due;
  // Central's trail has the fleet's events, and is reviewed there.
  const isHere = session?.station.role !== 'station' && session?.user !== null;
  const columns = (['until', 'by', 'when', 'events', 'remarks'] as const).map(name => t(`audit.${name}`));
  return (
    <Stack>
      <Title order={2} size="h3">
        {t('audit.reviews')}
      </Title>
      <Failure error={error} onRetry={() => void refetch()} />
      {typeof due === 'string' && (
        <Alert color="orange" variant="outline">
          {say(due)}
        </Alert>
      )}
      {data?.data.length === 0 && <Text>{t('audit.reviews.none')}</Text>}
      {data && data.data.length > 0 && (
        <TitledTable minWidth={700} verticalSpacing="xs" aria-label={t('audit.reviews')} columns={columns}>
          {data.data.map(({ id, reviewed_until, reviewer_name, at, events, remarks }) => (
            <Table.Tr key={id}>
              <Table.Td className="date">{formats.exactMoment(reviewed_until)}</Table.Td>
              <Table.Td className="typed">{reviewer_name}</Table.Td>
              <Table.Td className="date">{formats.exactMoment(at)}</Table.Td>
              <Table.Td>{formats.number(events)}</Table.Td>
              <Table.Td className="typed">{remarks}</Table.Td>
            </Table.Tr>
          ))}
        </TitledTable>
      )}
      {isHere && !isReviewing && (
        <Group>
          <Button onClick={reviewing.open}>{t('audit.review')}</Button>
        </Group>
      )}
      {isHere && isReviewing && <ReviewForm onClose={reviewing.close} />}
    </Stack>
  );
}

function ReviewForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.audit.review');
  const [until, setUntil] = useState(() => localMinute(new Date()));
  const [remarks, setRemarks] = useState('');
  return (
    <ActionForm
      title={t('audit.review')}
      submit={t('audit.review')}
      onClose={onClose}
      onSubmit={() =>
        mutateAsync({
          body: { reviewed_until: momentIn(until), remarks: remarks.trim() === '' ? null : remarks },
        })
      }
    >
      {errors => (
        <>
          <Text>{t('audit.review.text')}</Text>
          <TextInput
            type="datetime-local"
            required
            label={t('audit.until')}
            value={until}
            onChange={event => setUntil(event.currentTarget.value)}
            error={errors('reviewed_until')}
          />
          <Textarea
            label={t('audit.remarks')}
            autosize
            minRows={2}
            value={remarks}
            onChange={event => setRemarks(event.currentTarget.value)}
            error={errors('remarks')}
          />
        </>
      )}
    </ActionForm>
  );
}

/** As the control has it: this place's minute, without an offset. */
function localMinute(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

function momentIn(text: string): string {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString();
}
