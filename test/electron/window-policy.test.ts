import { describe, expect, it } from 'vitest';
import { externalAddress, isOwnPage, recordPathIn, recordPathOf } from '../../electron/addresses.ts';
import {
  decideWindow,
  isOwnSender,
  leadsOut,
  mayDownload,
  mayHave,
  mayNavigate,
  mayNavigateFrame,
  PAPER_WINDOW,
  SAFE_PREFERENCES,
} from '../../electron/window-policy.ts';

const FOREIGN = [
  'app://bundle.evil/',
  'app://bundle@evil/',
  'app://evil/bundle',
  'app:bundle',
  'http://bundle/',
  'https://bundle/',
  'file:///etc/passwd',
  'data:text/html,hello',
  'javascript:alert(1)',
  'about:blank',
  'holdpoint://supplier/1',
  'not an address',
  '',
];

it.each(['app://bundle/', 'app://bundle/app/records/part/7?x=1#y'])('%s is a page of this app', address => {
  const mayGo = mayNavigate(address, 'app://bundle/app');
  expect([isOwnPage(address), mayGo, mayNavigateFrame(address)]).toEqual([true, true, true]);
});

it.each(FOREIGN)('%j is no page of this app: no navigation, no download, no message from it', address => {
  const mayGo = ['app://bundle/app', '', 'blob:app://bundle/1'].some(from => mayNavigate(address, from));
  expect([isOwnPage(address), mayGo, mayDownload(address)]).toEqual([false, false, false]);
  expect(isOwnSender({ url: address, parent: null })).toBe(false);
});

describe('a window that a page opens', () => {
  it('shows a paper that the page has made, in a window without a bridge', () => {
    const decision = decideWindow('blob:app://bundle/5f0c');
    expect(decision).toEqual({ action: 'allow', overrideBrowserWindowOptions: PAPER_WINDOW });
    expect(PAPER_WINDOW.webPreferences).toEqual({ ...SAFE_PREFERENCES, plugins: true });
    expect(PAPER_WINDOW.webPreferences).not.toHaveProperty('preload');
  });

  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['HTTPS://EXAMPLE.com', 'https://example.com/'],
    ['mailto:dock@harbour.example?subject=x&attach=/etc/passwd', 'mailto:dock@harbour.example'],
  ])('%s is opened outside as %s', (address, outside) => {
    expect(decideWindow(address)).toEqual({ action: 'deny', openOutside: outside });
  });

  it.each([
    'http://example.com/',
    'https://user:secret@example.com/',
    'https://exa mple.com/',
    'https://example.com/\n',
    `https://example.com/${'a'.repeat(2_001)}`,
    'mailto:',
    'mailto:a@b.example,c@d.example',
    'mailto:a%0ab@c.example',
    'ms-msdt:/id',
    'smb://server/share',
    'vbscript:x',
    'blob:https://evil.example/1',
    'blob:app://bundle.evil/1',
    'app://bundle/app',
    ...FOREIGN.filter(address => !address.startsWith('https:')),
  ])('%j is refused', address => {
    expect(decideWindow(address)).toEqual({ action: 'deny' });
  });

  it('that leads outside says nothing of this app', () => {
    expect(externalAddress('https://bundle/')).toBe('https://bundle/');
    expect(externalAddress('app://bundle/')).toBeUndefined();
  });
});

it('a window that a page has opened for a paper gets it, and stays there', () => {
  // Electron asks `will-navigate` of the first load too, because the page has begun it (electron/electron#33612).
  expect(mayNavigate('blob:app://bundle/5f0c', '')).toBe(true);
  expect(mayNavigate('blob:app://bundle/5f0c', 'about:blank')).toBe(true);
  expect(mayNavigate('blob:app://bundle/5f0c', 'blob:app://bundle/5f0c')).toBe(true);
  expect(mayNavigate('blob:https://evil.example/1', '')).toBe(false);
  expect(mayNavigate('app://bundle/app', 'blob:app://bundle/5f0c')).toBe(false);
  // The window of the screens stays with the screens.
  expect(mayNavigate('blob:app://bundle/5f0c', 'app://bundle/app')).toBe(false);
});

it('only a page of this app puts text into the clipboard', () => {
  expect(mayHave('clipboard-sanitized-write', 'app://bundle/')).toBe(true);
  expect(mayHave('clipboard-sanitized-write', 'https://bundle/')).toBe(false);
  expect(mayHave('clipboard-sanitized-write', undefined)).toBe(false);
});

