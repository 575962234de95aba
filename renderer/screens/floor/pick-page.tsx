import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconTruckDelivery } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { useCall, useWrite } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useTitles } from '../../api/titles.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { RecordHeading } from '../../ui/record-heading.tsx';
import { ScanFact } from '../../ui/scan/scan-verdict.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { FloorPanel } from './floor-panel.tsx';
import { PickLines, placeOf, Shortages, type Stand } from './pick-lines.tsx';
import { keyOf, nextLine, type PickLine, type PickStep, scanLot, scanPlace, type Way } from './picking.ts';
import { refusalOf } from './putaway.ts';
import { nameOf } from './read-goods.ts';
import { type Said, useFloorScans } from './use-floor-scans.ts';

/** A shipment is picked: the place is scanned, then the lot. A wrong one is refused. */
export function Component() {
  const id = Number(useParams().id);
  return <PickPage key={id} id={id} />;
}

function PickPage({ id }: { id: number }) {
  const { t } = useTranslation('floor');
  const quantityOf = useQuantity();
  const titleOf = useTitles([`shipment:${id}`]);
  const query = useCall('x.shipments.picks', { params: { id } });
  const move = useWrite('x.inventory.moves.create');
  const [way, setWay] = useState<Way>({ place: null, later: [] });
  const [gate, setGate] = useState<number | null>(null);
  const [back, setBack] = useState<Stand | null>(null);
  const list = query.data?.data;
  const lines = list?.to_pick ?? [];
  const staging = list?.staging.find(place => place.id === gate) ?? list?.staging[0];

  const pick = async (line: PickLine, quantity: number, place: number) => {
    await move.mutateAsync({
      params: { id: line.inventory_id },
      body: {
        from_location_id: line.location_id,
        to_location_id: place,
        quantity,
        shipment_id: id,
      },
    });
  };
  const settle = async (step: PickStep, text: string): Promise<Said> => {
    const { outcome, why, line, quantity } = step;
    const isPicked = outcome === 'taken' && line !== undefined && quantity !== undefined;
    if (isPicked && !staging) return { outcome: 'refused', text, why: t('why.no-staging') };
    if (isPicked && staging) await pick(line, quantity, staging.id);
    setWay(step.way);
    return {
      outcome,
      text,
      why: t(`why.${why}`, {
        goods: line ? nameOf(line) : '',
        place: line ? placeOf(line, t('no-place')) : '',
        to: staging?.name ?? '',
        quantity: line ? quantityOf(quantity ?? line.quantity, line.unit) : '',
      }),
    };
  };
  const scans = useFloorScans(async read => {
    const text = read.name;
    if (read.kind === 'lot') return settle(scanLot(lines, way, read.lots, read.quantity), text);
    if (read.kind === 'place' && back !== null) {
      const { inventory_id, location_id, quantity } = back;
      const body = { from_location_id: location_id, to_location_id: read.id, quantity, shipment_id: id };
      await move.mutateAsync({ params: { id: inventory_id }, body });
      setBack(null);
      return { outcome: 'taken', text: nameOf(back), why: t('why.is-back') };
    }
    if (read.kind === 'place') {
      const { data } = await client.call('x.locations.read', {
        params: { id: read.id },
      });
      const name = data.name ?? String(read.id);
      if (list?.staging.some(place => place.id === read.id)) {
        setGate(read.id);
        return { outcome: 'taken', text: name, why: t('why.gate') };
      }
      return settle(scanPlace(lines, way, read.id, await unitsIn(read.id)), name);
    }
    const why =
      read.kind === 'unreadable'
        ? read.message
        : t(`why.${read.kind === 'new-unit' ? 'unknown' : refusalOf(read)}`);
    return { outcome: 'refused', text, why };
  }, list?.is_open !== false);
  const line = nextLine(lines, way);
  const leave = () => {
    if (!line) return;
    setWay({ place: null, later: [...way.later.filter(key => key !== keyOf(line)), keyOf(line)] });
    scans.tell({ outcome: 'question', text: nameOf(line), why: t('why.left') });
  };
  const takeBack = (each: Stand) => {
    setBack(each);
    scans.tell({ outcome: 'question', text: nameOf(each), why: t('why.put-back') });
  };
  useHotkeys(line ? [['l', leave]] : []);
  if (!list) return <Waiting query={query} />;
  return (
    <Stack>
      <Group justify="space-between">
        <RecordHeading kind={t('pick')} title={titleOf('shipment', id) ?? String(id)} />
        <ButtonLink to={`/app/shipping/${id}`} icon={IconTruckDelivery}>
          {t('to-shipment')}
        </ButtonLink>
      </Group>
      {!list.is_open && <Alert color="gray">{t('gone')}</Alert>}
      {list.is_open && list.staging.length === 0 && (
        <Alert color="red" role="alert" title={t('why.no-staging')}>
          <ButtonLink to="/app/records/location/new" icon={IconPlus}>
            {t('new-place')}
          </ButtonLink>
        </Alert>
      )}
      <div className="scan-surface">
        <FloorPanel
          scans={scans}
          ready={t(line ? 'pick.ready' : 'pick.done')}
          actions={
            line ? (
              <Button px="sm" variant="default" onClick={leave}>
                {t('leave')}
              </Button>
            ) : (
              <Button px="sm" component={Link} to={`/app/shipping/${id}`}>
                {t('to-shipment')}
              </Button>
            )
          }
        >
          {line ? (
            <>
              <ScanFact name="place" title={t('go-to')} isHuge isWide>
                {placeOf(line, t('no-place'))}
              </ScanFact>
              <ScanFact name="goods" title={t('goods')} isWide>
                {nameOf(line)}
              </ScanFact>
              <ScanFact name="quantity" title={t('take')} isHuge>
                {quantityOf(line.quantity, line.unit)}
              </ScanFact>
            </>
          ) : (
            <ScanFact name="done" title={t('pick')} isHuge isWide>
              {t('pick.done')}
            </ScanFact>
          )}
          <ScanFact name="to" title={t('to')}>
            {staging?.name}
          </ScanFact>
        </FloorPanel>
        <div className="scan-side">
          <PickLines
            title={t('to-pick', { count: lines.length })}
            lines={lines.filter(each => each !== line)}
          />
          <PickLines
            title={t('picked-lines', { count: list.picked.length })}
            lines={list.picked}
            onBack={takeBack}
          />
          <Shortages list={list} />
          {list.too_much.length > 0 && (
            <PickLines title={t('too-much')} lines={list.too_much} onBack={takeBack} />
          )}
          {list.staging.length > 1 && (
            <Select
              label={t('gate')}
              data={list.staging.map(place => ({ value: String(place.id), label: place.name }))}
              value={staging ? String(staging.id) : null}
              onChange={value => setGate(value === null ? null : Number(value))}
              allowDeselect={false}
            />
          )}
        </div>
      </div>
      <Text size="sm">{t('pick.keys')}</Text>
    </Stack>
  );
}

/** Handling units that stand in a place, each with that place. */
async function unitsIn(place: number): Promise<Map<number, number>> {
  const query = { within_id: place, per_page: 500 };
  const { data } = await client.call('x.locations.list', { query });
  return new Map(data.map(({ id }) => [id, place]));
}
