import { Alert, Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconFileExport, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { useCall } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useFormats } from '../../i18n/formats.ts';
import { PrintMenu } from '../../record/print/print-menu.tsx';
import { Failure } from '../../ui/failure.tsx';
import { MissingPage } from '../../ui/missing-page.tsx';
import { recordPath } from '../../ui/record-path.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useTask } from '../../ui/use-task.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { RecallCustomers } from './recall-customers.tsx';
import { RecallStock } from './recall-stock.tsx';
import { RecallStory } from './recall-story.tsx';

/** Everything around a lot or a part, for whoever must call it back: whom to call comes first. */
export function Component() {
  const { family, id } = useParams();
  if (family !== 'inventory' && family !== 'part') return <MissingPage />;
  return <RecallPage key={`${family}:${id}`} family={family} id={Number(id)} />;
}

/** The operations name a part by its path. */
const names = { inventory: 'inventory', part: 'parts' } as const;

function RecallPage({ family, id }: { family: 'inventory' | 'part'; id: number }) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const words = useRecordWords();
  const { data, error, refetch } = useCall(`x.trace.${names[family]}`, { params: { id } });
  if (!data) return <Waiting query={{ error, refetch }} />;
  const trace = data.data;
  const locked = trace.lots.filter(({ locks }) => locks.length > 0).length;
  return (
    <Stack>
      <Group justify="space-between" align="start">
        <div>
          <Text c="dimmed">{t('recall')}</Text>
          <Title order={1} className="typed">
            {words.title(family, id, trace.subject.title)}
          </Title>
          <Text>
            <Anchor component={Link} to={recordPath(family, id)} underline="always">
              {t(`recall.to.${family}`)}
            </Anchor>{' '}
            · {t('recall.as-of', { at: formats.moment(trace.as_of) })}
          </Text>
        </div>
        <Group>
          <PackageButton family={family} id={id} />
          <PrintMenu family={family} id={id} />
        </Group>
      </Group>
      <Text role="status" size="lg">
        {t('recall.summary', {
          shipments: formats.number(totalOf(trace, 'shipments')),
          customers: formats.number(trace.customers.length),
          receipts: formats.number(totalOf(trace, 'receipts')),
          suppliers: formats.number(trace.suppliers.length),
          complaints: formats.number(totalOf(trace, 'complaints')),
        })}
      </Text>
      {trace.left_out.length > 0 && (
        <Alert
          color="yellow"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('recall.left-out')}
        >
          <List>
            {trace.left_out.map(({ group, shown, total }) => (
              <List.Item key={group}>
                {t('recall.left-out.group', {
                  group: t(`recall.${group}`),
                  shown: formats.number(shown),
                  total: formats.number(total),
                })}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {trace.locks_missing && (
        <Alert color="yellow" variant="outline" icon={<IconAlertTriangle aria-hidden />}>
          {t('recall.locks-missing', { count: trace.locks_missing.length })}
        </Alert>
      )}
      {locked > 0 && (
        <Alert color="red" variant="light" icon={<IconLock aria-hidden />}>
          {t('recall.locked', { count: locked })}
        </Alert>
      )}
      <Totals totals={trace.totals} />
      <RecallStock lots={trace.lots} />
      <RecallCustomers customers={trace.customers} />
      <RecallStory trace={trace} />
    </Stack>
  );
}

/** How many there are, also of those that are not shown. */
function totalOf(trace: Trace, group: 'shipments' | 'receipts' | 'complaints'): number {
  return trace.left_out.find(each => each.group === group)?.total ?? trace[group].length;
}

function Totals({ totals }: { totals: Trace['totals'] }) {
  const { t } = useTranslation('quality');
  const quantity = useQuantity();
  return (
    <dl className="fields">
      {totals.flatMap(sums =>
        (['opening', 'received', 'shipped', 'adjusted', 'on_hand'] as const)
          .filter(name => sums[name] !== 0 || name === 'on_hand' || name === 'shipped')
          .map(name => (
            <div key={`${sums.unit} ${name}`}>
              <dt>{t(`sum.${name}`)}</dt>
              <dd>{quantity(sums[name], sums.unit)}</dd>
            </div>
          )),
      )}
    </dl>
  );
}

/** The records and their history with hashes, which `holdpoint verify` checks without this station. */
function PackageButton({ family, id }: { family: 'inventory' | 'part'; id: number }) {
  const { t } = useTranslation('quality');
  const { run, isBusy, failure } = useTask();
  const save = () =>
    run(async () => {
      const response = await client.stream(`x.recall.${names[family]}`, { params: { id } });
      saveFile(await response.blob(), `recall-${family}-${id}.json`);
    });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileExport aria-hidden />}
        loading={isBusy}
        title={t('recall.package.hint')}
        onClick={() => void save()}
      >
        {t('recall.package')}
      </Button>
      <Failure error={failure} />
    </>
  );
}
