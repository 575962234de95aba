/** Text that is markup already; only `html` makes it. */
export interface Html {
  readonly text: string;
}

type Part = Html | string | number;

/** Markup from a template; every value in it is escaped, unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly (Part | undefined)[]): Html {
  return { text: strings.reduce((text, string, index) => text + textOf(parts[index - 1] ?? '') + string) };
}

export function join<Item>(items: readonly Item[], each: (item: Item) => Html): Html {
  return { text: items.map(item => each(item).text).join('') };
}

/** A sentence whose `names` in backquotes are code. */
export function words(sentence: string): Html {
  const pieces = sentence
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
  return join(pieces, piece => piece);
}

function textOf(part: Part): string {
  return typeof part === 'object' ? part.text : escapeText(String(part));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '');
}
