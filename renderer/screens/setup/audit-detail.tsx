import { Button, Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { auditDetailName } from '../../../shared/families/audit-detail-names.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import { useCall } from '../../api/calls.ts';
import { useTitles } from '../../api/titles.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { Failure } from '../../ui/failure.tsx';
import { RecordLink } from '../../ui/links.tsx';
import { useKindName } from './use-kind-name.ts';

/** One event with all that it says, the record that it concerns, and where it stands in history. */
export function AuditDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const language = useLanguage();
  const formats = useFormats();
  const kindName = useKindName();
  const { data, error, refetch } = useCall('x.audit.read', { params: { id } });
  const event = data?.data;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!event) return <Text role="status">{t('app:reading')}</Text>;
  const rows: [string, string][] = [
    [t('audit.when'), formats.exactMoment(event.at)],
    [t('audit.who'), [event.author_name, event.author].filter(Boolean).join(' · ') || t('audit.machine')],
    [t('audit.address'), event.address ?? ''],
    [t('audit.station'), event.station_name ?? event.station],
    [t('audit.count'), event.count === null ? '' : formats.number(event.count)],
    ...Object.entries(event.details ?? {}).map(([name, value]): [string, string] => [
      auditDetailName(name, language),
      textOf(value),
    ]),
  ];
  return (
    <Card withBorder component="section" aria-label={t('audit.detail')}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h3">
            {kindName(event.kind ?? '')}
          </Title>
          <Button variant="default" onClick={onClose}>
            {t('audit.close')}
          </Button>
        </Group>
        <Table aria-label={t('audit.detail')}>
          <Table.Tbody>
            {rows.flatMap(([name, value]) =>
              value === ''
                ? []
                : [
                    <Table.Tr key={name}>
                      <Table.Th scope="row">{name}</Table.Th>
                      <Table.Td className="typed">{value}</Table.Td>
                    </Table.Tr>,
                  ],
            )}
            {event.subject !== null && (
              <Table.Tr>
                <Table.Th scope="row">{t('audit.about')}</Table.Th>
                <Table.Td>
                  <Subject subject={event.subject} />
                </Table.Td>
              </Table.Tr>
            )}
          </Table.Tbody>
        </Table>
        {event.commit && (
          <Text size="sm" className="typed">
            {t('audit.place')}: {t('audit.place.text', { ...event.commit })}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

/** Users and settings are looked after in the setup; other records have their own pages. */
function Subject({ subject }: { subject: string }) {
  const texts = useFamilyTexts();
  const family = familyOfKey(subject);
  const id = subject.slice(subject.lastIndexOf(':') + 1);
  const isOwn = family?.operations.isAdministrative === true;
  const titleOf = useTitles(family && !isOwn ? [subject] : []);
  if (!family) return <span className="typed">{subject}</span>;
  const words = `${texts.title(family)} ${titleOf(family.name, Number(id)) ?? id}`;
  if (isOwn) return <span className="typed">{words}</span>;
  return (
    <RecordLink family={family.name} id={id}>
      {words}
    </RecordLink>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${textOf(each)}`)
    .join(', ');
}
