import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { families } from '../../../shared/families/registry.ts';
import type { Written } from '../../../shared/operations/operation-types.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { RecordHistory } from '../../record/record-history.tsx';
import { QuantityInput } from '../../ui/pad/quantity-input.tsx';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { RecordHeading } from '../../ui/record-heading.tsx';
import { ScanFact } from '../../ui/scan/scan-verdict.tsx';
import { SectionTabs } from '../../ui/section-tabs.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { Waiting } from '../../ui/waiting.tsx';
import {
  type Count,
  type CountStep,
  countedOf,
  countIn,
  dueAgain,
  isAgain,
  isOpen,
  notedOf,
  scanCounted,
  takenBack,
  typeCounted,
} from './count.ts';
import { CountStatus } from './count-status.tsx';
import { CountedLots } from './counted-lots.tsx';
import { FloorPanel } from './floor-panel.tsx';
import { refusalOf } from './putaway.ts';
import { wordsOf } from './read-goods.ts';
import { type Said, useFloorScans } from './use-floor-scans.ts';

/** Names of one call; more lots stand in no place that is counted at once. */
const MOST_NAMES = 200;

/** A place is counted blind: each lot is scanned, and how much there is of it is scanned or typed. */
export function Component() {
  const id = Number(useParams().id);
  return <CountPage key={id} id={id} />;
}

function CountPage({ id }: { id: number }) {
  const query = useCall('x.stock-counts.read', { params: { id } });
  return query.data ? <Counting count={countIn(query.data.data)} /> : <Waiting query={query} />;
}

