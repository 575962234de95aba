import { Anchor, List, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Family } from '../../shared/contract/define-family.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { useCall } from '../api/calls.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useRecordWords } from '../i18n/families/use-record-words.ts';
import { Failure } from '../ui/failure.tsx';
import { recordPath } from '../ui/record-path.ts';

/** Everything that refers to this record, by kind; what it refers to itself stands among its fields, as links. */
export function RecordReferences({ family, id }: { family: Family; id: number }) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const words = useRecordWords();
  const { data, error, refetch } = useCall('x.references.read', {
    params: { family: family.name, id },
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Text role="status">{t('app:reading')}</Text>;
  const groups = data.data.in.filter(({ total }) => total > 0);
  if (groups.length === 0) return <Text>{t('references.none')}</Text>;
  return (
    <Stack>
      {groups.map(group => {
        const from = familyOf(group.family);
        const field = from?.fields[group.field];
        return (
          <section key={`${group.family}.${group.field}`}>
            <Title order={2} size="h3">
              {from ? texts.plural(from) : group.family} ({group.total})
            </Title>
            {field && <Text size="sm">{t('references.by', { field: texts.label(field) })}</Text>}
            <List listStyleType="none">
              {group.records.map(record => (
                <List.Item key={record.id} py={6}>
                  <Anchor component={Link} to={recordPath(group.family, record.id)} className="typed">
                    {words.title(group.family, record.id, record.title)}
                  </Anchor>{' '}
                  <Text span c="dimmed" className="typed">
                    {words.subtitle(group.family, record.subtitle)}
                  </Text>
                </List.Item>
              ))}
            </List>
            {group.total > group.records.length && (
              <Text size="sm">{t('references.more', { count: group.total - group.records.length })}</Text>
            )}
          </section>
        );
      })}
    </Stack>
  );
}
