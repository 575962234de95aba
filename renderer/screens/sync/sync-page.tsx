import { Alert, Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SyncState } from '../../../shared/operations/exchange-operations.ts';
import { useCall } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useSizes } from '../../i18n/sizes.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { Section } from '../../ui/section.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { CarriedFiles } from './carried-files.tsx';
import { Comparison } from './comparison.tsx';
import { DoubledStation } from './doubled-station.tsx';
import { DoubledStations } from './doubled-stations.tsx';
import { HeldList } from './held-list.tsx';
import { StationList } from './station-list.tsx';
import { syncIcons } from './sync-badge.tsx';

/** How the exchange with central stands, in words; at central, how its stations stand. */
export function Component() {
  const { t } = useTranslation('sync');
  const { data, error, refetch } = useCall('x.sync.read');
  if (!data) return <Waiting query={{ error, refetch }} />;
  const state = data.data;
  const isCentral = state.role === 'central';
  const isAlone = !isCentral && state.central === null;
  return (
    <Stack>
      <Title order={1}>{t('title')}</Title>
      <Standing state={state} isAlone={isAlone} />
      {state.clock_offset_ms !== null && (
        <ClockNotice offset={state.clock_offset_ms} contact={state.last_contact_at} />
      )}
      {state.put_back && <PutBackNotice {...state.put_back} />}
      {state.doubled && <DoubledStation {...state.doubled} />}
      {isCentral && <DoubledStations />}
      {isAlone ? <HowToJoin /> : <Facts state={state} />}
      {isCentral && <StationList />}
      {!isAlone && <CarriedFiles />}
      {!isCentral && !isAlone && <Comparison />}
      {!isAlone && <HeldList role={state.role} />}
    </Stack>
  );
}

const TROUBLE: readonly SyncState['state'][] = ['refused', 'outdated', 'stuck', 'differs', 'doubled'];

function Standing({ state: sync, isAlone }: { state: SyncState; isAlone: boolean }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const serverMessage = useServerMessage();
  const { state, role, unsent, line, stations, stations_behind: behind, fault, says } = sync;
  const Icon = syncIcons[state];
  const isTrouble = TROUBLE.includes(state);
  const key = role === 'central' ? `central.${state}` : isAlone && state === 'alone' ? 'alone' : state;
  return (
    <Alert
      role="status"
      variant="light"
      color={isTrouble ? 'red' : state === 'in_step' ? 'green' : 'blue'}
      icon={<Icon aria-hidden />}
      title={t(`says.${key}`, { stations, behind, defaultValue: says })}
    >
      <Stack gap={4}>
        {unsent > 0 && <Text>{t('says.unsent', { count: unsent })}</Text>}
        {line?.is_slow && state !== 'in_step' && (
          <Text>{t('says.slow', { since: formats.moment(line.since) })}</Text>
        )}
        {sync.slowed_until !== null && (
          <Text>{t('says.slowed.until', { at: formats.moment(sync.slowed_until) })}</Text>
        )}
        {role === 'station' && <Text>{t('says.local')}</Text>}
        {isTrouble && state !== 'doubled' && (
          <Text className="typed">{t('says.detail', { detail: serverMessage(fault ?? says) })}</Text>
        )}
        {state === 'offline' && fault && <Text className="typed">{t('says.detail', { detail: fault })}</Text>}
        {state === 'slowed' && <Text className="typed">{serverMessage(says)}</Text>}
      </Stack>
    </Alert>
  );
}

/** That this machine's clock is wrong, by how much, and what to do. */
function ClockNotice({ offset, contact }: { offset: number; contact: string | null }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const span = formats.span(Math.abs(offset));
  return (
    <Alert variant="light" color="orange" title={t(offset < 0 ? 'clock.behind' : 'clock.ahead', { span })}>
      <Stack gap={4}>
        {contact !== null && (
          <Text>
            {t('clock.times', {
              here: formats.moment(contact),
              central: formats.moment(new Date(Date.parse(contact) - offset).toISOString()),
            })}
          </Text>
        )}
        <Text>{t('clock.remedy')}</Text>
      </Stack>
    </Alert>
  );
}

const NOTICED_DAYS = 30;

