import { useTranslation } from 'react-i18next';
import { differingLabData } from '../../../shared/families/lab-data.ts';
import { useCall } from '../../api/calls.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useFormats } from '../../i18n/formats.ts';
import { FieldValue } from '../field-value.tsx';
import { useWholeRecord } from '../whole-record.ts';
import { type CorrectedValue, type Correction, correctedValue, subjectOf } from './correction.ts';

/** What the corrected value is called, in the record as it is now: "Sample 3, Length", "Line 2: Expiry date". */
export function useCorrectionWords(correction: Correction): { label: string } & CorrectedValue {
  const { t } = useTranslation('corrections');
  const texts = useFamilyTexts();
  const subject = subjectOf(correction);
  const path = correction.path ?? '';
  const { data } = useWholeRecord(subject?.family.name ?? '', subject?.id ?? 0, {
    isEnabled: subject !== null,
  });
  if (!subject) return { label: path, steps: [], field: undefined };
  const value = correctedValue(subject.family, path, data?.data.fields);
  const places = value.steps.flatMap(({ collection, place, name }) => {
    if (name !== null) return [name];
    if (place === null) return [];
    return [t(collection === 'samples' ? 'place.sample' : 'place.items', { place })];
  });
  const own = value.field && !isMeasured(path) ? texts.label(value.field) : null;
  const label = [places.join(', '), own].filter(Boolean).join(': ') || path;
  return { label, ...value };
}

/** Of what was measured the sample and the characteristic say enough. */
function isMeasured(path: string): boolean {
  return /^samples\.\d+\.results\.\d+\.(value|passed)$/.test(path);
}

/** What stood before, struck through, and what was put in its place. */
export function BeforeAfter({ correction, part }: { correction: Correction; part: 'before' | 'after' }) {
  const { t } = useTranslation('corrections');
  const { field } = useCorrectionWords(correction);
  const { path, old_value: old, new_value: now } = correction;
  const isBefore = part === 'before';
  if (path === 'lab_data') {
    const texts = differingLabData(old, now);
    const text = (isBefore ? texts.old : texts.now) || t('nothing');
    return isBefore ? <del className="typed">{text}</del> : <span className="typed">{text}</span>;
  }
  const value = isBefore ? old : now;
  if (value === null || value === undefined || value === '') return <>{t('nothing')}</>;
  if (typeof value === 'boolean') {
    const word = t(value ? 'app:yes' : 'app:no');
    return isBefore ? <del>{word}</del> : word;
  }
  const said = field ? (
    <FieldValue field={field} value={value} />
  ) : (
    <span className="typed">{String(value)}</span>
  );
  return isBefore ? <del>{said}</del> : said;
}

/** A correction in one line, by its id: what was changed from what to what, and by whom. */
export function CorrectionInShort({ id }: { id: number }) {
  const { data } = useCall('x.corrections.read', { params: { id } });
  return data && <InShort correction={data.data} />;
}

export function InShort({ correction }: { correction: Correction }) {
  const formats = useFormats();
  const { label } = useCorrectionWords(correction);
  return (
    <span className="typed">
      {label}: <BeforeAfter correction={correction} part="before" /> <span aria-hidden>→</span>{' '}
      <BeforeAfter correction={correction} part="after" /> · {correction.author} ·{' '}
      {formats.moment(correction.at)}
    </span>
  );
}
