import { Anchor, List, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { foldNumber } from '../../../shared/contract/typed-number.ts';
import { familyOf } from '../../../shared/families/registry.ts';
import type { AttentionGroup } from '../../../shared/operations/overview-operations.ts';
import { useCall } from '../../api/calls.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { recordPath } from '../../ui/record-path.ts';
import { Section } from '../../ui/section.tsx';

/** Records that got the same number at two stations, in whatever case: a person gives one of them another number. */
export function NumbersTwice() {
  const { t } = useTranslation('sync');
  const texts = useFamilyTexts();
  const words = useRecordWords();
  const { data } = useCall('x.attention.read');
  const group = data?.data.find(({ kind }) => kind === 'numbers_twice');
  if (!group || group.total === 0) return null;
  const pairs = Map.groupBy(group.items, item => `${item.family} ${foldNumber(item.title)}`);
  return (
    <Section title={t('twice')}>
      <Text mb="sm">{t('twice.text')}</Text>
      {[...pairs].map(([key, items]) => {
        const [first] = items;
        const family = familyOf(first?.family ?? '');
        const title = `${family ? texts.title(family) : first?.family} ${first?.title}`;
        return (
          <section key={key} aria-label={title}>
            <Title order={3} className="typed">
              {title}
            </Title>
            <List listStyleType="none">
              {items.map(item => (
                <List.Item key={item.id}>
                  <Anchor component={Link} to={recordPath(item.family, item.id)} className="cell-link typed">
                    {named(words, item)}
                  </Anchor>
                </List.Item>
              ))}
            </List>
          </section>
        );
      })}
      {group.total > group.items.length && (
        <Text>{t('more', { count: group.total - group.items.length })}</Text>
      )}
    </Section>
  );
}

/** The number is the same: what tells them apart, and the id. */
function named(
  { subtitle }: ReturnType<typeof useRecordWords>,
  item: AttentionGroup['items'][number],
): string {
  const { family, title, id } = item;
  return [title, subtitle(family, item.subtitle), `#${id}`].filter(Boolean).join(' · ');
}
