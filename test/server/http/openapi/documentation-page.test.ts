import { describe, expect, it } from 'vitest';
import { documentationPages } from '../../../../server/http/openapi/documentation-page.ts';
import { html, join, words } from '../../../../server/http/openapi/html.ts';
import { openApiDocument } from '../../../../server/http/openapi/openapi.ts';
import { typeWords } from '../../../../server/http/openapi/schema-table.ts';
import { listOperations } from '../../../../shared/operations/operations.ts';

const document = openApiDocument();
const { pages, css } = documentationPages(document);
const all = [...pages].map(([name, text]) => ({
  path: name === '' ? '/docs' : `/docs/${name}`,
  text,
  tags: tagsOf(text),
}));

/** Every tag of a page with its attributes. */
function tagsOf(text: string) {
  return [...text.matchAll(/<([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/g)].map(
    ([, name = '', rest = '']) => ({
      name,
      attributes: new Map(
        [...rest.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
      ),
    }),
  );
}

const anchors = all.map(({ path, tags }) => ({
  path,
  ids: tags.flatMap(({ attributes }) => attributes.get('id') ?? []),
}));

/** The text of an article, up to `end`. */
function articleOf(id: string, end: string): string {
  const text = all.find(page => page.text.includes(`<article id="${id}"`))?.text ?? '';
  const start = text.indexOf(`<article id="${id}"`);
  return text.slice(start, text.indexOf(end, start));
}

describe('the documentation', () => {
  it.each(listOperations().map(({ id }) => id))('has an anchor for %s on one page', id => {
    expect(anchors.filter(({ ids }) => ids.includes(id))).toHaveLength(1);
  });

  it('has no anchor twice on a page, and no link that leads nowhere', () => {
    const places = new Set(anchors.flatMap(({ path, ids }) => [path, ...ids.map(id => `${path}#${id}`)]));
    let links = 0;
    for (const { path, tags } of all) {
      const ids = anchors.find(page => page.path === path)?.ids ?? [];
      expect(new Set(ids).size, path).toBe(ids.length);
      const targets = tags
        .filter(({ name }) => name === 'a')
        .map(({ attributes }) => new URL(attributes.get('href') ?? '', `http://here${path}`))
        .map(({ pathname, hash }) => pathname + hash);
      links += targets.length;
      expect(targets.filter(target => !places.has(target))).toEqual([]);
    }
    expect(links).toBeGreaterThan(places.size);
  });

  it.each(all)('$path contains nothing but its own markup, each tag closed', ({ text }) => {
    const without = text.replace(/<!doctype html>|<\/?[a-z][a-z0-9]*(?:\s+[a-z-]+(?:="[^"<>]*")?)*\s*>/g, '');
    expect(without).not.toMatch(/[<>]/);
    for (const name of ['article', 'table', 'tr', 'td', 'pre', 'code', 'details', 'ul', 'li', 'p', 'a']) {
      const opened = text.match(new RegExp(`<${name}[\\s>]`, 'g'))?.length;
      expect(text.match(new RegExp(`</${name}>`, 'g'))?.length, name).toBe(opened);
    }
  });

  it.each(all)('$path loads its stylesheet and its script and nothing else', ({ tags }) => {
    const loads = tags
      .filter(({ name }) => name !== 'a')
      .flatMap(({ name, attributes }) =>
        ['src', 'href', 'srcset', 'data', 'action'].flatMap(key =>
          attributes.has(key) ? [`${name} ${attributes.get(key)}`] : [],
        ),
      );
    expect(loads).toEqual(['link /docs/style.css', 'script /docs/docs.js']);
    for (const { name, attributes } of tags) {
      expect(['style', 'iframe', 'img', 'object', 'base', 'form']).not.toContain(name);
      for (const key of attributes.keys()) expect(key).not.toMatch(/^on|^style$/);
      expect(attributes.get('href') ?? '').not.toMatch(/^\w+:/);
    }
    expect(css).not.toMatch(/url\(|@import|https?:/);
  });

  it('shows what an operation takes, answers and costs a reader to try', () => {
    const article = articleOf('orders.items.add', '</article>');
    expect(article).toContain('Add an order item to an order');
    expect(article).toContain('data-method="POST" data-path="/api/v2/orders/{order_id}/items"');
    expect(article).toMatch(/<code>quantity<\/code> <b title="required">\*<\/b>/);
    expect(article).toContain('number, 0 to 1,000,000,000');
    expect(article).toContain('<a href="/docs/schemas#schema-Order">Order</a>');
    expect(article).toContain('<a href="/docs/errors#response-Stale">412</a>');
    expect(article).toContain('curl -X POST &quot;http://$BASE/api/v2/orders/1/items&quot;');
    expect(article).toContain('&#39;{&quot;order_id&quot;:1,');
    expect(article).toMatch(
      /<tr data-parameter="order_id" data-in="path" data-example="1" data-required="">/,
    );
    expect(article).toContain('<pre data-body="application/json">');
  });

  it('marks extensions and only those', () => {
    expect(articleOf('x.customers.create', '</h2>')).toContain('extension');
    expect(articleOf('suppliers.create', '</h2>')).not.toContain('extension');
  });
});

describe('html', () => {
  it('escapes every value, but not markup of its own', () => {
    const hostile = `<script>"&'`;
    expect(html`<a title="${hostile}">${hostile}</a>`.text).toBe(
      '<a title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;</a>',
    );
    expect(html`<p>${html`<b>${1}</b>`}</p>`.text).toBe('<p><b>1</b></p>');
    expect(join(['<', 'b'], each => html`<i>${each}</i>`).text).toBe('<i>&lt;</i><i>b</i>');
  });

  it('sets names in backquotes as code', () => {
    expect(words('Set `a<b` to 1.').text).toBe('Set <code>a&lt;b</code> to 1.');
  });
});

describe('type words', () => {
  it.each([
    [{ type: ['string', 'null'], maxLength: 10_000 }, 'string or null, at most 10,000 characters'],
    [{ type: 'integer', minimum: 1 }, 'integer, at least 1'],
    [{ type: 'array', items: { type: 'string' }, maxItems: 3 }, 'list of string, at most 3'],
    [{ type: 'string', enum: ['a', null] }, '<code>&quot;a&quot;</code>, <code>null</code>'],
    [
      { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] },
      '<a href="/docs/schemas#schema-A">A</a> or null',
    ],
    [{}, 'any value'],
  ])('says %j as %s', (schema, expected) => {
    expect(typeWords(schema).text).toBe(expected);
  });
});
