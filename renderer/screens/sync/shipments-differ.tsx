import { Anchor, List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall } from '../../api/calls.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { recordPath } from '../../ui/record-path.ts';
import { Section } from '../../ui/section.tsx';

/** Shipments that one station closed while another one changed their lines: a person decides on the shipment's page. */
export function ShipmentsDiffer() {
  const { t } = useTranslation('sync');
  const words = useRecordWords();
  const { data } = useCall('x.attention.read');
  const group = data?.data.find(({ kind }) => kind === 'shipments_differ');
  if (!group || group.total === 0) return null;
  return (
    <Section title={t('shipments')}>
      <Text mb="sm">{t('shipments.text')}</Text>
      <List listStyleType="none">
        {group.items.map(({ family, id, title, subtitle }) => (
          <List.Item key={id}>
            <Anchor component={Link} to={recordPath(family, id)} className="cell-link typed">
              {[title, words.subtitle(family, subtitle)].filter(Boolean).join(' · ')}
            </Anchor>
          </List.Item>
        ))}
      </List>
      {group.total > group.items.length && (
        <Text>{t('more', { count: group.total - group.items.length })}</Text>
      )}
    </Section>
  );
}
