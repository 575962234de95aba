import { expect, it } from 'vitest';
import { agentWords } from '../../../../renderer/screens/setup/agent-words.ts';

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    'Edge, Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox, Linux'],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome, Android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Holdpoint/0.2.0 Chrome/140.0 Electron/38.0 Safari/537.36',
    'Holdpoint, Windows',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  [null, ''],
])('%s is %s', (agent, words) => {
  expect(agentWords(agent)).toBe(words);
});
