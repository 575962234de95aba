/** A control that takes text, or null. */
export function textControl(element: Element | null): HTMLInputElement | HTMLTextAreaElement | null {
  if (element instanceof HTMLTextAreaElement) return element.readOnly ? null : element;
  if (!(element instanceof HTMLInputElement) || element.readOnly) return null;
  return /^(text|search|tel|url|email|password|number|date|)$/.test(element.type) ? element : null;
}

/** Takes characters before the caret away and puts others in their place, as if they had been typed. */
export function retype(
  control: HTMLInputElement | HTMLTextAreaElement,
  takeBack: number,
  text: string,
): void {
  if (takeBack === 0 && text === '') return;
  const { value } = control;
  // Numbers and dates have no caret that a script can see; what was typed last stands at their end.
  const caret = control.selectionStart ?? value.length;
  const from = Math.max(0, caret - takeBack);
  const prototype = control instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  // React compares with the value that it set itself, so the element's own setter is the one that it notices.
  Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set?.call(
    control,
    value.slice(0, from) + text + value.slice(caret),
  );
  control.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
  if (control.selectionStart !== null) control.setSelectionRange(from + text.length, from + text.length);
}
