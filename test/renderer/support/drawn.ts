import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { vi } from 'vitest';
import { type Language, startTexts } from '../../../renderer/i18n/i18n.ts';

/**
 * What a hook gives when it is drawn once, without a browser: with the product's texts, in a language, over the answers
 * that have been read already. Effects do not run.
 */
export async function drawn<Value>(
  use: () => Value,
  { language = 'en', queries = new QueryClient() }: { language?: Language; queries?: QueryClient } = {},
): Promise<Value> {
  // Node has neither a page nor a memory of the language that was chosen.
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
  if (!i18next.isInitialized) startTexts();
  await i18next.changeLanguage(language);
  const given: Value[] = [];
  const Probe = () => {
    given.push(use());
    return null;
  };
  renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, createElement(Probe)));
  // Files follow each other in one process: none finds a page where there is none.
  vi.unstubAllGlobals();
  const [value] = given;
  if (given.length !== 1) throw new Error(`It was drawn ${given.length} times.`);
  return value as Value;
}
