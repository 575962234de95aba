import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { z } from 'zod';
import { asTyped } from '../../../shared/operations/client.ts';
import {
  CODE_HOURS_DEFAULT,
  type codeSchema,
  type newCodeSchema,
  type revokedStationSchema,
  type stationSchema,
} from '../../../shared/operations/sync-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { StationStanding } from '../../ui/station-standing.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { CentralCertificate } from './central-certificate.tsx';
import { RevocableTable } from './revocable-table.tsx';
import { ShownOnce } from './shown-once.tsx';
import { StationBackups } from './station-backups.tsx';
import { StationPeople } from './station-people.tsx';

type Station = z.infer<typeof stationSchema>;
type RevokedStation = z.infer<typeof revokedStationSchema>;
type Code = z.infer<typeof codeSchema>;
type NewCode = z.infer<typeof newCodeSchema>;

/** At a central: codes with which stations enrol, and the stations. */
export function CentralStations() {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const stations = useCall('x.stations.list');
  const codes = useCall('x.enrolment-codes.list');
  const [isMaking, make] = useDisclosure(false);
  const [made, setMade] = useState<NewCode | null>(null);
  useHotkeys([['n', make.open]]);
  const open = (codes.data?.data ?? []).filter(({ state }) => state === 'open');
  return (
    <Stack>
      <Text maw="45rem">{t('central.text')}</Text>
      {isMaking ? (
        <MakeCode onClose={make.close} onMade={setMade} />
      ) : (
        <Group>
          <NewButton onClick={make.open}>{t('code.new')}</NewButton>
          <Anchor component={Link} to="/app/sync" className="cell-link">
            {t('stations.state')}
          </Anchor>
        </Group>
      )}
      {made && (
        <ShownOnce
          title={t('code.made', { name: made.name })}
          secret={made.code}
          onClose={() => setMade(null)}
        >
          {t(made.uses === 1 ? 'code.once' : 'code.many', {
            at: formats.moment(made.expires_at),
            address: window.location.origin,
            uses: formats.number(made.uses),
          })}
        </ShownOnce>
      )}
      <Failure
        error={stations.error ?? codes.error}
        onRetry={() => {
          void stations.refetch();
          void codes.refetch();
        }}
      />
      <Title order={2} size="h3">
        {t('stations.title')}
      </Title>
      {stations.data && stations.data.data.length === 0 && <Text>{t('stations.none')}</Text>}
      {stations.data && stations.data.data.length > 0 && <StationTable stations={stations.data.data} />}
      {open.length > 0 && (
        <>
          <Title order={2} size="h3">
            {t('code.open')}
          </Title>
          <CodeTable codes={open} />
        </>
      )}
      <CentralCertificate />
    </Stack>
  );
}

function StationTable({ stations }: { stations: readonly Station[] }) {
  const { t } = useTranslation('setup');
  const { t: tSync } = useTranslation('sync');
  const formats = useFormats();
  const [revoking, setRevoking] = useState<Station | null>(null);
  const [revoked, setRevoked] = useState<RevokedStation | null>(null);
  const [lookingAt, setLooking] = useState<number | null>(null);
  const looking = stations.find(({ id }) => id === lookingAt);
  const [keptOf, setKeptOf] = useState<number | null>(null);
  const kept = stations.find(({ id }) => id === keptOf);
  return (
    <>
      {revoking && (
        <RevokeStation station={revoking} onClose={() => setRevoking(null)} onRevoked={setRevoked} />
      )}
      {revoked && (
        <Alert
          color="orange"
          variant="light"
          role="status"
          title={t('station.revoked', { name: revoked.name })}
        >
          {revoked.people.length === 0
            ? t('station.revoked.nobody')
            : t('station.revoked.people', { people: revoked.people.join(', ') })}
        </Alert>
      )}
      <RevocableTable
        label={t('stations.title')}
        rows={stations}
        nameLabel={t('station.name')}
        columns={[
          ...(stations.some(({ group }) => group !== null)
            ? [{ label: t('code.group'), show: ({ group }: Station) => group, isTyped: true }]
            : []),
          { label: t('station.enrolled'), show: ({ enrolled_at }) => formats.moment(enrolled_at) },
          {
            label: t('station.seen'),
            show: ({ last_seen_at }) => formats.moment(last_seen_at) || t('station.never'),
          },
          { label: tSync('station.state'), show: station => <StationStanding station={station} /> },
          { label: t('station.version'), show: ({ version }) => version, isTyped: true },
          {
            label: t('people'),
            show: station =>
              station.revoked_at === null && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={t('people.show.named', { name: station.name })}
                  onClick={() => setLooking(station.id)}
                >
                  {t('people.show')}
                </Button>
              ),
          },
          ...(stations.some(({ kept_backup: last }) => last !== null)
            ? [
                {
                  label: t('kept.column'),
                  show: ({ id, name, kept_backup: last }: Station) =>
                    last && (
                      <Button
                        variant="subtle"
                        size="compact-sm"
                        aria-label={t('kept.show.named', { name, at: formats.moment(last.at) })}
                        onClick={() => setKeptOf(id)}
                      >
                        {formats.moment(last.at)}
                      </Button>
                    ),
                },
              ]
            : []),
        ]}
        operation="x.stations.revoke"
        onRevoke={setRevoking}
        minWidth={900}
      />
      {looking && <StationPeople key={looking.id} station={looking} onClose={() => setLooking(null)} />}
      {kept && <StationBackups key={kept.id} station={kept} onClose={() => setKeptOf(null)} />}
    </>
  );
}

