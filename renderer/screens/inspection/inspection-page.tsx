import { Alert, Anchor, Button, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconAlertOctagon, IconArrowBackUp, IconCheck, IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { planSamplingOf } from '../../../shared/families/plan-sampling.ts';
import { families } from '../../../shared/families/registry.ts';
import { useWrite } from '../../api/calls.ts';
import { useLackedRole, useMay } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { CorrectionList } from '../../record/corrections/correction-list.tsx';
import { PrintMenu } from '../../record/print/print-menu.tsx';
import { RecordFields } from '../../record/record-fields.tsx';
import { RecordHistory } from '../../record/record-history.tsx';
import { SignatureList } from '../../record/signature-list.tsx';
import { useWholeRecord, type WholeRecord } from '../../record/whole-record.ts';
import { Failure } from '../../ui/failure.tsx';
import { ForRole } from '../../ui/reason/for-role.tsx';
import { recordPath } from '../../ui/record-path.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { CountsBar } from './counts-bar.tsx';
import { Finalise } from './finalise.tsx';
import { Measuring } from './measuring.tsx';
import { PlannedNotice } from './planned-notice.tsx';
import { Reopen } from './reopen.tsx';
import { SamplingNotice } from './sampling-notice.tsx';
import { useCells } from './use-cells.ts';
import { useLotSize, usePlan } from './use-plan.ts';
import { VerdictBadge, verdictKind } from './verdict-badge.tsx';

/** An inspection: what was measured of each sample, and the verdict. */
export function Component() {
  const id = Number(useParams().id);
  const { data, error, refetch } = useWholeRecord('inspection', id);
  if (data) {
    const { template = null } = data.data.fields;
    return <InspectionPage key={`${id} ${JSON.stringify(template)}`} record={data.data} />;
  }
  return <Waiting query={{ error, refetch }} />;
}

function InspectionPage({ record }: { record: WholeRecord }) {
  const { id, fields } = record;
  const { t } = useTranslation('inspection');
  const may = useMay();
  const [action, setAction] = useState<'finalise' | 'reopen' | 'plan' | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const addSample = useWrite('inspections.samples.add');
  const mainAction = useRef<HTMLButtonElement>(null);
  const cells = useCells(record);
  const isFinal = typeof fields.passed === 'boolean';
  const canWrite = may('inspections.update');
  const reopens = useLackedRole()(families.inspection, 'passed', fields.passed);
  const lot = idOf(fields.inventory_id);
  const lotSize = useLotSize(lot);
  const part = fields.entity_type === 'equipment' ? null : idOf(fields.entity_id);
  // Once judged, this lot counts for how the next one is sampled: the plan would no longer be its own.
  const planned = planSamplingOf(fields.sampling);
  const { sampling } = usePlan(isFinal || planned ? null : part, lotSize);
  const numbers = planned ?? sampling?.plan;
  const samples = Number(fields.sample_size ?? 0);
  const close = () => {
    // The form goes before the focus moves: no key is pressed in between.
    flushSync(() => setAction(null));
    mainAction.current?.focus();
  };
  const add = () => {
    setFailure(null);
    addSample.mutateAsync({ params: { id }, body: {} }).catch(setFailure);
  };
  return (
    <Stack gap="sm">
      <InspectionHead record={record} />
      <Group>
        {canWrite && isFinal && reopens !== null && (
          <Group gap="xs" mih={48}>
            <Text>{t('reopen')}</Text>
            <ForRole role={reopens} />
          </Group>
        )}
        {canWrite && !(isFinal && reopens !== null) && (
          <Button
            ref={mainAction}
            leftSection={isFinal ? <IconArrowBackUp aria-hidden /> : <IconCheck aria-hidden />}
            variant={isFinal ? 'default' : 'filled'}
            aria-expanded={action === 'finalise' || action === 'reopen'}
            onClick={() => setAction(isFinal ? 'reopen' : 'finalise')}
          >
            {t(isFinal ? 'reopen' : 'finalise')}
          </Button>
        )}
        {canWrite && !isFinal && (
          <Button
            variant="default"
            leftSection={<IconPlus aria-hidden />}
            onClick={add}
            loading={addSample.isPending}
          >
            {t('add')}
          </Button>
        )}
        {numbers && (
          <Button
            variant="default"
            aria-expanded={action === 'plan'}
            onClick={() => setAction(action === 'plan' ? null : 'plan')}
          >
            {t('plan.numbers', { n: numbers.n, ac: numbers.ac, re: numbers.re })}
          </Button>
        )}
        {isFinal && part !== null && (
          <Button component={Link} to={`/app/inspection/sampling?part=${part}`} variant="default">
            {t('sampling')}
          </Button>
        )}
        {fields.passed === false && may('ncrs.create') && (
          <Button
            component={Link}
            to={`/app/records/ncr/new?from=inspection:${id}`}
            variant="default"
            leftSection={<IconAlertOctagon aria-hidden />}
          >
            {t('ncr')}
          </Button>
        )}
        <PrintMenu family="inspection" id={id} />
      </Group>
      <Failure error={failure} />
      {action === 'finalise' && (
        <Finalise id={id} cells={cells} numbers={numbers} planned={planned} onClose={close} />
      )}
      {action === 'reopen' && <Reopen id={id} passed={fields.passed === true} onClose={close} />}
      {action === 'plan' && planned && <PlannedNotice sampling={planned} />}
      {action === 'plan' && sampling && <SamplingNotice sampling={sampling} />}
      {sampling && sampling.plan.n !== samples && action !== null && (
        <Text>{t('plan.other', { n: sampling.plan.n, count: samples })}</Text>
      )}
      <CountsBar cells={cells} />
      {cells.store.characteristics.length === 0 ? (
        <Alert variant="light">{t('template.none')}</Alert>
      ) : (
        <Measuring
          cells={cells}
          isReadOnly={isFinal || !canWrite}
          onEscape={() => mainAction.current?.focus()}
        />
      )}
      <CorrectionList family={families.inspection} id={id} />
      <SignatureList family={families.inspection.name} id={id} />
      <Tabs defaultValue={null} allowTabDeactivation keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="fields">{t('fields')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('app:history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="fields" pt="md">
          <RecordFields family={families.inspection} id={id} stored={{}} />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <RecordHistory family={families.inspection} id={id} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function InspectionHead({ record: { id, fields } }: { record: WholeRecord }) {
  const { t } = useTranslation('inspection');
  const entity = idOf(fields.entity_id);
  const lot = idOf(fields.inventory_id);
  const kind = fields.entity_type === 'equipment' ? 'equipment' : 'part';
  const titleOf = useTitles([
    ...(entity === null ? [] : [`${kind}:${entity}`]),
    ...(lot === null ? [] : [`inventory:${lot}`]),
  ]);
  const { name, identification, revision } = (fields.template ?? {}) as Record<string, unknown>;
  const template = [identification, name].filter(Boolean).join(' · ');
  return (
    <Group justify="space-between" align="start">
      <div>
        <Title order={1}>{t('one', { id })}</Title>
        <Group gap="md">
          {entity !== null && (
            <Anchor component={Link} to={recordPath(kind, entity)} className="typed">
              {titleOf(kind, entity) ?? `${t(kind)} ${entity}`}
            </Anchor>
          )}
          {lot !== null && (
            <Anchor component={Link} to={recordPath('inventory', lot)} className="typed">
              {t('lot')} {titleOf('inventory', lot) ?? lot}
            </Anchor>
          )}
          {template && (
            <Text className="typed">
              {template} · {t('revision', { revision: Number(revision ?? 1) })}
            </Text>
          )}
        </Group>
      </div>
      <Group>
        <VerdictBadge kind={verdictKind(fields.passed)} size="xl" />
        {fields.is_against_measurements === true && <VerdictBadge kind="against" size="xl" />}
      </Group>
    </Group>
  );
}

function idOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
