import { deviceUnit, inUnit } from '../../../shared/quantities/measured-unit.ts';
import { scaleOf } from '../../../shared/quantities/units.ts';
import { type Held, retype, type TextControl, withText } from './typed-text.ts';

/** A gauge's or balance's line: `12.48`, `+0012.480 mm`, `ST,+00012.48  g`, `N   +  12,48 g`, `0.9180 g/cm3`. */
const READING =
  /^\s*(?:[a-z]{1,3}[,\s]+){0,3}([+-]?)\s*(?:0*(?=\d))?(\d+(?:[.,]\d+)?|[.,]\d+)\s*([^\d\s.,+-][^\d\s]{0,6}[23]?)?\s*$/iu;

export interface Reading {
  /** As typed, without leading zeros. */
  digits: string;
  /** As devices write it; null: none was sent. */
  unit: string | null;
}

/** What a field was told by a device, for the screen to go on or to say why not: the detail of a `gauge` event. */
export interface GaugeDetail {
  /** The device's whole line. */
  typed: string;
  unit: string | null;
  /** The unit of the field; null: it has none. */
  asked: string | null;
  /** What stands in the field now; null: the units have nothing in common, and the field is as it was. */
  value: string | null;
}

/** The number and unit of a line that a measuring device has typed; null when it is another kind of text. */
export function gaugeReading(text: string, asked: string | null = null): Reading | null {
  const [, sign = '', digits, unit = ''] = READING.exec(text) ?? [];
  if (digits === undefined) return null;
  if (unit === '') return { digits: (sign === '-' ? '-' : '') + digits, unit: null };
  // Where nothing says what is measured, letters behind digits may be a part number's.
  if (asked === null && scaleOf(deviceUnit(unit)) === null) return null;
  return { digits: (sign === '-' ? '-' : '') + digits, unit };
}

/**
 * A burst of digits in a field for measurements (`data-gauge`, with its `data-unit`) is a gauge's reading: in the field's
 * unit it takes the place of what stands there, and the field tells its screen by a `gauge` event. True when it was one.
 * @param held what stood there before the burst, which a reading in a foreign unit leaves as it was
 * @param isContinued what stood there was typed just before, and may be the reading's beginning that a stutter held apart:
 * both together are read, and nothing is dropped
 */
export function takeReading(
  control: TextControl | null,
  burst: string,
  held: Held | null | undefined,
  isContinued = false,
): boolean {
  if (control?.dataset.gauge === undefined) return false;
  const asked = control.dataset.unit || null;
  const text = isContinued && held?.control === control ? withText(held, burst) : burst;
  const reading = gaugeReading(text, asked);
  if (reading === null) return false;
  const { digits, unit } = reading;
  const value = unit === null || asked === null ? digits : inUnit(digits, unit, asked);
  if (value !== null) retype({ control, value: '', caret: 0 }, value);
  else if (held?.control === control) retype(held, '');
  const detail: GaugeDetail = { typed: text.trim(), unit, asked, value };
  control.dispatchEvent(new CustomEvent('gauge', { bubbles: true, detail }));
  return true;
}

/** A field for measurements that is closed takes no reading and looks up no code: its screen says so (`gauge-closed`). */
export function isRefusedByField(element: Element | null): boolean {
  if (!(element instanceof HTMLInputElement) || element.dataset.gauge === undefined) return false;
  if (!element.readOnly) return false;
  element.dispatchEvent(new CustomEvent('gauge-closed', { bubbles: true }));
  return true;
}

/** What a `gauge` event tells. */
export function gaugeDetail(event: Event): GaugeDetail | null {
  return event instanceof CustomEvent ? (event.detail as GaugeDetail) : null;
}
