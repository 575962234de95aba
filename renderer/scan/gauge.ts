import { normaliseUnit, scaleOf } from '../../shared/units.ts';
import { retype, type TextControl } from './typed-text.ts';

/** A gauge's or balance's line: `12.48`, `+0012.480 mm`, `ST,+00012.48  g`, `N   +  12,48 g`. */
const READING = /^\s*(?:[a-z]{1,3}[,\s]+){0,3}([+-]?)\s*0*(\d+(?:[.,]\d+)?|[.,]\d+)\s*(\D*)$/iu;

/** The number of a line that a measuring device has typed; null when it is another kind of text. */
export function gaugeReading(text: string): string | null {
  const [, sign = '', digits, unit = ''] = READING.exec(text) ?? [];
  if (digits === undefined || (unit.trim() !== '' && scaleOf(normaliseUnit(unit.trim())) === null))
    return null;
  return (sign === '-' ? '-' : '') + digits;
}

/**
 * A burst of digits in a field for measurements (`data-gauge`) is a gauge's reading: it takes the place of what stands
 * there, and the field tells its screen by a `gauge` event. True when it was one.
 */
export function takeReading(control: TextControl | null, text: string): boolean {
  const reading = control?.dataset.gauge === undefined ? null : gaugeReading(text);
  if (!control || reading === null) return false;
  retype({ control, value: '', caret: 0 }, reading);
  control.dispatchEvent(new CustomEvent('gauge', { bubbles: true }));
  return true;
}
