import { Alert, Anchor, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertOctagon, IconLock, IconPencil, IconRulerMeasure } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { readLabData } from '../../../shared/families/lab-data.ts';
import { families } from '../../../shared/families/registry.ts';
import { useCall } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { useFormats } from '../../i18n/formats.ts';
import { CorrectionList } from '../../record/corrections/correction-list.tsx';
import { PrintMenu } from '../../record/print/print-menu.tsx';
import { RecordFields } from '../../record/record-fields.tsx';
import { RecordHistory } from '../../record/record-history.tsx';
import { SignatureList } from '../../record/signature-list.tsx';
import { useWholeRecord, type WholeRecord } from '../../record/whole-record.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { RecordHeading } from '../../ui/record-heading.tsx';
import { genericPath, recordPath } from '../../ui/record-path.ts';
import { SectionTabs } from '../../ui/section-tabs.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type Characteristic, characteristicsOf } from '../inspection/grid-model.ts';
import { useAskedText } from '../inspection/limits-text.ts';
import { VerdictBadge } from '../inspection/verdict-badge.tsx';
import { CorrectResult } from './correct-result.tsx';
import { JudgementMark } from './judgement-mark.tsx';

/** A lab result: each measurement beside its limits, and what it did to the lot. */
export function Component() {
  const id = Number(useParams().id);
  const query = useWholeRecord('lab-result', id);
  return query.data ? <LabResultPage key={id} record={query.data.data} /> : <Waiting query={query} />;
}

function LabResultPage({ record: { id, fields } }: { record: WholeRecord }) {
  const { t } = useTranslation('lab');
  const formats = useFormats();
  const may = useMay();
  const failed = Array.isArray(fields.failed_measurements) ? fields.failed_measurements.map(String) : [];
  const family = families['lab-result'];
  const [isCorrecting, correct] = useDisclosure(false);
  const characteristics = useCharacteristics(fields);
  const measured = readLabData(fields.lab_data);
  const verdict = failed.length > 0 ? 'failed' : measured.size > 0 ? 'passed' : 'open';
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return (
    <Stack>
      <RecordHeading
        kind={t('one')}
        title={text(fields.testing_id) ?? t('unnamed', { id })}
        status={<VerdictBadge kind={verdict} size="xl" />}
      >
        <Text className="typed">
          {[text(fields.batch_number), formats.day(text(fields.testing_date)), text(fields.inspector_name)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </RecordHeading>
      {failed.length > 0 && <LockNotice fields={fields} id={id} failed={failed} />}
      <Group>
        {may('lab-results.update') && characteristics && (
          <Button
            variant="default"
            leftSection={<IconRulerMeasure aria-hidden />}
            aria-expanded={isCorrecting}
            onClick={correct.open}
          >
            {t('correct')}
          </Button>
        )}
        {may('lab-results.update') && (
          <ButtonLink to={`${genericPath('lab-result', id)}/edit`} icon={IconPencil}>
            {t('app:change')}
          </ButtonLink>
        )}
        {failed.length > 0 && may('ncrs.create') && (
          <ButtonLink to={`/app/records/ncr/new?from=lab-result:${id}`} icon={IconAlertOctagon}>
            {t('ncr')}
          </ButtonLink>
        )}
        <PrintMenu family="lab-result" id={id} />
      </Group>
      {isCorrecting && characteristics && (
        <CorrectResult id={id} fields={fields} characteristics={characteristics} onClose={correct.close} />
      )}
      <Measurements fields={fields} characteristics={characteristics ?? []} />
      <CorrectionList family={families['lab-result']} id={id} />
      <SignatureList family={families['lab-result'].name} id={id} />
      <SectionTabs
        defaultValue={null}
        allowTabDeactivation
        tabs={[
          {
            name: 'fields',
            title: t('fields'),
            content: <RecordFields family={family} id={id} stored={{}} />,
          },
          { name: 'history', title: t('app:history'), content: <RecordHistory family={family} id={id} /> },
        ]}
      />
    </Stack>
  );
}

/** Whether the failure holds the lot: what the station says of the lot, not what one would expect. */
function LockNotice(props: { id: number; fields: Record<string, unknown>; failed: string[] }) {
  const { id, fields, failed } = props;
  const { t } = useTranslation('lab');
  const lot = typeof fields.inventory_id === 'number' ? fields.inventory_id : null;
  const titleOf = useTitles(lot === null ? [] : [`inventory:${lot}`]);
  const { data } = useCall('x.inventory.facts', { params: { id: lot ?? 0 } }, { isEnabled: lot !== null });
  const holds = data?.data.locks.some(lock => lock.family === 'lab-result' && lock.id === id);
  const name = lot === null ? String(fields.batch_number ?? '') : (titleOf('inventory', lot) ?? String(lot));
  const says = lot === null ? 'locked.batch' : holds ? 'locked' : data ? 'locked.not' : 'reading';
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconLock aria-hidden />}
      title={t(says, { lot: name })}
      role="status"
    >
      <Text className="typed">{t('outside', { names: failed.join(', ') })}</Text>
      {name !== '' && (
        <Anchor
          component={Link}
          c="inherit"
          underline="always"
          to={lot === null ? `/app/stock?keyword=${encodeURIComponent(name)}` : recordPath('inventory', lot)}
        >
          {t('to-lot', { lot: name })}
        </Anchor>
      )}
    </Alert>
  );
}

/** What the template asks for; undefined until that is known. */
function useCharacteristics(fields: Record<string, unknown>): Characteristic[] | undefined {
  const template = typeof fields.specification_id === 'number' ? fields.specification_id : null;
  const specification = useWholeRecord('specification', template ?? 0, { isEnabled: template !== null });
  if (template === null) return [];
  return specification.data && characteristicsOf(specification.data.data.fields);
}

interface MeasurementsProps {
  fields: Record<string, unknown>;
  characteristics: readonly Characteristic[];
}

function Measurements({ fields, characteristics }: MeasurementsProps) {
  const { t } = useTranslation('lab');
  const formats = useFormats();
  const askedText = useAskedText(t('limits.none'));
  const template = typeof fields.specification_id === 'number' ? fields.specification_id : null;
  const asked = new Map(characteristics.map(each => [each.name, each]));
  return (
    <TitledTable
      minWidth={640}
      withTableBorder
      verticalSpacing="sm"
      aria-label={t('measurements')}
      columns={[t('measurement'), t('value'), t('limits'), t('verdict'), t('trend')]}
    >
      {[...readLabData(fields.lab_data)].map(([name, value]) => {
        const characteristic = asked.get(name);
        const limits = characteristic?.limits ?? null;
        return (
          <Table.Tr key={name}>
            <Table.Th scope="row" className="typed">
              {name}
            </Table.Th>
            <Table.Td>{value.kind === 'number' ? formats.number(value.value) : value.text}</Table.Td>
            <Table.Td className="typed">
              {characteristic ? askedText(characteristic) : t('limits.none')}
            </Table.Td>
            <Table.Td>
              <JudgementMark limits={limits} value={value} />
            </Table.Td>
            <Table.Td>
              {template !== null && (
                <Anchor
                  component={Link}
                  to={`/app/charts?template=${template}&measurement=${encodeURIComponent(name)}`}
                  aria-label={t('trend.of', { name })}
                >
                  {t('trend.show')}
                </Anchor>
              )}
            </Table.Td>
          </Table.Tr>
        );
      })}
    </TitledTable>
  );
}
