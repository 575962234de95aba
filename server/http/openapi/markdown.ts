import { type Html, html, join } from './html.ts';

/** Where a link of a document leads on the page; undefined: nowhere, its words stand alone. */
type LinkOf = (target: string) => string | undefined;

/**
 * The part of Markdown that the guides are written in, as markup: headings, paragraphs, lists, tables, fenced code, and within lines code, bold and
 * links. Comments are left out. Everything else is text.
 */
export function markdown(lines: readonly string[], linkOf: LinkOf): Html {
  const blocks: Html[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const run = (isOfIt: (line: string) => boolean): string[] => {
      const from = at;
      while (at < lines.length && isOfIt(lines[at] ?? '')) at += 1;
      return lines.slice(from, at);
    };
    const heading = /^(#+) (.*)$/.exec(line);
    if (line.trim() === '' || line.startsWith('<')) at += 1;
    else if (heading) {
      at += 1;
      blocks.push(headingOf(heading[1]?.length ?? 1, heading[2] ?? '', linkOf));
    } else if (line.startsWith('```')) {
      at += 1;
      const code = run(each => !each.startsWith('```'));
      at += 1;
      blocks.push(html`<pre><code>${code.join('\n')}</code></pre>`);
    } else if (line.startsWith('|'))
      blocks.push(
        tableOf(
          run(each => each.startsWith('|')),
          linkOf,
        ),
      );
    else if (ITEM.test(line))
      blocks.push(
        listOf(
          run(each => ITEM.test(each) || /^ +\S/.test(each)),
          linkOf,
        ),
      );
    else {
      const text = run(each => each.trim() !== '' && !/^(#|```|\||<)/.test(each) && !ITEM.test(each));
      blocks.push(html`<p>${inline(text.join(' '), linkOf)}</p>`);
    }
  }
  return join(blocks, block => block);
}

const ITEM = /^(?:-|\d+\.) /;

/** As in documents of other sites: `## When it fails` is found by `#when-it-fails`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function headingOf(level: number, text: string, linkOf: LinkOf): Html {
  const inside = inline(text, linkOf);
  if (level === 1) return html`<h1>${inside}</h1>`;
  return html`<h2 id="${anchorOf(text)}">${inside}</h2>`;
}

function tableOf(rows: readonly string[], linkOf: LinkOf): Html {
  const [head = [], , ...body] = rows.map(row =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
  const cells = (row: readonly string[]) => join(row, cell => html`<td>${inline(cell, linkOf)}</td>`);
  return html`<table><thead><tr>${join(head, cell => html`<th>${inline(cell, linkOf)}</th>`)}</tr></thead><tbody>
${join(body, row => html`<tr>${cells(row)}</tr>`)}</tbody></table>`;
}

function listOf(lines: readonly string[], linkOf: LinkOf): Html {
  const items: string[] = [];
  for (const line of lines)
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  const inside = join(items, item => html`<li>${inline(item, linkOf)}</li>`);
  return /^\d/.test(lines[0] ?? '') ? html`<ol>${inside}</ol>` : html`<ul>${inside}</ul>`;
}

function inline(text: string, linkOf: LinkOf): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/);
  return join(parts, part => {
    if (part.startsWith('`') && part.length > 1) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith('**')) return html`<b>${inline(part.slice(2, -2), linkOf)}</b>`;
    const [, label, target] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part) ?? [];
    if (label === undefined || target === undefined) return html`${part.replaceAll('\\|', '|')}`;
    const href = linkOf(target);
    return href === undefined ? inline(label, linkOf) : html`<a href="${href}">${inline(label, linkOf)}</a>`;
  });
}
