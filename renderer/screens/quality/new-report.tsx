import { Button, Fieldset, Group, Radio, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { familyOf } from '../../../shared/families/registry.ts';
import { useCall } from '../../api/calls.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { proposalText } from '../../i18n/proposal-text.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useFirstFocus } from '../../ui/first-focus.ts';

/** What raises a report, and what raises a request. */
const origins = {
  ncr: ['receiving-inspection', 'inspection', 'lab-result', 'inventory', 'complaint'],
  car: ['ncr'],
} as const;

/** A new report or request from what raised it: filled in and linked by what the station proposes. */
export function NewReport({ family, onClose }: { family: 'ncr' | 'car'; onClose: () => void }) {
  const { t, i18n } = useTranslation('quality');
  const texts = useFamilyTexts();
  const box = useRef<HTMLFieldSetElement>(null);
  useFirstFocus(box);
  const choices: readonly string[] = origins[family];
  const [origin, setOrigin] = useState<string>(choices[0] ?? '');
  const [id, setId] = useState<number | null>(null);
  const [pick, setPick] = useState('0');
  const proposals = useCall(
    'x.proposals.list',
    { params: { family: origin, id: id ?? 0 } },
    { isEnabled: id !== null },
  );
  const proposed = id === null ? [] : (proposals.data?.data ?? []);
  const from = id === null ? '' : `?from=${origin}:${id}${proposed.length > 1 ? `&pick=${pick}` : ''}`;
  return (
    <Fieldset
      legend={t(`new.${family}`)}
      ref={box}
      onKeyDown={event => event.key === 'Escape' && !event.defaultPrevented && onClose()}
    >
      <Stack>
        <Text>{t('new.text')}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {choices.length > 1 && (
            <Select
              label={t('new.origin')}
              data={choices.map(name => ({ value: name, label: texts.word(familyOf(name)?.title ?? name) }))}
              value={origin}
              allowDeselect={false}
              onChange={next => {
                if (next) setOrigin(next);
                setId(null);
              }}
              data-autofocus
            />
          )}
          <ReferenceInput
            key={origin}
            family={origin}
            label={texts.word(familyOf(origin)?.title ?? origin)}
            value={id}
            onChange={next => {
              setId(next);
              setPick('0');
            }}
            isAutoFocused={choices.length === 1}
          />
        </SimpleGrid>
        <Failure error={proposals.error} onRetry={() => void proposals.refetch()} />
        {id !== null && proposals.data && proposed.length === 0 && (
          <Text role="status">{t('new.nothing')}</Text>
        )}
        {proposed.length > 1 && (
          <Radio.Group label={t('new.pick')} value={pick} onChange={setPick}>
            {proposed.map((one, index) => (
              <Radio
                // Proposals have no id of their own: their place is what the next page is told.
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                key={index}
                value={String(index)}
                label={
                  <span className="typed">
                    {proposalText(String(one.description ?? one.lot_number ?? index + 1), i18n.language)}
                  </span>
                }
              />
            ))}
          </Radio.Group>
        )}
        <Group>
          <Button component={Link} to={`/app/records/${family}/new${from}`}>
            {t(id === null ? 'new.empty' : 'new.go')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