function CodeTable({ codes }: { codes: readonly Code[] }) {
  const { t } = useTranslation('setup');
  const { t: tApp } = useTranslation('app');
  const formats = useFormats();
  return (
    <RevocableTable
      label={t('code.open')}
      rows={codes}
      nameLabel={t('station.name')}
      columns={[
        { label: t('code.expires'), show: ({ expires_at }) => formats.moment(expires_at) },
        {
          label: t('code.used'),
          show: ({ used, uses }) =>
            t('code.used.of', { used: formats.number(used), uses: formats.number(uses) }),
        },
        { label: t('code.group'), show: ({ group }) => group, isTyped: true },
        { label: t('code.brings.short'), show: ({ brings_records }) => tApp(brings_records ? 'yes' : 'no') },
      ]}
      operation="x.enrolment-codes.revoke"
      sure={t('token.revoke.sure')}
      minWidth={640}
    />
  );
}

interface RevokeStationProps {
  station: Station;
  onClose: () => void;
  onRevoked: (station: RevokedStation) => void;
}

function RevokeStation({ station, onClose, onRevoked }: RevokeStationProps) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.stations.revoke');
  const [isKeeping, setIsKeeping] = useState(false);
  const [reason, setReason] = useState('');
  return (
    <ActionForm
      title={t('token.revoke.named', { name: station.name })}
      submit={t('station.revoke.sure')}
      onClose={onClose}
      onSubmit={async () => {
        const body = { keeps_passwords: isKeeping, reason };
        onRevoked((await mutateAsync({ params: { id: station.id }, body })).data);
      }}
    >
      {errors => (
        <>
          <Text maw="45rem" style={{ gridColumn: '1 / -1' }}>
            {t('station.revoke.text')}
          </Text>
          <Checkbox
            label={t('station.revoke.keeps')}
            description={t('station.revoke.keeps.hint')}
            checked={isKeeping}
            onChange={event => setIsKeeping(event.currentTarget.checked)}
          />
          <TextInput
            label={t('reason:reason')}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            error={errors('reason')}
          />
        </>
      )}
    </ActionForm>
  );
}

interface MakeCodeProps {
  onClose: () => void;
  onMade: (code: NewCode) => void;
}

function MakeCode({ onClose, onMade }: MakeCodeProps) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.enrolment-codes.create');
  const [name, setName] = useState('');
  const [hours, setHours] = useState<string | number>(CODE_HOURS_DEFAULT);
  const [uses, setUses] = useState<string | number>(1);
  const [group, setGroup] = useState('');
  const [isBringing, setIsBringing] = useState(false);
  const isForMany = Number(uses) > 1;
  return (
    <ActionForm
      title={t('code.new')}
      submit={t('code.make')}
      onClose={onClose}
      onSubmit={async () => {
        const body = {
          name,
          hours,
          uses,
          ...(group.trim() !== '' && { group }),
          brings_records: isBringing && !isForMany,
        };
        onMade((await mutateAsync({ body: asTyped<'x.enrolment-codes.create'>(body) })).data);
      }}
    >
      {errors => (
        <>
          <TextInput
            label={t('station.name')}
            description={t('station.name.hint')}
            required
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            error={errors('name')}
            autoComplete="off"
          />
          <NumberInput
            label={t('code.hours')}
            hideControls
            allowDecimal={false}
            value={hours}
            onChange={setHours}
            error={errors('hours')}
          />
          <NumberInput
            label={t('code.uses')}
            description={t('code.uses.hint')}
            hideControls
            allowDecimal={false}
            value={uses}
            onChange={setUses}
            error={errors('uses')}
          />
          <TextInput
            label={t('code.group')}
            description={t('code.group.hint')}
            value={group}
            onChange={event => setGroup(event.currentTarget.value)}
            error={errors('group')}
            autoComplete="off"
          />
          <Checkbox
            label={t('code.brings')}
            description={t('code.brings.hint')}
            disabled={isForMany}
            checked={isBringing && !isForMany}
            onChange={event => setIsBringing(event.currentTarget.checked)}
          />
        </>
      )}
    </ActionForm>
  );
}
