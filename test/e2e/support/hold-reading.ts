import type { Page } from 'playwright-core';

/**
 * From now on the next file whose text the page asks for is one that takes long to read, as on a stick or a busy machine.
 * @returns lets it be read to its end
 */
export async function holdReading(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { text } = Blob.prototype;
    const read = new Promise<void>(resolve => Object.assign(window, { readOn: resolve }));
    Blob.prototype.text = async function () {
      await read;
      Blob.prototype.text = text;
      return text.call(this);
    };
  });
  return () => page.evaluate(() => (window as unknown as { readOn: () => void }).readOn());
}
