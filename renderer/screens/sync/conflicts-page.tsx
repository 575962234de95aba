import { Anchor, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { familyOf } from '../../../shared/families/registry.ts';
import { useCall } from '../../api/calls.ts';
import { useTitles } from '../../api/titles.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { recordPath } from '../../ui/record-path.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { ClosedConflict } from './closed-conflict.tsx';
import { HeldList } from './held-list.tsx';
import { NumbersTwice } from './numbers-twice.tsx';
import { type ConflictProps, OpenConflict } from './open-conflict.tsx';
import { ShipmentsDiffer } from './shipments-differ.tsx';
import './conflicts.css';

const MOST = 50;

/** What stations wrote without having seen each other's, what central holds, and numbers that were typed twice. */
export function Component() {
  const { t } = useTranslation('sync');
  const sync = useCall('x.sync.read');
  const { role, installation } = sync.data?.data ?? {};
  return (
    <Stack>
      <Title order={1}>{t('conflicts')}</Title>
      <Text>{t('conflicts.text')}</Text>
      <Tabs defaultValue="open" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="open">{t('conflicts.open')}</Tabs.Tab>
          <Tabs.Tab value="closed">{t('conflicts.closed')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="open" pt="md">
          <Stack>
            <ConflictList status="open" One={OpenConflict} here={installation} />
            <HeldList role={role} />
            <NumbersTwice />
            <ShipmentsDiffer />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="closed" pt="md">
          <ConflictList status="closed" One={ClosedConflict} here={installation} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

interface ConflictListProps {
  status: 'open' | 'closed';
  One: ComponentType<ConflictProps>;
  here: string | undefined;
}

/** By record, so that what belongs together is decided together. */
function ConflictList({ status, One, here }: ConflictListProps) {
  const { t } = useTranslation('sync');
  const texts = useFamilyTexts();
  const { data, error, refetch } = useCall('x.conflicts.list', {
    query: { status, per_page: MOST },
  });
  const conflicts = data?.data ?? [];
  const total = Number(data?.meta.total ?? 0);
  const records = Map.groupBy(conflicts, one => `${one.family}:${one.record_id}`);
  const titleOf = useTitles([...records.keys()]);
  if (!data) return <Waiting query={{ error, refetch }} />;
  return (
    <Stack>
      <Group role="status">
        {total === 0 && <IconCircleCheck aria-hidden />}
        <Text>{t(`conflicts.${status}.count`, { count: total })}</Text>
      </Group>
      {[...records].map(([key, own]) => {
        const [{ family: name, record_id: id } = { family: '', record_id: 0 }] = own;
        const family = familyOf(name);
        return (
          <section key={key}>
            <Title order={2} mb="xs">
              {family ? texts.title(family) : name}{' '}
              <Anchor component={Link} to={recordPath(name, id)} underline="always" className="typed" inherit>
                {titleOf(name, id) ?? id}
              </Anchor>
            </Title>
            <Stack>
              {own.map(conflict => (
                <One
                  key={conflict.id}
                  conflict={conflict}
                  of={`${conflicts.indexOf(conflict) + 1}. ${titleOf(name, id) ?? id}`}
                  here={here}
                />
              ))}
            </Stack>
          </section>
        );
      })}
      {total > conflicts.length && <Text>{t('more', { count: total - conflicts.length })}</Text>}
    </Stack>
  );
}
