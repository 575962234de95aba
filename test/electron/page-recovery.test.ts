import { EventEmitter } from 'node:events';
import { beforeEach, expect, it } from 'vitest';
import { recoverPage } from '../../electron/page-recovery.ts';

class StandInContents extends EventEmitter {
  reload = () => void did.push('reload');
  forcefullyCrashRenderer = () => {
    did.push('end');
    this.emit('render-process-gone', {}, { reason: 'killed' });
  };
}

let did: string[];
let time: number;
let answers: PromiseWithResolvers<boolean>[];
let contents: StandInContents;
beforeEach(() => {
  [did, time, answers, contents] = [[], 0, [], new StandInContents()];
  recoverPage({
    contents,
    ask: (what, signal) => {
      did.push(what);
      const answer = Promise.withResolvers<boolean>();
      answers.push(answer);
      signal.addEventListener('abort', () => answer.resolve(false));
      return answer.promise;
    },
    log: () => {},
    now: () => time,
  });
});
const end = (reason = 'crashed') => contents.emit('render-process-gone', {}, { reason });

it('brings a page back whose process has ended, and not one whose window is closed', () => {
  end();
  end('oom');
  end('clean-exit');
  expect(did).toEqual(['reload', 'reload']);
});

it('asks a person about a page that dies again and again', async () => {
  for (let each = 0; each < 4; each++) end();
  expect(did).toEqual(['reload', 'reload', 'reload', 'gone']);
  answers[0]?.resolve(true);
  await answers[0]?.promise;
  expect(did.at(-1)).toBe('reload');
  time = 120_000;
  end();
  expect(did).toHaveLength(6);
});

it('asks once about a page that does not answer, and brings it back where that is wanted', async () => {
  contents.emit('unresponsive');
  contents.emit('unresponsive');
  answers[0]?.resolve(true);
  await answers[0]?.promise;
  expect(did).toEqual(['unresponsive', 'end', 'reload']);
});

it('leaves a page alone that answers again', async () => {
  contents.emit('unresponsive');
  contents.emit('responsive');
  await answers[0]?.promise;
  expect(did).toEqual(['unresponsive']);
});