function Counting({ count }: { count: Count }) {
  const { t } = useTranslation('floor');
  const quantityOf = useQuantity();
  const may = useMay();
  const { id, standing, location_id: place } = count;
  const update = useWrite('x.stock-counts.update.patch');
  const [asked, setAsked] = useState<Asked | null>(null);
  const [last, setLast] = useState<number | null>(null);
  const [withdraws, setWithdraws] = useState(false);
  const latest = useRef(count);
  latest.current = count;
  const lots = [last, ...count.items.map(item => item.inventory_id)];
  const titleOf = useTitles([`location:${place}`]);
  const nameOf = useLotNames(lots.filter(lot => lot !== null));
  const open = isOpen(standing) && may('x.stock-counts.update.patch');

  const save = async (body: Written) => {
    const { data } = await update.mutateAsync({ params: { id }, body });
    latest.current = countIn(data);
    return latest.current;
  };
  const undone = useRef<{ lot: number; name: string; before: number | null; code: string }[]>([]);
  /** @param code the label as it was scanned; empty: none was */
  const settle = async (step: CountStep, lot: number, text: string, code = ''): Promise<Said> => {
    if (step.write) {
      const isSame = code !== '' && undone.current.some(each => each.code === code);
      const before = notedOf(latest.current, lot);
      const saved = await save({ items: [step.write] });
      undone.current.push({ lot, name: text, before, code });
      setLast(lot);
      setAsked(null);
      return {
        outcome: isSame ? 'question' : 'taken',
        text,
        why: t(`why.${isSame ? 'same-label' : step.why}`, { quantity: quantityIn(saved, lot) }),
      };
    }
    // Anew where it was asked already, so that the next number goes into its field.
    if (step.asks !== undefined) setAsked({ lot, name: text });
    else setAsked(before => before && { ...before });
    return { outcome: step.outcome, text, why: t(`why.${step.why}`, { goods: asked?.name ?? '' }) };
  };
  const quantityIn = (saved: Count, lot: number) =>
    quantityOf(countedOf(saved, lot), saved.items.find(item => item.inventory_id === lot)?.unit_of_measure);
  const undo = async (): Promise<Said> => {
    const done = undone.current.at(-1);
    if (!done) return { outcome: 'refused', text: '', why: t('why.no-undo') };
    const saved = await save({ items: [takenBack(latest.current, done.lot, done.before)] });
    undone.current.pop();
    setAsked(null);
    setLast(done.lot);
    return {
      outcome: 'taken',
      text: done.name,
      why: t('why.undone', { quantity: quantityIn(saved, done.lot) }),
    };
  };
  const scans = useFloorScans(
    async read => {
      const text = read.name;
      if (read.kind === 'place')
        return read.id === place
          ? { outcome: 'taken', text, why: t('why.this-place') }
          : {
              outcome: 'refused',
              text,
              why: t('why.other-place', { place: titleOf('location', place) ?? '' }),
            };
      const [lot, ...more] = read.kind === 'lot' ? read.lots : [];
      if (read.kind === 'lot' && lot !== undefined) {
        if (more.length > 0) return { outcome: 'refused', text, why: t('why.several-lots') };
        return settle(
          scanCounted(latest.current, lot, read.quantity, asked?.lot ?? null),
          lot,
          text,
          read.text,
        );
      }
      const why =
        read.kind === 'unreadable'
          ? read.message
          : t(`why.${read.kind === 'new-unit' ? 'unknown' : refusalOf(read)}`);
      return { outcome: 'refused', text, why };
    },
    open,
    undo,
  );
  const undoLast = () => void scans.run('', undo);
  const type = (quantity: number) =>
    asked &&
    scans.run(asked.name, () =>
      settle(typeCounted(latest.current, asked.lot, quantity), asked.lot, asked.name),
    );
  const finish = () =>
    void scans.run('', async () => {
      if (asked) {
        setAsked({ ...asked });
        return { outcome: 'refused', text: asked.name, why: t('why.number-first', { goods: asked.name }) };
      }
      const saved = await save({ is_finished: true });
      undone.current = [];
      setLast(null);
      const outcome = saved.standing === 'agreed' ? 'taken' : 'question';
      return { outcome, text: '', why: t(`finished.${saved.standing}`, { count: dueAgain(saved).length }) };
    });
  useHotkeys(
    open
      ? [
          ['f', finish],
          ['u', undoLast],
        ]
      : [],
  );
  const shown = asked?.lot ?? last;
  const item = count.items.find(each => each.inventory_id === shown);
  const due = dueAgain(count);
  return (
    <Stack>
      <RecordHeading
        kind={t('count')}
        title={count.count_number ?? String(id)}
        status={standing && <CountStatus standing={standing} size="xl" />}
      />
      {open ? (
        <div className="scan-surface">
          <FloorPanel
            scans={scans}
            ready={t(isAgain(count) ? 'count.again' : 'count.ready')}
            actions={
              <>
                <Button px="sm" leftSection={<IconCheck aria-hidden />} onClick={finish}>
                  {t('finish')}
                </Button>
                <Button px="sm" variant="default" onClick={undoLast}>
                  {t('undo')}
                </Button>
                <Button px="sm" variant="default" onClick={() => setWithdraws(true)}>
                  {t('withdraw')}
                </Button>
              </>
            }
          >
            <ScanFact name="place" title={t('place')} isHuge isWide>
              {titleOf('location', place)}
            </ScanFact>
            <ScanFact name="goods" title={t('goods')} isWide>
              {asked?.name ?? (shown !== null && nameOf(shown))}
            </ScanFact>
            <ScanFact name="counted" title={t('counted')} isHuge isWide>
              {!asked && shown !== null && quantityOf(countedOf(count, shown), item?.unit_of_measure)}
            </ScanFact>
          </FloorPanel>
          <div className="scan-side">
            {asked && <HowMany key={asked.lot} asked={asked} onSay={quantity => void type(quantity)} />}
            {due.length > 0 && (
              <section aria-label={t('again')}>
                <Text fw={700}>{t('again.count', { count: due.length })}</Text>
                <ul className="plain-list floor-list">
                  {due.map(each => (
                    <li key={each.id}>
                      <Button
                        variant="default"
                        fullWidth
                        h="auto"
                        py="xs"
                        justify="start"
                        onClick={() =>
                          void scans.run(nameOf(each.inventory_id), () =>
                            settle(
                              scanCounted(latest.current, each.inventory_id, null, asked?.lot ?? null),
                              each.inventory_id,
                              nameOf(each.inventory_id),
                            ),
                          )
                        }
                      >
                        <span className="floor-entry">{nameOf(each.inventory_id)}</span>
                      </Button>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            <section aria-label={t('counted-lots')}>
              <Text fw={700}>{t('counted-lots')}</Text>
              <ol reversed className="plain-list floor-list">
                {count.items
                  .filter(each => !each.is_recount_due || each.quantity_recounted !== null)
                  .toReversed()
                  .map(each => (
                    <li key={each.id} className="typed">
                      {nameOf(each.inventory_id)} ·{' '}
                      {quantityOf(
                        each.quantity_recounted ?? each.quantity_counted ?? 0,
                        each.unit_of_measure,
                      )}
                    </li>
                  ))}
              </ol>
            </section>
          </div>
        </div>
      ) : (
        <CountedLots count={count} nameOf={nameOf} onWithdraw={() => setWithdraws(true)} />
      )}
      {withdraws && (
        <ReasonForm
          title={t('withdraw')}
          label={t('reason:reason')}
          kind="own"
          color="red"
          onClose={() => setWithdraws(false)}
          onSubmit={async reason => {
            await save({ is_withdrawn: true, reason });
          }}
        />
      )}
      {open ? (
        <Text size="sm">{t('count.keys')}</Text>
      ) : (
        // While it is counted nobody reads in it what the books say.
        <SectionTabs
          defaultValue={null}
          allowTabDeactivation
          tabs={[
            {
              name: 'history',
              title: t('app:history'),
              content: <RecordHistory family={families['stock-count']} id={id} />,
            },
          ]}
        />
      )}
    </Stack>
  );
}

function useLotNames(lots: readonly number[]): (lot: number) => string {
  const words = useRecordWords();
  const refs = [...new Set(lots)].sort((a, b) => a - b).slice(0, MOST_NAMES);
  const { data } = useCall(
    'x.titles.list',
    { query: { refs: refs.map(lot => `inventory:${lot}`).join(',') } },
    { isEnabled: refs.length > 0, keepsPrevious: true },
  );
  return lot => {
    const known = data?.data.find(({ id }) => id === lot);
    return known ? wordsOf(words, known).join(' · ') : String(lot);
  };
}

interface Asked {
  lot: number;
  name: string;
}

/** How many there are of a lot whose label does not say it. Asked anew (another object) it takes the focus again, which a scan took. */
function HowMany({ asked, onSay }: { asked: Asked; onSay: (quantity: number) => void }) {
  const { t } = useTranslation('floor');
  const [value, setValue] = useState<string | number>('');
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked each time that there is another question.
  useEffect(() => field.current?.focus(), [asked]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value !== '') onSay(Number(value));
  };
  return (
    <form onSubmit={submit}>
      <Group align="end">
        <QuantityInput
          ref={field}
          label={t('how-many', { goods: asked.name })}
          value={value}
          onChange={setValue}
          min={0}
          hideControls
          allowedDecimalSeparators={[',', '.']}
          flex={1}
        />
        <Button type="submit">{t('note')}</Button>
      </Group>
    </form>
  );
}
