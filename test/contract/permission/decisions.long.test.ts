import { afterAll, expect, it } from 'vitest';
import { ClockedStation } from '../../server/identity/clocked-station.ts';
import { Callers } from './callers.ts';
import { leaveConflicts, tryDecisions } from './decisions.ts';
import { wrong } from './walk.ts';

const at = new ClockedStation();
afterAll(() => at.end());

it('a decision of a conflict is judged as the change that it makes', async () => {
  const { disputed } = await leaveConflicts(at.folder);
  await at.start('central');
  const callers = new Callers(at);
  await callers.open();
  const found: string[] = [];
  for (const one of disputed) found.push(...wrong(await tryDecisions(callers, one)));
  expect(found).toEqual([]);
});
