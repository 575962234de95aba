import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { createOwnChanges } from '../../../renderer/api/own-changes.ts';

/** The server's answers, in their order: the place that each names. */
function answering(...places: (string | undefined)[]): ReturnType<typeof createOwnChanges> {
  const headers = places.map(place => (place === undefined ? {} : { 'X-Change-Cursor': place }));
  vi.stubGlobal('fetch', async () => new Response('{}', { headers: headers.shift() ?? {} }));
  return createOwnChanges();
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it('takes an own change for read once everything was read again after its answer', async () => {
  const own = answering('a-1', undefined, 'a-2');
  await own.fetch('/', { method: 'POST' });
  expect(own.isRead('a-1')).toBe(false);
  await own.readAgain(new QueryClient());
  await own.fetch('/', { method: 'PUT' });
  await own.fetch('/', { method: 'PUT' });
  expect([own.isRead('a-1'), own.isRead('a-2')]).toEqual([true, false]);
  await own.readAgain(new QueryClient());
  expect(own.isRead('a-2')).toBe(true);
});

it('takes the place of the first answer for read, since nothing on screen is older, and of no later read', async () => {
  const own = answering('a-1', 'a-2');
  await own.fetch('/');
  await own.fetch('/', { method: 'GET' });
  expect([own.isRead('a-1'), own.isRead('a-2')]).toEqual([true, false]);
});

it('reads once more what was being read for the first time when the own change was answered', async () => {
  const own = answering('a-1');
  const queries = new QueryClient();
  const answers: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: ['count'],
    queryFn: () => new Promise<string>(resolve => answers.push(resolve)),
  });
  const stop = observer.subscribe(() => {});
  await own.fetch('/', { method: 'POST' });
  const done = own.readAgain(queries);
  expect(answers).toHaveLength(1);
  answers[0]?.('before');
  await done;
  await expect.poll(() => answers).toHaveLength(2);
  answers[1]?.('after');
  await expect.poll(() => observer.getCurrentResult().data).toBe('after');
  stop();
});
