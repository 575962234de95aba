import { Anchor, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Sampling } from '../../../shared/operations/sampling-operations.ts';
import { useFormats } from '../../i18n/formats.ts';
import { recordPath } from '../../ui/record-path.ts';
import { Section } from '../../ui/section.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { VerdictBadge, verdictKind } from './verdict-badge.tsx';

/** The lots judged so far and what people decided, newest first, each with what it led to. */
export function SamplingLots({ sampling: { history, state } }: { sampling: Sampling }) {
  const { t } = useTranslation('inspection');
  const formats = useFormats();
  const rows = history.map((entry, at) => ({ entry, steps: state.steps.filter(step => step.at === at) }));
  return (
    <Section title={t('lots.title')} size="h3">
      {rows.length === 0 ? (
        <Text>{t('lots.none')}</Text>
      ) : (
        <TitledTable
          minWidth={820}
          withTableBorder
          aria-label={t('lots.title')}
          columns={[
            t('lots.when'),
            t('lots.what'),
            t('lots.verdict'),
            { label: t('lots.bad'), ta: 'right' },
            t('lots.by'),
            t('lots.then'),
          ]}
        >
          {rows.toReversed().map(({ entry, steps }) => (
            <Table.Tr key={`${entry.family} ${entry.id}`}>
              <Table.Td className="date">{formats.moment(entry.at)}</Table.Td>
              <Table.Td className="typed">
                <Anchor component={Link} to={recordPath(entry.family, entry.id)} className="cell-link">
                  {entry.kind === 'ruling' ? t(`ruling.${entry.label}`) : `${t('lot')} ${entry.label}`}
                </Anchor>
                {entry.reason !== null && <Text size="sm">{entry.reason}</Text>}
              </Table.Td>
              <Table.Td>
                {entry.kind === 'lot' && <VerdictBadge kind={verdictKind(entry.is_accepted)} />}
              </Table.Td>
              <Table.Td ta="right">{formats.number(entry.nonconforming)}</Table.Td>
              <Table.Td>
                {entry.kind === 'lot' && (
                  <>
                    {t(`severity.${entry.severity}`)}
                    <Text size="sm">
                      {t('lots.plan', { n: entry.n, ac: entry.ac, size: formats.number(entry.lot_size) })}
                    </Text>
                    <Text size="sm" fw={Number(entry.measured) < Number(entry.n) ? 700 : 400}>
                      {t('lots.measured', { count: entry.measured ?? 0, n: entry.n })}
                    </Text>
                  </>
                )}
              </Table.Td>
              <Table.Td>
                <Stack gap={0}>
                  {entry.is_resubmitted && <Text size="sm">{t('lots.again')}</Text>}
                  {steps.map(({ rule, clause, severity }) => (
                    <Text key={rule} size="sm">
                      {t('rule.now', { severity: t(`severity.${severity}`), rule: t(`rule.${rule}`) })} (ISO
                      2859-1, {clause})
                    </Text>
                  ))}
                </Stack>
              </Table.Td>
            </Table.Tr>
          ))}
        </TitledTable>
      )}
    </Section>
  );
}
