import { describe, expect, it } from 'vitest';
import { NamedStations } from '../../../server/enrolment/named-stations.ts';

const named = (...names: string[]) => names.map((name, index) => ({ station: `s${index}`, name }));

describe('the names of stations', () => {
  it('are told whole to who has none, and not to who has them', () => {
    const stations = new NamedStations(named('Dock', 'Lab'));
    const told = stations.since('');
    expect(told).toMatchObject({ after: '', stations: named('Dock', 'Lab') });
    expect(stations.since(told?.stamp ?? '')).toBeUndefined();
    expect(new NamedStations([]).since('')).toBeUndefined();
  });

  it('are told from where the list that a station has ends', () => {
    const stamp = new NamedStations(named('Dock', 'Lab')).since('')?.stamp ?? '';
    const now = new NamedStations(named('Dock', 'Lab', 'Gate'));
    expect(now.since(stamp)).toMatchObject({ after: stamp, stations: [{ station: 's2', name: 'Gate' }] });
  });

  it.each([
    ['a name changed', named('Quay', 'Lab')],
    ['central was restored', named('Dock')],
    ['central was restored and went on', [...named('Dock'), { station: 'other', name: 'Gate' }]],
  ])('are told anew where %s', (_, stations) => {
    const stamp = new NamedStations(named('Dock', 'Lab')).since('')?.stamp ?? '';
    const now = new NamedStations(stations);
    for (const unknown of [stamp, 'nonsense', '9:nonsense']) {
      expect(now.since(unknown)).toMatchObject({ after: null, stations });
    }
  });

  it('come in parts that follow each other', () => {
    const stations = Array.from({ length: 2_500 }, (_, index) => ({
      station: `s${index}`,
      name: `N${index}`,
    }));
    const list = new NamedStations(stations);
    const received: typeof stations = [];
    let stamp = '';
    for (let told = list.since(stamp); told; told = list.since(stamp)) {
      expect(told.after).toBe(stamp);
      received.push(...told.stations);
      ({ stamp } = told);
    }
    expect(received).toEqual(stations);
  });
});
