import { Alert, Stack, TextInput } from '@mantine/core';
import { IconBarcode } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseScan } from '../../../shared/gs1/parse-scan.ts';
import { useWrite } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { ActionForm } from '../../ui/action-form.tsx';
import { QuantityInput } from '../../ui/pad/quantity-input.tsx';
import { useScanTarget } from '../../ui/scan/scan-target.ts';
import { today } from '../../ui/today.ts';
import { PickList } from './pick-list.tsx';

interface AddItemProps {
  shipment: number;
  /** Nothing goes yet: the page begins here. */
  isFirst: boolean;
}

/** What shall go: the label of a lot or part is scanned, or typed; the quantity is typed. */
export function AddItem({ shipment, isFirst }: AddItemProps) {
  const { t } = useTranslation('shipping');
  const { mutateAsync } = useWrite('shipments.items.add');
  const [part, setPart] = useState<number | null>(null);
  const [lot, setLot] = useState('');
  const [quantity, setQuantity] = useState<string | number>('');
  const [unread, setUnread] = useState<string | null>(null);
  const amount = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);

  const clear = () => {
    setPart(null);
    setLot('');
    setQuantity('');
    // Who has gone on meanwhile, to the date of its closing or to another line, is not fetched back.
    if (document.activeElement === document.body || box.current?.contains(document.activeElement))
      box.current?.querySelector('input')?.focus();
  };

  useScanTarget(text => {
    void readLabel(text).then(found => {
      setUnread(found ? null : text);
      if (!found) return;
      setPart(found.part);
      setLot(found.lot ?? '');
      amount.current?.focus();
    });
    return true;
  });

  return (
    <Stack ref={box}>
      {unread !== null && (
        <Alert color="red" icon={<IconBarcode aria-hidden />} title={t('scan.unknown')} role="alert">
          <span className="typed">{unread}</span>
        </Alert>
      )}
      <ActionForm
        title={t('add')}
        submit={t('add')}
        onClose={clear}
        isBeside={!isFirst}
        onSubmit={() =>
          mutateAsync({
            params: { shipment_id: shipment },
            body: {
              part_id: part,
              quantity: quantity === '' ? null : Number(quantity),
              serial_number: lot || null,
            },
          })
        }
      >
        {errors => (
          <>
            <ReferenceInput
              family="part"
              label={t('part')}
              value={part}
              onChange={setPart}
              error={errors('part_id')}
              required
            />
            <QuantityInput
              ref={amount}
              label={t('quantity')}
              value={quantity}
              onChange={setQuantity}
              error={errors('quantity')}
              hideControls
              min={0}
              required
            />
            <TextInput
              label={t('lot')}
              description={t('lot.any')}
              value={lot}
              onChange={event => setLot(event.currentTarget.value)}
              error={errors('serial_number')}
            />
          </>
        )}
      </ActionForm>
      {part !== null && (
        <PickList
          part={part}
          lot={lot || null}
          quantity={quantity === '' ? null : Number(quantity)}
          onPick={setLot}
        />
      )}
    </Stack>
  );
}

/** A lot's own label, a part's, or a GS1 code with the part's number and the lot, or the serial number of a piece. */
async function readLabel(text: string): Promise<{ part: number | null; lot: string | null } | null> {
  const scan = parseScan(text, today());
  const isPiece = scan.kind === 'gs1' && scan.lot === null && scan.serial !== null;
  const wanted = scan.kind === 'gs1' && !isPiece ? (scan.gtin ?? scan.contentGtin) : text;
  if (!wanted) return null;
  const { data } = await client.call('x.scan', { body: { data: wanted } });
  for (const match of data.matches) {
    if (match.family === 'part') return { part: match.id, lot: scan.kind === 'gs1' ? scan.lot : null };
    if (match.family !== 'inventory') continue;
    const lot = await client.call('inventory.read', {
      params: { id: match.id },
    });
    return { part: lot.data.part_id, lot: lot.data.batch_number };
  }
  return null;
}
