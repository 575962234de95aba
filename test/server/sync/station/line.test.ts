import { describe, expect, it } from 'vitest';
import { CentralFailure } from '../../../../server/sync/client/central-failure.ts';
import { FIRST_CURSOR, type Request } from '../../../../server/sync/protocol/wire.ts';
import { Line, type Passage } from '../../../../server/sync/station/line.ts';
import { AppError, type ErrorCode } from '../../../../shared/contract/errors.ts';
import { commitOf } from './commit-of.ts';

const asking = { request: 'r', station: 'dock', protocol: 1, cursor: FIRST_CURSOR };
const pull: Request = { ...asking, kind: 'pull', limit: 500 };
const push = (...sizes: number[]): Request => ({
  ...asking,
  kind: 'push',
  offers: [],
  commits: sizes.map((size, index) => commitOf(index + 1, size)),
});
const QUIET: Passage = { characters: 100, bytes: 100, seconds: 0 };
/** Packed to a half. */
const passage = (bytes: number, rate: number): Passage => ({
  characters: 2 * bytes,
  bytes,
  seconds: bytes / rate,
});
const timeout = new CentralFailure('timeout', 'nothing came');

/** A line whose clock goes on by a minute with each look. */
function lineOf(): Line {
  let minute = 0;
  return new Line(() => new Date(60_000 * minute++));
}

describe('the size of messages', () => {
  it('is found for each direction by itself', () => {
    const line = lineOf();
    const [up, down] = [line.up.size, line.down.size];
    line.passed(push(100), { up: { characters: up, bytes: up, seconds: 30 }, down: QUIET });
    expect(line.up.size).toBe(Math.round(up / 10));
    expect(line.down.size).toBe(down);
    line.passed(pull, { up: QUIET, down: { characters: down, bytes: down, seconds: 6 } });
    expect(line.up.size).toBe(Math.round(up / 10));
    expect(line.down.size).toBe(down / 2);
  });

  it('is half of what was sent and did not arrive, or half of what was asked for', () => {
    const line = lineOf();
    const { size } = line.down;
    line.failed(pull, timeout);
    expect(line.down.size).toBe(size / 2);
    line.failed(push(20_000, 20_000), timeout);
    expect(line.up.size).toBeGreaterThan(20_000);
    expect(line.up.size).toBeLessThan(21_000);
  });

  it.each<[string, unknown, isSmaller: boolean]>([
    ['the answer broke off', new CentralFailure('cut', 'broke off'), true],
    ['an older central did not wait for the end', new AppError('timeout', '10 seconds'), true],
    ['nobody listens', new CentralFailure('unreachable', 'nobody'), false],
    ['central refuses it', new AppError('forbidden' satisfies ErrorCode, 'no'), false],
  ])('when %s', (_, cause, isSmaller) => {
    const line = lineOf();
    const { size } = line.up;
    line.failed(push(50_000), cause);
    expect(line.up.size < size).toBe(isSmaller);
  });
});

describe('what is told of a line', () => {
  it('is nothing before a message was large enough', () => {
    const line = lineOf();
    line.passed(pull, { up: QUIET, down: passage(4_000, 1_000) });
    expect(line.state()).toBeNull();
  });

  it('are rates in two digits, and since when it is slow', () => {
    const line = lineOf();
    line.passed(push(100), { up: passage(24_468, 6_117), down: QUIET });
    line.passed(pull, { up: QUIET, down: passage(8_888, 12_345) }, 10);
    line.passed(pull, { up: QUIET, down: passage(1_000_000, 12_345) }, 1);
    expect(line.state()).toEqual({
      is_slow: true,
      since: '1970-01-01T00:00:00.000Z',
      sends: 6_100,
      receives: 12_000,
      push_packing: 0.5,
      entry_bytes: 888.8,
    });
  });

  it('changes when the line is clearly another, and not with each message', () => {
    const line = lineOf();
    const at = (rate: number) => {
      line.passed(push(100), { up: passage(10_000, rate), down: QUIET });
      const { is_slow, since } = line.state() ?? {};
      return [is_slow, since?.slice(14, 16)];
    };
    expect(at(100_000)).toEqual([false, '00']);
    // One that stood still for a moment.
    expect(at(5_000)).toEqual([false, '00']);
    for (let message = 0; message < 3; message += 1) at(5_000);
    expect(at(5_000)).toEqual([true, '01']);
    expect(at(60_000)).toEqual([true, '01']);
    for (let message = 0; message < 20; message += 1) at(60_000);
    expect(at(60_000)).toEqual([true, '01']);
    for (let message = 0; message < 20; message += 1) at(90_000);
    expect(at(90_000)).toEqual([false, '02']);
  });
});
