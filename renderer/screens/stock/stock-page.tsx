import { Group, Stack, Title } from '@mantine/core';
import { IconForklift, IconListNumbers, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../shared/families/registry.ts';
import type { LotState } from '../../../shared/operations/extension-schemas.ts';
import { useCall } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useFormats } from '../../i18n/formats.ts';
import type { ChosenAct } from '../../record/list/chosen-bar.tsx';
import type { ExtraColumn, Row } from '../../record/record-row.tsx';
import { RecordTable } from '../../record/record-table.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { LotStatus, statusOf } from './lot-status.tsx';
import { MoveLots } from './move-lots.tsx';

/** All lots: how much, how long, whether they may ship and where they stand. A scan of a lot's or part's label opens it from here as from everywhere. */
export function Component() {
  const { t } = useTranslation('stock');
  const may = useMay();
  const formats = useFormats();
  const [shown, setShown] = useState('');
  const { data } = useCall(
    'x.inventory.states',
    { query: { ids: shown } },
    { isEnabled: shown !== '', keepsPrevious: true },
  );
  const extra = useMemo(() => {
    const states = new Map(data?.data.map(state => [state.id, state]));
    const column = (label: string, show: (state: LotState, row: Row) => ReactNode): ExtraColumn => ({
      label,
      show: row => {
        const state = states.get(Number(row.id));
        return state && show(state, row);
      },
    });
    return [
      {
        ...column(t('column.expiry'), ({ expiry_date: expiry }) => (
          <span className="date">{formats.day(expiry)}</span>
        )),
        sortBy: 'expiry_date',
      },
      column(t('state'), (state, row) => (
        <LotStatus status={statusOf(state, Number(row.is_expiry_soon) === 1)} />
      )),
      column(t('standing'), ({ locations }) => locations.map(name => name ?? t('places.unnamed')).join(', ')),
    ];
  }, [data, t, formats]);
  const mayMove = may('x.inventory.moves.create');
  const acts = useMemo(
    (): ChosenAct[] =>
      mayMove
        ? [
            {
              name: 'move',
              title: t('move'),
              icon: <IconForklift aria-hidden />,
              form: (chosen, onDone) => <MoveLots chosen={chosen} onDone={onDone} />,
            },
          ]
        : [],
    [mayMove, t],
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        <Group>
          {mayMove && (
            <ButtonLink to="/app/stock/putaway" icon={IconForklift}>
              {t('putaway')}
            </ButtonLink>
          )}
          <ButtonLink to="/app/counts" icon={IconListNumbers}>
            {t('counts')}
          </ButtonLink>
          {may('x.inventory.create') && (
            <ButtonLink to="/app/records/inventory/new" icon={IconPlus}>
              {t('opening')}
            </ButtonLink>
          )}
        </Group>
      </Group>
      <RecordTable family={families.inventory} extra={extra} onShown={setShown} acts={acts} />
    </Stack>
  );
}