/** That central's machine was put back to an earlier state, and what to do; for some weeks. */
function PutBackNotice({ noticed_at: at, returned }: NonNullable<SyncState['put_back']>) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  if (Date.now() - Date.parse(at) > NOTICED_DAYS * 86_400_000) return null;
  return (
    <Alert variant="light" color="orange" title={t('put-back.title', { at: formats.moment(at) })}>
      <Stack gap={4}>
        <Text>{t('put-back.returned', { count: returned })}</Text>
        <Text>{t('put-back.lost')}</Text>
        <Text>{t('put-back.look')}</Text>
      </Stack>
    </Alert>
  );
}

function Facts({ state }: { state: SyncState }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const { role, name, central, unread, digests_agree: agree, refused_offers: refused } = state;
  const { unknown_families: unknown } = state;
  return (
    <dl className="fields">
      {name !== null && <Fact label={t('fact.name')}>{name}</Fact>}
      {central && <Fact label={t('fact.central')}>{central.address}</Fact>}
      {role === 'station' && (
        <>
          <Fact label={t('fact.contact')}>
            {state.last_contact_at ? formats.moment(state.last_contact_at) : t('fact.never')}
          </Fact>
          <Fact label={t('fact.unsent')}>{formats.number(state.unsent)}</Fact>
          {unread !== null && <Fact label={t('fact.unread')}>{formats.number(unread)}</Fact>}
          {state.line && <LineFacts line={state.line} />}
          <Fact label={t('fact.agree')}>
            {t(agree === null ? 'fact.agree.unknown' : agree ? 'fact.agree.yes' : 'fact.agree.no')}
          </Fact>
        </>
      )}
      {state.stations !== null && <Fact label={t('stations')}>{formats.number(state.stations)}</Fact>}
      {state.stations_behind !== null && (
        <Fact label={t('fact.behind')}>{formats.number(state.stations_behind)}</Fact>
      )}
      {state.sequence !== null && <Fact label={t('fact.sequence')}>{formats.number(state.sequence)}</Fact>}
      <Fact label={t('conflicts.open')}>
        {state.conflicts > 0 ? (
          <Anchor component={Link} to="/app/conflicts" className="cell-link">
            {t('conflicts.open.count', { count: state.conflicts })}
          </Anchor>
        ) : (
          t('conflicts.open.count', { count: 0 })
        )}
      </Fact>
      {refused.length > 0 && (
        <Fact label={t('fact.refused')}>{t('fact.refused.count', { count: refused.length })}</Fact>
      )}
      {unknown.length > 0 && (
        <Fact label={t('fact.unknown')}>
          {unknown
            .map(({ family, records }) => t('fact.unknown.count', { family, count: records }))
            .join(', ')}
          . {t('fact.unknown.remedy')}
        </Fact>
      )}
      <Fact label={t('fact.installation')}>{state.installation}</Fact>
    </dl>
  );
}

function LineFacts({ line }: { line: NonNullable<SyncState['line']> }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const sizes = useSizes();
  const { is_slow: isSlow, sends, receives, left } = line;
  const since = formats.moment(line.since);
  return (
    <>
      <Fact label={t('fact.line')}>{t(isSlow ? 'fact.line.slow' : 'fact.line.quick', { since })}</Fact>
      {isSlow && sends !== null && <Fact label={t('fact.sends')}>{sizes.rate(sends)}</Fact>}
      {isSlow && receives !== null && <Fact label={t('fact.receives')}>{sizes.rate(receives)}</Fact>}
      {isSlow && left !== null && left > 0 && (
        <Fact label={t('fact.left')}>{t('fact.left.about', { size: sizes.bytes(left) })}</Fact>
      )}
    </>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="typed">{children}</dd>
    </div>
  );
}

function HowToJoin() {
  const { t } = useTranslation('sync');
  const may = useMay();
  return (
    <Section title={t('join')}>
      <Text>{t('join.text')}</Text>
      <List type="ordered" my="sm">
        <List.Item>{t('join.code')}</List.Item>
        <List.Item>{t('join.here')}</List.Item>
      </List>
      {may('x.sync.enrol') ? (
        <Group>
          <Button component={Link} to="/app/setup/stations">
            {t('join.go')}
          </Button>
        </Group>
      ) : (
        <Text>{t('join.others')}</Text>
      )}
    </Section>
  );
}
