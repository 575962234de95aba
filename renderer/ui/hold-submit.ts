/**
 * Keeps a form from being sent while a choice in it is still being settled: who presses Enter meanwhile is served once
 * the form knows what was chosen. Without it, what was chosen last would be missing, or be called unknown.
 *
 * @param until resolves once the choice is rendered; false: it failed, which is to be read before the form is sent
 */
export async function holdSubmit(form: HTMLFormElement | null, until: Promise<boolean>): Promise<void> {
  let wasSent = false;
  const hold = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    wasSent = true;
  };
  form?.addEventListener('submit', hold, { capture: true });
  const isSettled = await until.finally(() => form?.removeEventListener('submit', hold, { capture: true }));
  if (isSettled && wasSent) form?.requestSubmit();
}
