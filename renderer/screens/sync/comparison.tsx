import { Alert, Anchor, Button, List, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { familyOf } from '../../../shared/families/registry.ts';
import type { Comparison as ComparisonAnswer } from '../../../shared/operations/exchange-operations.ts';
import { client } from '../../api/client.ts';
import { useTitles } from '../../api/titles.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import { recordPath } from '../../ui/record-path.ts';
import { Section } from '../../ui/section.tsx';
import { useTask } from '../../ui/use-task.ts';

type Differing = ComparisonAnswer['families'][number];

/** Compares every record with central's, when a person asks for it. */
export function Comparison() {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const [answer, setAnswer] = useState<ComparisonAnswer | null>(null);
  const { run, isBusy, failure } = useTask();
  const compare = () =>
    run(async () => {
      setAnswer((await client.call('x.sync.comparison')).data);
    });
  return (
    <Section title={t('compare')}>
      <Text mb="sm">{t('compare.text')}</Text>
      <Stack>
        <Button variant="default" w="fit-content" loading={isBusy} onClick={() => void compare()}>
          {t('compare.go')}
        </Button>
        {isBusy && <Text role="status">{t('compare.busy')}</Text>}
        <Failure error={failure} />
        {answer && !isBusy && (
          <Alert
            role="status"
            variant="light"
            color={answer.is_same ? 'green' : 'red'}
            icon={answer.is_same ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
            title={t(answer.is_same ? 'compare.same' : 'compare.differs')}
          >
            <Text>
              {t('compare.counted', {
                families: formats.number(answer.families.length),
                sequence: formats.number(answer.sequence),
              })}
            </Text>
            {answer.families
              .filter(({ is_same: isSame }) => !isSame)
              .map(family => (
                <DifferingRecords key={family.family} differing={family} />
              ))}
          </Alert>
        )}
      </Stack>
    </Section>
  );
}

function DifferingRecords({ differing }: { differing: Differing }) {
  const { t } = useTranslation('sync');
  const texts = useFamilyTexts();
  const family = familyOf(differing.family);
  const records = differing.records ?? [];
  const titleOf = useTitles(records.map(({ key }) => key));
  return (
    <section>
      <Title order={3}>{family ? texts.plural(family) : differing.family}</Title>
      {differing.records === null && <Text>{t('compare.moved')}</Text>}
      <List listStyleType="none">
        {records.map(({ key, is_here: isHere, is_at_central: isAtCentral }) => {
          const [name = '', id = ''] = key.split(':');
          return (
            <List.Item key={key}>
              <Anchor component={Link} to={recordPath(name, id)} className="cell-link typed">
                {titleOf(name, Number(id)) ?? key}
              </Anchor>
              {': '}
              {t(
                isHere && isAtCentral
                  ? 'compare.other'
                  : isHere
                    ? 'compare.only.here'
                    : 'compare.only.central',
              )}
            </List.Item>
          );
        })}
      </List>
    </section>
  );
}
