/** Finds operations by words of their summary, method or path, and guides by all of their words, over all pages. */
export function offerSearch(nav: HTMLElement): void {
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'Find an operation or a guide';
  input.setAttribute('aria-label', 'Find an operation or a guide');
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  nav.querySelector('ul')?.before(input, status);
  const guides = [...nav.querySelectorAll<HTMLElement>(':scope > ul > li[data-find]')];
  const groups = [...nav.querySelectorAll('details')].map(group => ({
    group,
    isOpen: group.open,
    entries: [...group.querySelectorAll<HTMLElement>('li[data-find]')],
  }));
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fittingOf = (entries: readonly HTMLElement[]) =>
      entries.filter(entry => {
        const text = `${entry.textContent} ${entry.dataset.find}`.toLowerCase();
        entry.hidden = !words.every(word => text.includes(word));
        return !entry.hidden;
      });
    let found = fittingOf(guides).length;
    for (const { group, isOpen, entries } of groups) {
      const fitting = fittingOf(entries);
      found += fitting.length;
      group.hidden = fitting.length === 0;
      group.open = words.length > 0 ? fitting.length > 0 : isOpen;
    }
    status.textContent = words.length === 0 ? '' : `${found} found`;
  });
  // Enter goes to the first of them, to an operation before a guide, in whose words many operations are named.
  input.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || input.value.trim() === '') return;
    const first = (which: string) =>
      nav.querySelector<HTMLAnchorElement>(`${which} li[data-find]:not([hidden]) a`);
    (first('details:not([hidden])') ?? first(':scope > ul >'))?.click();
  });
}
