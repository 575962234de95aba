import { describe, expect, it } from 'vitest';
import { describeAnswer, requestOf, type Tried } from '../../../renderer/docs/tried-request.ts';

const tried = (changes: Partial<Tried>): Tried => ({
  method: 'GET',
  path: '/api/v2/orders/{order_id}/items',
  token: 'secret',
  values: [],
  body: '',
  type: 'application/json',
  ...changes,
});

describe('a request that is tried', () => {
  it('has its values where they belong, leaves out what is empty, and goes without the cookie', () => {
    const { url, init } = requestOf(
      tried({
        values: [
          { name: 'order_id', place: 'path', value: '7/8' },
          { name: 'page', place: 'query', value: '2' },
          { name: 'keyword', place: 'query', value: '' },
          { name: 'filter', place: 'query', value: '[name][contains]=a&[id]=7' },
          { name: 'If-None-Match', place: 'header', value: '"7"' },
        ],
        body: 'of a GET nothing is sent',
      }),
    );
    expect(url).toBe('/api/v2/orders/7%2F8/items?page=2&filter%5Bname%5D%5Bcontains%5D=a&filter%5Bid%5D=7');
    expect(init).toMatchObject({ method: 'GET', credentials: 'omit' });
    expect(init.body).toBeUndefined();
    expect([...new Headers(init.headers)]).toEqual([
      ['authorization', 'Bearer secret'],
      ['if-none-match', '"7"'],
    ]);
  });

  it('sends a body by its type, and no token where none was typed', () => {
    const { init } = requestOf(tried({ method: 'PUT', token: '', body: 'a,b', type: 'text/csv' }));
    expect(init.body).toBe('a,b');
    expect([...new Headers(init.headers)]).toEqual([['content-type', 'text/csv']]);
  });
});

describe('an answer', () => {
  it.each([
    ['application/json', '{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'],
    ['application/x-ndjson', '{"a":1}\n{"a":2}', '{"a":1}\n{"a":2}'],
    ['application/pdf', '%PDF', '(4 bytes of application/pdf)'],
    ['text/csv', 'x'.repeat(20_001), '… (20001 characters in all)'],
  ])('of %s is shown', async (type, body, shown) => {
    const text = await describeAnswer(new Response(body, { headers: { 'content-type': type } }), 12.4);
    expect(text).toMatch(/^200 {2}\(12 ms\)\ncontent-type: /);
    expect(text.endsWith(shown)).toBe(true);
  });
});
