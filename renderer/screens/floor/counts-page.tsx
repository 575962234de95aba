import { Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type CountStanding, isSettled } from '../../../shared/contract/count-standing.ts';
import { families } from '../../../shared/families/registry.ts';
import { useWrite } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useMay } from '../../api/may.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import type { ExtraColumn } from '../../record/record-row.tsx';
import { RecordTable } from '../../record/record-table.tsx';
import { CountStatus } from './count-status.tsx';
import { FloorPanel } from './floor-panel.tsx';
import { useFloorScans } from './use-floor-scans.ts';

/** How far it is has a column of its own, by shape and text. */
const listed = {
  ...families['stock-count'],
  columns: families['stock-count'].columns.filter(name => name !== 'standing'),
};

/** Counts of places, the newest first. The label of a place begins a count of it, or leads to the one that is not posted yet. */
export function Component() {
  const { t } = useTranslation('floor');
  const { label } = useFamilyTexts();
  const may = useMay();
  const standing = label(listed.fields.standing);
  const extra = useMemo(
    (): ExtraColumn[] => [
      {
        label: standing,
        show: ({ standing: at }) => <CountStatus standing={at as CountStanding} />,
      },
    ],
    [standing],
  );
  return (
    <Stack>
      <Title order={1}>{t('counts')}</Title>
      {may('x.stock-counts.create') && <BeginCount />}
      <RecordTable family={listed} extra={extra} />
    </Stack>
  );
}

function BeginCount() {
  const { t } = useTranslation('floor');
  const navigate = useNavigate();
  const create = useWrite('x.stock-counts.create');
  const scans = useFloorScans(async read => {
    const text = read.name;
    if (read.kind !== 'place')
      return {
        outcome: 'refused',
        text,
        why: t(read.kind === 'several-places' ? 'why.several-places' : 'why.no-place'),
      };
    const query = { location_id: read.id, order: 'desc', per_page: 20 };
    const { data } = await client.call('x.stock-counts.list', { query });
    const open = data.find(({ standing }) => standing !== null && !isSettled(standing));
    const { id } = open ?? (await create.mutateAsync({ body: { location_id: read.id } })).data;
    await navigate(`/app/counts/${id}`);
    return { outcome: 'taken', text, why: t('why.count-begun') };
  });
  return (
    <>
      <FloorPanel scans={scans} ready={t('counts.ready')} />
      <Text>{t('counts.hint')}</Text>
    </>
  );
}
