import { Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Trend, TrendName } from '../../../shared/operations/figure-schemas.ts';
import { useCall } from '../../api/calls.ts';
import { useTitles } from '../../api/titles.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import type { ChosenTrend } from './characteristic-select.tsx';
import { CharacteristicSelect } from './characteristic-select.tsx';
import type { ChartAddress } from './chart-address.ts';
import { TrendFigure } from './trend-figure.tsx';

const choices = ['lot-mean', 'first', 'sample'] as const satisfies readonly Trend['by'][];

/**
 * One measured thing of a part over time. In the address: `part` and `characteristic` (of inspections) with `by`, or
 * `part` or `template` and `measurement` (of lab results); the part alone shows its first.
 */
export function CharacteristicView({ address }: { address: ChartAddress }) {
  const { t } = useTranslation('charts');
  const part = address.number('part');
  const template = address.number('template');
  const by = choices.find(choice => choice === address.text('by')) ?? 'lot-mean';
  const names = useCall('x.trends.list', { query: { part_id: part ?? 0 } }, { isEnabled: part !== null });
  const chosen = chosenIn(address, names.data?.data);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ReferenceInput
          family="part"
          label={t('part')}
          value={part}
          isAutoFocused={part === null}
          onChange={id => address.set({ part: id, template: null, characteristic: null, measurement: null })}
        />
        {names.data && names.data.data.length > 0 && (
          <CharacteristicSelect
            names={names.data.data}
            chosen={chosen}
            onChoose={({ family, name }) =>
              address.set(
                family === 'inspection'
                  ? { characteristic: name, measurement: null }
                  : { characteristic: null, measurement: name },
              )
            }
          />
        )}
      </SimpleGrid>
      {chosen?.family === 'inspection' && (
        <Radio.Group label={t('by')} value={by} onChange={value => address.set({ by: value })}>
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs">
            {choices.map(choice => (
              <Radio key={choice} value={choice} label={t(`by.${choice}`)} />
            ))}
          </SimpleGrid>
        </Radio.Group>
      )}
      <Failure error={names.error} onRetry={() => void names.refetch()} />
      {part === null && template === null && <Text>{t('part.choose')}</Text>}
      {part !== null && !names.data && !names.error && <Text role="status">{t('app:reading')}</Text>}
      {names.data?.data.length === 0 && !chosen && <Text role="status">{t('characteristic.none')}</Text>}
      {chosen && <TrendOf part={part} template={template} chosen={chosen} by={by} />}
    </Stack>
  );
}

/** As the address says; else the first that the part has. */
function chosenIn(address: ChartAddress, names: readonly TrendName[] | undefined): ChosenTrend | null {
  const characteristic = address.text('characteristic');
  if (characteristic !== null) return { family: 'inspection', name: characteristic };
  const measurement = address.text('measurement');
  if (measurement !== null) return { family: 'lab-result', name: measurement };
  return names?.[0] ?? null;
}

interface TrendOfProps {
  part: number | null;
  template: number | null;
  chosen: ChosenTrend;
  by: Trend['by'];
}

function TrendOf({ part, template, chosen, by }: TrendOfProps) {
  const { t } = useTranslation('charts');
  const { family, name } = chosen;
  const isLab = family === 'lab-result';
  const whose = {
    ...(part !== null && { part_id: part }),
    ...(template !== null && { template_id: template }),
  };
  const lab = useCall(
    'x.trends.lab',
    { query: { ...whose, measurement: name } },
    { isEnabled: isLab && (part ?? template) !== null },
  );
  const measured = useCall(
    'x.trends.characteristics',
    { query: { part_id: part ?? 0, characteristic: name, by } },
    { isEnabled: !isLab && part !== null },
  );
  const trend = isLab ? lab : measured;
  const [whoseFamily, id] = part === null ? ['specification', template] : ['part', part];
  const titleOf = useTitles([`${whoseFamily}:${id}`]);
  if (!trend.data) return <Waiting query={trend} />;
  if (trend.data.data.points.length === 0) return <Text role="status">{t('noValues', { name })}</Text>;
  const title = t('chart.title', { name, part: titleOf(whoseFamily, id) ?? `${id}` });
  return (
    // Another trend begins anew, with no point chosen.
    <TrendFigure
      key={`${whoseFamily} ${id} ${family} ${name} ${by}`}
      trend={trend.data.data}
      isLab={isLab}
      title={title}
    />
  );
}
