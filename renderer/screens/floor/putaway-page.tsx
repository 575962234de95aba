import { Button, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaitingLot } from '../../../shared/operations/place-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import { QuantityInput } from '../../ui/pad/quantity-input.tsx';
import { isAboutReason } from '../../ui/reason/about-reason.ts';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { ScanFact } from '../../ui/scan/scan-verdict.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { FloorPanel } from './floor-panel.tsx';
import {
  type Hand,
  type KnownUnit,
  proposalsFor,
  refusalOf,
  type Step,
  takeLot,
  takePlace,
} from './putaway.ts';
import { nameOf } from './read-goods.ts';
import { type Said, useFloorScans } from './use-floor-scans.ts';

/** Lots are carried to their place: the lot is scanned, then the place. */
export function Component() {
  const { t } = useTranslation('floor');
  const quantityOf = useQuantity();
  const formats = useFormats();
  const waiting = useCall('x.putaway.list');
  const move = useWrite('x.inventory.moves.create');
  const begin = useWrite('x.locations.create');
  const carry = useWrite('x.locations.update.patch');
  const [hand, setHand] = useState<Hand>(null);
  /** What is done once somebody says why. */
  const [asked, setAsked] = useState<{ step: Step; text: string } | null>(null);
  const docks = new Set(waiting.data?.data.map(each => each.location_id) ?? []);

  const act = async ({ act: what }: Step, reason?: string) => {
    if (what?.kind === 'move') {
      const { lot, from, to, quantity } = what;
      const body = {
        to_location_id: to,
        from_location_id: from,
        ...(quantity !== null && { quantity }),
        reason,
      };
      await move.mutateAsync({ params: { id: lot }, body });
    } else if (what?.kind === 'carry') {
      await carry.mutateAsync({ params: { id: what.unit }, body: { within_id: what.to, reason } });
    } else if (what?.kind === 'begin') {
      await begin.mutateAsync({ body: { name: what.sscc, kind: 'unit', within_id: what.to } });
    }
  };
  const settle = async (step: Step, text: string, reason?: string): Promise<Said> => {
    setAsked(null);
    try {
      await act(step, reason);
    } catch (error) {
      if (isAboutReason(error)) setAsked({ step, text });
      throw error;
    }
    setHand(step.hand);
    return { outcome: step.outcome, text, why: t(`why.${step.why}`) };
  };
  const take = async (id: number, quantity: number | null): Promise<Said> => {
    const { data: lot } = await client.call('x.inventory.places', { params: { id } });
    return settle(takeLot(hand, lot, quantity, docks), nameOf(lot));
  };
  const put = async (id: number): Promise<Said> => {
    const { data } = await client.call('x.locations.read', { params: { id } });
    const name = data.name ?? String(id);
    const unit = data.kind === 'unit' ? await unitAt(id) : undefined;
    return settle(takePlace(hand, { id, name, unit }), name);
  };
  const scans = useFloorScans(async read => {
    const text = read.name;
    const [lot] = read.kind === 'lot' ? read.lots : [];
    if (read.kind === 'lot' && lot !== undefined) {
      const meant = read.lots.length === 1 ? lot : waitingOf(waiting.data?.data, read.lots);
      if (meant === null) return { outcome: 'refused', text, why: t('why.several-lots') };
      return take(meant, read.quantity);
    }
    if (read.kind === 'place') return put(read.id);
    if (read.kind === 'new-unit') {
      setHand({ kind: 'unit', id: null, sscc: read.sscc, known: null });
      return { outcome: 'question', text: read.sscc, why: t('why.new-unit') };
    }
    const why = read.kind === 'unreadable' ? read.message : t(`why.${refusalOf(read)}`);
    return { outcome: 'refused', text, why };
  });
  const putDown = () => {
    setAsked(null);
    setHand(null);
  };
  useHotkeys([['Escape', putDown]]);
  const inHand = hand?.kind === 'lot' ? hand : null;
  const proposals = proposalsFor(hand);
  const unit = hand?.kind === 'unit' ? hand : null;
  // What is on a new pallet nobody knows yet.
  const isKnown = inHand !== null || unit?.known != null;
  return (
    <Stack>
      <Title order={1}>{t('putaway')}</Title>
      <div className="scan-surface">
        <FloorPanel
          scans={scans}
          ready={t('putaway.ready')}
          actions={
            <Button px="sm" variant="default" disabled={hand === null} onClick={putDown}>
              {t('put-down')}
            </Button>
          }
        >
          <ScanFact name="goods" title={t('goods')} isWide>
            {inHand && nameOf(inHand.lot)}
            {unit && [`SSCC ${unit.sscc}`, ...(unit.known?.goods ?? [])].join(' · ')}
          </ScanFact>
          <ScanFact name="from" title={t('from')}>
            {inHand?.from && (inHand.from.location ?? t('no-place'))}
            {unit?.known && (unit.known.within ?? t('no-place'))}
          </ScanFact>
          <ScanFact name="quantity" title={t('quantity')}>
            {inHand?.from && quantityOf(inHand.quantity ?? inHand.from.quantity, inHand.lot.unit)}
          </ScanFact>
          <ScanFact name="to" title={t('to')} isHuge isWide>
            {proposals[0]?.location}
          </ScanFact>
        </FloorPanel>
        <div className="scan-side">
          {asked && (
            <ReasonForm
              title={t('why-there')}
              label={t('reason:reason')}
              onClose={() => setAsked(null)}
              onSubmit={reason => scans.run(asked.text, () => settle(asked.step, asked.text, reason))}
            />
          )}
          {isKnown && (
            <section aria-label={t('proposals')}>
              <Text fw={700}>{t('proposals')}</Text>
              {proposals.length === 0 && <Text>{t('proposals.none')}</Text>}
              <ol className="plain-list">
                {proposals.map(({ location_id: id, location, why }) => (
                  <li key={id}>
                    {location} · {t(`proposed.${why}`)}
                  </li>
                ))}
              </ol>
              {inHand?.from && <PartOfIt hand={inHand} onChange={setHand} />}
            </section>
          )}
          <section aria-label={t('waiting')}>
            <Text fw={700}>{t('waiting.count', { count: waiting.data?.data.length ?? 0 })}</Text>
            <Failure error={waiting.error} />
            <ul className="plain-list floor-list">
              {waiting.data?.data.map(each => (
                <li key={`${each.inventory_id} ${each.location_id}`}>
                  <Button
                    variant="default"
                    fullWidth
                    h="auto"
                    py="xs"
                    justify="start"
                    onClick={() => void scans.run(nameOf(each), () => take(each.inventory_id, null))}
                  >
                    <span className="floor-entry">
                      {[
                        nameOf(each),
                        quantityOf(each.quantity, each.unit),
                        each.expiry_date && formats.day(each.expiry_date),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                      {each.proposal && ` → ${each.proposal.location}`}
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        </div>
      </div>
      <Text size="sm">{t('putaway.keys')}</Text>
    </Stack>
  );
}

/** Less than all of it, where a part goes elsewhere. */
function PartOfIt({
  hand,
  onChange,
}: {
  hand: Extract<Hand, { kind: 'lot' }>;
  onChange: (hand: Hand) => void;
}) {
  const { t } = useTranslation('floor');
  const there = hand.from?.quantity ?? 0;
  const [value, setValue] = useState<string | number>(hand.quantity ?? '');
  useEffect(() => setValue(hand.quantity ?? ''), [hand.quantity]);
  return (
    <QuantityInput
      label={t('part-of-it')}
      description={t('part-of-it.hint')}
      value={value}
      onChange={next => {
        setValue(next);
        onChange({ ...hand, quantity: next === '' || Number(next) >= there ? null : Number(next) });
      }}
      min={0}
      max={there}
      hideControls
      rightSection={hand.lot.unit}
      rightSectionWidth={72}
    />
  );
}

/** What is on a handling unit, where it stands, and where it could go. */
async function unitAt(id: number): Promise<KnownUnit> {
  const [contents, proposals] = await Promise.all([
    client.call('x.locations.contents', { params: { id } }),
    client.call('x.locations.proposals', { params: { id } }),
  ]);
  const [first, ...others] = contents.data;
  const goods = first ? [nameOf(first), ...(others.length > 0 ? [`+ ${others.length}`] : [])] : [];
  return { within: first?.within ?? null, goods, proposals: proposals.data };
}

/** The one that waits, where one number names several lots. */
function waitingOf(waiting: readonly WaitingLot[] | undefined, lots: readonly number[]): number | null {
  const found = [...new Set(waiting?.flatMap(({ inventory_id: id }) => (lots.includes(id) ? [id] : [])))];
  return found.length === 1 ? (found[0] ?? null) : null;
}
