import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/**
 * From now on a file whose text the page asks for is one that takes long to read, as on a stick or a busy machine. At the
 * test's end all are read as ever, whatever became of it.
 * @returns lets them be read to their end
 */
export async function holdReading(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { text } = Blob.prototype;
    const { promise: isOn, resolve } = Promise.withResolvers<void>();
    Blob.prototype.text = async function () {
      await isOn;
      return text.call(this);
    };
    const readOn = () => {
      Blob.prototype.text = text;
      resolve();
    };
    Object.assign(window, { readOn });
  });
  const readOn = () => page.evaluate(() => (window as unknown as { readOn?: () => void }).readOn?.());
  // A page that has gone meanwhile holds nothing.
  onTestFinished(() => readOn().catch(() => undefined));
  return readOn;
}
