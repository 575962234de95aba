import { Group, Select, SimpleGrid, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconPlus, IconReportSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import {
  type Board as BoardAnswer,
  type BoardCard,
  type BoardFamily,
  boardFamilies,
} from '../../../shared/operations/board-operations.ts';
import { useCall } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { WaitingCorrections } from '../../record/corrections/correction-list.tsx';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { type PageAction, PageActions } from '../../ui/page-actions.tsx';
import { Board } from './board.tsx';
import { NewReport } from './new-report.tsx';
import { StatusChange } from './status-change.tsx';

const tabs = [...boardFamilies, 'corrections'] as const;

const SOURCES = ['internal', 'customer', 'supplier'];

interface Move {
  card: BoardCard;
  from: string;
  to: string;
}

/** Reports, requests, complaints and corrections: what waits for somebody, by status and age. Tab and filters stand in the address. */
export function Component() {
  const { t } = useTranslation('quality');
  const [address, setAddress] = useSearchParams();
  const may = useMay();
  const tab = tabs.find(each => each === address.get('tab')) ?? 'ncr';
  const [isNew, setIsNew] = useState(false);
  const main = tab === 'corrections' || !may(`${tab}s.create`) ? undefined : newOf(tab);
  function newOf(family: BoardFamily): PageAction {
    const action = { name: 'new', title: t(`new.${family}`), icon: IconPlus };
    return family === 'complaint'
      ? { ...action, to: '/app/records/complaint/new' }
      : { ...action, onPress: () => setIsNew(!isNew), isOpen: isNew };
  }
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        <PageActions main={main} actions={[]}>
          {may('x.trace.inventory') && (
            <ButtonLink to="/app/recall" icon={IconReportSearch}>
              {t('recall')}
            </ButtonLink>
          )}
        </PageActions>
      </Group>
      {isNew && (tab === 'ncr' || tab === 'car') && (
        <NewReport key={tab} family={tab} onClose={() => setIsNew(false)} />
      )}
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={next => {
          setIsNew(false);
          setAddress(next === null || next === 'ncr' ? {} : { tab: next }, { replace: true });
        }}
      >
        <Tabs.List>
          {tabs.map(each => (
            <Tabs.Tab key={each} value={each}>
              {t(`tab.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {boardFamilies.map(each => (
          <Tabs.Panel key={each} value={each} pt="md">
            <FamilyBoard family={each} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="corrections" pt="md">
          <WaitingCorrections />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function FamilyBoard({ family }: { family: BoardFamily }) {
  const { t } = useTranslation('quality');
  const may = useMay();
  const [address, setAddress] = useSearchParams();
  const [move, setMove] = useState<Move | null>(null);
  const [wanted, setWanted] = useState<number | null>(null);
  const filters = ['part_id', 'supplier_id', 'source'].flatMap(name => {
    const value = address.get(name);
    return value ? [[name, value] as const] : [];
  });
  const { data, error, refetch } = useCall(
    'x.boards.read',
    { params: { family }, query: Object.fromEntries(filters) },
    { keepsPrevious: true },
  );
  const filter = (name: string, value: string | number | null) => {
    const next = new URLSearchParams(address);
    if (value === null || value === '') next.delete(name);
    else next.set(name, String(value));
    setAddress(next, { replace: true });
  };
  const numberAt = (name: string) => Number(address.get(name)) || null;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: family === 'complaint' ? 2 : 3 }}>
        <ReferenceInput
          family="part"
          label={t('filter.part')}
          value={numberAt('part_id')}
          onChange={id => filter('part_id', id)}
        />
        <ReferenceInput
          family="supplier"
          label={t('filter.supplier')}
          value={numberAt('supplier_id')}
          onChange={id => filter('supplier_id', id)}
        />
        {family === 'ncr' && (
          <Select
            label={t('filter.source')}
            placeholder={t('filter.any')}
            data={SOURCES.map(value => ({ value, label: t(`source.${value}`) }))}
            value={address.get('source')}
            clearable
            clearButtonProps={{ 'aria-label': t('filter.clear') }}
            onChange={value => filter('source', value)}
          />
        )}
      </SimpleGrid>
      {move && (
        <StatusChange
          key={`${move.card.id} ${move.to}`}
          family={family}
          id={move.card.id}
          number={move.card.number}
          from={move.from}
          to={move.to}
          onClose={() => {
            setMove(null);
            setWanted(move.card.id);
          }}
        />
      )}
      <Failure error={error} onRetry={() => void refetch()} />
      {!data && !error && <Text role="status">{t('app:reading')}</Text>}
      {data && (
        <>
          <Summary board={data.data} />
          <Board
            family={family}
            board={data.data}
            wanted={wanted}
            canMove={may(`${family}s.update.patch`)}
            onMove={(card, from, to) => {
              setWanted(null);
              setMove({ card, from, to });
            }}
          />
        </>
      )}
    </Stack>
  );
}

/** How many are open and late, also for those who do not see the board. */
function Summary({ board }: { board: BoardAnswer }) {
  const { t } = useTranslation('quality');
  const open = board.columns.reduce((sum, { total }) => sum + (total ?? 0), 0);
  const late = board.columns.reduce((sum, { cards }) => sum + cards.filter(card => card.is_late).length, 0);
  return (
    <Text role="status">
      {t('summary.open', { count: open })}{' '}
      {late > 0 && t('summary.late', { count: late, days: board.late_after_days })}
    </Text>
  );
}
