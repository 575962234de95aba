/** Finds operations by words of their summary, method or path, over all pages. */
export function offerSearch(nav: HTMLElement): void {
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'Find an operation';
  input.setAttribute('aria-label', 'Find an operation');
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  nav.querySelector('ul')?.before(input, status);
  const groups = [...nav.querySelectorAll('details')].map(group => ({
    group,
    isOpen: group.open,
    entries: [...group.querySelectorAll<HTMLElement>('li[data-find]')],
  }));
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { group, isOpen, entries } of groups) {
      const fitting = entries.filter(entry => {
        const text = `${entry.textContent} ${entry.dataset.find}`.toLowerCase();
        entry.hidden = !words.every(word => text.includes(word));
        return !entry.hidden;
      });
      found += fitting.length;
      group.hidden = fitting.length === 0;
      group.open = words.length > 0 ? fitting.length > 0 : isOpen;
    }
    status.textContent = words.length === 0 ? '' : `${found} found`;
  });
  // Enter goes to the first of them.
  input.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || input.value.trim() === '') return;
    nav.querySelector<HTMLAnchorElement>('details:not([hidden]) li[data-find]:not([hidden]) a')?.click();
  });
}
