import type { Page } from 'playwright-core';

/** The first administrator has what is known of a part printed: the document of fewest records. */
export async function printFirstRecall(page: Page): Promise<void> {
  const code = new URL(page.url()).hash.slice(1);
  const id = await page.evaluate(async code => {
    const post = async (path: string, body: object) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()).data;
    };
    const password = 'correct horse battery staple';
    await post('/api/v2/x/first-administrator', { code, name: 'Ann', login: 'ann', password });
    return (await post('/api/v2/parts', { name: 'Hex bolt', number: 'HB-8' })).id;
  }, code);
  await page.evaluate(to => {
    location.href = to;
  }, `/app/records/part/${id}`);
  await page.getByRole('button', { name: 'Print' }).click();
  await page.getByRole('menuitem', { name: /recall/i }).click();
}
