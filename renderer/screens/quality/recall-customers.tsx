import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { useCall } from '../../api/calls.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { RecallTable } from './recall-table.tsx';

/** Who has the goods, and how one reaches them. */
export function RecallCustomers({ customers }: { customers: Trace['customers'] }) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const quantityOf = useQuantity();
  return (
    <RecallTable
      title={t('recall.customers')}
      rows={customers}
      keyOf={({ id }) => id ?? 0}
      columns={[
        {
          label: t('customer'),
          leadsTo: one => ['customer', one.id],
          show: one => one.name ?? t('recall.unnamed'),
        },
        { label: t('recall.contact'), show: one => one.id !== null && <Contact id={one.id} /> },
        { label: t('recall.shipments'), show: one => formats.number(one.shipments), isNumber: true },
        {
          label: t('quantity'),
          isNumber: true,
          show: one => formats.list(one.quantities.map(({ quantity, unit }) => quantityOf(quantity, unit))),
        },
      ]}
    />
  );
}

function Contact({ id }: { id: number }) {
  const { t } = useTranslation('quality');
  const { data } = useCall('x.customers.read', { params: { id } });
  if (!data) return null;
  const one = data.data;
  const people = [
    { name: one.primary_name, phone: one.primary_phone, email: one.primary_email },
    { name: one.secondary_name, phone: one.secondary_phone, email: one.secondary_email },
  ].filter(({ name, phone, email }) => name || phone || email);
  const place = [one.street, [one.postal_code, one.city].filter(Boolean).join(' ')].filter(Boolean);
  if (people.length === 0 && place.length === 0) return <Text>{t('recall.contactless')}</Text>;
  return (
    <>
      {people.map(({ name, phone, email }) => (
        <Text key={`${name} ${phone} ${email}`}>
          {name}
          {phone && (
            <>
              {' '}
              <Anchor href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`} className="cell-link">
                {phone}
              </Anchor>
            </>
          )}
          {email && (
            <>
              {' '}
              <Anchor href={`mailto:${encodeURIComponent(email)}`} className="cell-link">
                {email}
              </Anchor>
            </>
          )}
        </Text>
      ))}
      {place.length > 0 && <Text size="sm">{place.join(', ')}</Text>}
    </>
  );
}
