import { Button, List, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../api/calls.ts';
import { useQuantity } from '../i18n/families/use-quantity.ts';
import { Failure } from '../ui/failure.tsx';
import { RecordLink } from '../ui/links.tsx';

/** What stands in a place, when somebody asks: whoever is about to count it need not see it. */
export function PlacePanel({ id }: { id: number }) {
  const { t } = useTranslation('record');
  const quantityOf = useQuantity();
  const [isOpen, setIsOpen] = useState(false);
  const { data, error } = useCall('x.locations.contents', { params: { id } }, { isEnabled: isOpen });
  return (
    <section aria-label={t('place.contents')}>
      <Title order={2}>{t('place.contents')}</Title>
      <Button variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {t(isOpen ? 'place.hide' : 'place.show')}
      </Button>
      <Failure error={error} />
      {isOpen && data?.data.length === 0 && <Text>{t('place.empty')}</Text>}
      {isOpen && data && (
        <List listStyleType="none">
          {data.data.map(({ inventory_id: lot, location_id: at, within, location, ...goods }) => (
            <List.Item key={`${lot} ${at}`} py={4}>
              <RecordLink family="inventory" id={lot}>
                {[goods.part, goods.batch_number ?? lot].filter(Boolean).join(' · ')}
              </RecordLink>{' '}
              · {quantityOf(goods.quantity, goods.unit)}
              {within !== null && ` · SSCC ${location}`}
            </List.Item>
          ))}
        </List>
      )}
    </section>
  );
}
