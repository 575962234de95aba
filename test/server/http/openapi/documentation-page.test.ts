import { describe, expect, it } from 'vitest';
import { documentationPage } from '../../../../server/http/openapi/documentation-page.ts';
import { html, join, words } from '../../../../server/http/openapi/html.ts';
import { openApiDocument } from '../../../../server/http/openapi/openapi.ts';
import { typeWords } from '../../../../server/http/openapi/schema-table.ts';
import { listOperations } from '../../../../shared/operations/operations.ts';

const document = openApiDocument();
const page = documentationPage(document);

/** Every tag of the page with its attributes. */
const tags = [...page.html.matchAll(/<([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/g)].map(
  ([, name = '', rest = '']) => ({
    name,
    attributes: new Map(
      [...rest.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    ),
  }),
);
const ids = tags.flatMap(({ attributes }) => attributes.get('id') ?? []);

describe('the documentation page', () => {
  it.each(listOperations().map(({ id }) => id))('has an anchor for %s', id => {
    expect(ids).toContain(id);
  });

  it('has no anchor twice, and no link within the page that leads nowhere', () => {
    expect(new Set(ids).size).toBe(ids.length);
    const targets = tags
      .flatMap(({ attributes }) => attributes.get('href') ?? [])
      .filter(href => href.startsWith('#'));
    expect(targets.length).toBeGreaterThan(ids.length);
    expect(targets.filter(target => !ids.includes(target.slice(1)))).toEqual([]);
  });

  it('contains nothing but its own markup, each tag closed', () => {
    const without = page.html.replace(
      /<!doctype html>|<\/?[a-z][a-z0-9]*(?:\s+[a-z-]+(?:="[^"<>]*")?)*\s*>/g,
      '',
    );
    expect(without).not.toMatch(/[<>]/);
    for (const name of [
      'article',
      'section',
      'table',
      'tr',
      'td',
      'pre',
      'code',
      'details',
      'ul',
      'li',
      'p',
      'a',
    ]) {
      const opened = page.html.match(new RegExp(`<${name}[\\s>]`, 'g'))?.length;
      expect(page.html.match(new RegExp(`</${name}>`, 'g'))?.length, name).toBe(opened);
    }
  });

  it('loads its stylesheet and nothing else, and runs nothing', () => {
    const loads = tags
      .filter(({ name }) => !['a'].includes(name))
      .flatMap(({ name, attributes }) =>
        ['src', 'href', 'srcset', 'data', 'action'].flatMap(key =>
          attributes.has(key) ? [`${name} ${attributes.get(key)}`] : [],
        ),
      );
    expect(loads).toEqual(['link /docs/style.css']);
    for (const { name, attributes } of tags) {
      expect(['script', 'style', 'iframe', 'img', 'object', 'base']).not.toContain(name);
      for (const key of attributes.keys()) expect(key).not.toMatch(/^on|^style$/);
      expect(attributes.get('href') ?? '').not.toMatch(/^\w+:/);
    }
    expect(page.css).not.toMatch(/url\(|@import|https?:/);
  });

  it('takes the place of the stylesheet', () => {
    expect(documentationPage(document, { stylesheet: '/elsewhere.css' }).html).toContain(
      'href="/elsewhere.css"',
    );
  });

  it('shows what an operation takes, answers and costs a reader to try', () => {
    const start = page.html.indexOf('<article id="orders.items.add"');
    const article = page.html.slice(start, page.html.indexOf('</article>', start));
    expect(article).toContain('Add an order item to an order');
    expect(article).toContain('/orders/{order_id}/items');
    expect(article).toMatch(/<code>quantity<\/code> <b title="required">\*<\/b>/);
    expect(article).toContain('number, 0 to 1,000,000,000');
    expect(article).toContain('<a href="#schema-Order">Order</a>');
    expect(article).toContain('<a href="#response-Stale">412</a>');
    expect(article).toContain('curl -X POST &quot;http://$BASE/api/v2/orders/21/items&quot;');
    expect(article).toContain('&#39;{&quot;order_id&quot;:21,');
  });

  it('marks extensions and only those', () => {
    const articleOf = (id: string) => {
      const start = page.html.indexOf(`<article id="${id}"`);
      return page.html.slice(start, page.html.indexOf('</h3>', start));
    };
    expect(articleOf('x.customers.create')).toContain('extension');
    expect(articleOf('suppliers.create')).not.toContain('extension');
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
    [{ anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] }, '<a href="#schema-A">A</a> or null'],
    [{}, 'any value'],
  ])('says %j as %s', (schema, expected) => {
    expect(typeWords(schema).text).toBe(expected);
  });
});
