import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient, failureOf } from '../../../renderer/api/query-client.ts';
import { AppError, invalid } from '../../../shared/contract/errors.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const away = new AppError('unavailable', 'No answer.');

it('reads are repeated while the server is away, ever more slowly', async () => {
  const queries = createQueryClient();
  const at: number[] = [];
  const begun = Date.now();
  const read = queries.fetchQuery({
    queryKey: ['parts'],
    queryFn: () => {
      at.push(Date.now() - begun);
      return at.length < 6 ? Promise.reject(away) : 'here';
    },
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(read).resolves.toBe('here');
  expect(at).toEqual([0, 300, 900, 2_100, 4_500, 7_500]);
});

it('and are given up at last', async () => {
  let times = 0;
  const read = createQueryClient().fetchQuery({
    queryKey: ['parts'],
    queryFn: () => {
      times += 1;
      return Promise.reject(away);
    },
  });
  const given = expect(read).rejects.toBe(away);
  await vi.advanceTimersByTimeAsync(60_000);
  await given;
  expect(times).toBe(11);
});

it.each([invalid({}), new AppError('not_found', 'No.'), new TypeError('ours')])(
  'what was refused is not asked again: %s',
  async error => {
    let times = 0;
    const read = createQueryClient().fetchQuery({
      queryKey: ['parts'],
      queryFn: () => {
        times += 1;
        return Promise.reject(error);
      },
    });
    await expect(read).rejects.toBe(error);
    expect(times).toBe(1);
  },
);

it.each<[error: AppError, isAbout: boolean]>([
  [new AppError('unauthenticated', 'Sign in.'), true],
  [new AppError('forbidden', 'No.'), false],
  [invalid({}), false],
])('%s makes the session be asked again: %s', async (error, isAbout) => {
  const queries = createQueryClient();
  const isAsked = () => queries.getQueryState(['x.session.read', {}])?.isInvalidated;
  for (const attempt of [
    () => queries.fetchQuery({ queryKey: ['parts'], queryFn: () => Promise.reject(error) }),
    () =>
      queries
        .getMutationCache()
        .build(queries, { mutationFn: () => Promise.reject(error) })
        .execute({}),
  ]) {
    queries.setQueryData(['x.session.read', {}], 'session');
    expect(isAsked()).toBe(false);
    await attempt().catch(() => {});
    expect(isAsked()).toBe(isAbout);
  }
});

it('a failure is known until there is an answer, also while it is read again', async () => {
  const queries = createQueryClient();
  const queryKey = ['parts'];
  const failure = () => failureOf(queries, queryKey);
  const answer = Promise.withResolvers<string>();
  const read = (queryFn: () => Promise<string>) => queries.fetchQuery({ queryKey, queryFn });
  expect(failure()).toBeNull();
  const refused = new AppError('internal', 'The disk is being looked after.');
  await expect(read(() => Promise.reject(refused))).rejects.toBe(refused);
  const again = read(() => answer.promise);
  expect(queries.getQueryState(queryKey)).toMatchObject({ error: null, fetchStatus: 'fetching' });
  expect(failure()).toBe(refused);
  answer.resolve('here');
  await again;
  expect(failure()).toBeNull();
});