it('only a page of this app sees through the camera, and none hears', () => {
  expect(mayHave('media', 'app://bundle/', ['video'])).toBe(true);
  expect(mayHave('media', 'https://bundle/', ['video'])).toBe(false);
  for (const media of [['audio'], ['video', 'audio'], ['unknown'], [undefined], []])
    expect(mayHave('media', 'app://bundle/', media)).toBe(false);
});

it.each([
  'media',
  'geolocation',
  'notifications',
  'clipboard-read',
  'openExternal',
  'hid',
  'serial',
  'usb',
  'new-one',
])('no page may have %s', permission => {
  expect(mayHave(permission, 'app://bundle/')).toBe(false);
});

it('a frame inside a page may show a paper, and nothing from elsewhere', () => {
  expect(mayNavigateFrame('blob:app://bundle/1')).toBe(true);
  expect(mayNavigateFrame('chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html')).toBe(true);
  expect(mayNavigateFrame('chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh/index.html')).toBe(false);
  expect(mayNavigateFrame('https://example.com/')).toBe(false);
});

it('only the main frame of a page of this app is heard', () => {
  expect(isOwnSender({ url: 'app://bundle/app', parent: null })).toBe(true);
  expect(isOwnSender({ url: 'app://bundle/app', parent: {} })).toBe(false);
  expect(isOwnSender({ url: 'blob:app://bundle/1', parent: null })).toBe(false);
  expect(isOwnSender(null)).toBe(false);
  expect(isOwnSender(undefined)).toBe(false);
});

describe('a link to a record', () => {
  it('names a family and an id', () => {
    expect(recordPathOf('holdpoint://supplier/1048583')).toBe('/app/records/supplier/1048583');
    expect(recordPathOf('holdpoint://receiving-inspection/7/')).toBe('/app/records/receiving-inspection/7');
    expect(recordPathIn(['/opt/holdpoint', '--flag', 'holdpoint://part/3'])).toBe('/app/records/part/3');
  });

  it.each([
    'holdpoint://nothing/1',
    'holdpoint://supplier/0',
    'holdpoint://supplier/-1',
    'holdpoint://supplier/1.5',
    'holdpoint://supplier/9999999999999999',
    'holdpoint://supplier/1/../../x',
    'holdpoint://supplier/1?x=1',
    'holdpoint://supplier/1 --inspect',
    'holdpoint:supplier/1',
    'HOLDPOINT://supplier/1',
    'https://supplier/1',
    'holdpoint://constructor/1',
    '',
  ])('%j names none', link => {
    expect(recordPathOf(link)).toBeUndefined();
    expect(recordPathIn([link])).toBeUndefined();
  });
});

it('a kiosk shows papers, and leads to no browser and no folder of the machine', () => {
  expect(decideWindow('blob:app://bundle/5f0c#toolbar=0', true)).toMatchObject({ action: 'allow' });
  for (const address of [
    'blob:app://bundle/5f0c',
    'blob:app://bundle/5f0c#toolbar=1',
    'app://bundle/#toolbar=0',
  ])
    expect(decideWindow(address, true)).toEqual({ action: 'deny' });
  for (const address of ['https://example.com/', 'mailto:ann@example.com'])
    expect(decideWindow(address, true)).toEqual({ action: 'deny' });
  expect(mayDownload('blob:app://bundle/5f0c')).toBe(true);
  expect(mayDownload('blob:app://bundle/5f0c', true)).toBe(false);
});

it('keys of Chromium that ask for a window, a file, a printer, its tools or a smaller window lead out of a kiosk, and no others', () => {
  const none = { control: false, meta: false, alt: false };
  for (const key of ['n', 'N', 'o', 'p', 's', 't', 'u', 'I', 'J', 'q'])
    for (const held of ['control', 'meta'])
      expect(leadsOut({ ...none, key, [held]: true }), `${held} ${key}`).toBe(true);
  for (const key of ['F11', 'F12']) expect(leadsOut({ ...none, key })).toBe(true);
  expect(leadsOut({ ...none, key: 'F4', alt: true })).toBe(true);
  // What is typed, copied and scanned goes through.
  for (const key of ['n', 'Enter', 'F4', 'F2', 'Tab']) expect(leadsOut({ ...none, key }), key).toBe(false);
  for (const key of ['c', 'v', 'a', 'z', 'k'])
    expect(leadsOut({ ...none, key, control: true }), key).toBe(false);
});
