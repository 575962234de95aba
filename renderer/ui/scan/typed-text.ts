export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** What a control held before a key: a control that takes numbers drops letters, so counting keys back would not do. */
export interface Held {
  control: TextControl;
  value: string;
  /** Null: a number or a date, whose caret a script cannot see; what is typed goes to its end. */
  caret: number | null;
}

/** A control that takes text, or null. */
export function textControl(element: Element | null): TextControl | null {
  if (element instanceof HTMLTextAreaElement) return element.readOnly ? null : element;
  if (!(element instanceof HTMLInputElement) || element.readOnly) return null;
  return /^(text|search|tel|url|email|password|number|date|)$/.test(element.type) ? element : null;
}

export function heldBy(control: TextControl): Held {
  return { control, value: control.value, caret: control.selectionStart };
}

/** What a control would hold with a text put in at its caret. */
export function withText({ value, caret }: Held, text: string): string {
  const at = caret ?? value.length;
  return value.slice(0, at) + text + value.slice(at);
}

/** Gives the control what it held, with a text put in at its caret, as if that had been typed. */
export function retype(held: Held, text: string): void {
  const { control, caret } = held;
  const next = withText(held, text);
  if (next === control.value) return;
  const prototype = control instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  // React compares with the value that it set itself, so the element's own setter is the one that it notices.
  Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set?.call(control, next);
  control.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
  if (caret !== null) control.setSelectionRange(caret + text.length, caret + text.length);
}
