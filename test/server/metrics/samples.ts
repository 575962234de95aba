import type { Answer, Station } from '../../support/station.ts';

/** What `/x/metrics` says, as a monitor reads it. */
export class Samples {
  /** By name and labels, as they stand: `name{label="value"}`. */
  readonly #values = new Map<string, number>();
  /** What each name is said to be: counter, gauge, histogram. */
  readonly types = new Map<string, string>();

  /** @throws Error for a line that is none of Prometheus' text format, version 0.0.4, and for a sample of no type or said twice */
  constructor(text: string) {
    if (!text.endsWith('\n')) throw new Error('The last line does not end.');
    for (const line of text.split('\n')) {
      const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
      if (type?.[1] && type[2]) this.types.set(type[1], type[2]);
      else if (line !== '' && !/^# HELP [a-z_]+ \S/.test(line)) this.#add(line);
    }
  }

  /** Undefined where there is no such sample. */
  get(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return this.#values.get(pairs.length === 0 ? name : `${name}{${pairs.join()}}`);
  }

  #add(line: string): void {
    const [, name, labels = '', value] =
      /^([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)+\})? (-?[0-9.e+-]+|[+-]Inf)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`No sample: ${line}`);
    const of = this.types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    if (!this.types.has(of) || this.#values.has(name + labels)) throw new Error(`No type, or twice: ${line}`);
    this.#values.set(name + labels, Number(value));
  }
}

/** Asked with the owner's token unless another one is given. */
export async function samplesOf(station: Station): Promise<Samples> {
  const answer = await askMetrics(station, station.bearer);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return new Samples(String(answer.body));
}

export function askMetrics(station: Station, token: string | undefined): Promise<Answer> {
  const authorization = token === undefined ? undefined : `Bearer ${token}`;
  return station.call('GET', '/x/metrics', { headers: { authorization } });
}
