import { randomUUID } from 'node:crypto';
import type { Answer, Station } from '../../support/station.ts';

/** A new code of a central. */
export async function newCode(central: Station, name: string, options: object = {}): Promise<string> {
  const { status, body } = await central.post('/x/enrolment-codes', { name, ...options });
  if (status !== 201) throw new Error(`No code: ${JSON.stringify(body)}`);
  return (body as { data: { code: string } }).data.code;
}

/** Asks a central for enrolment as a station's program does, without any token. */
export function enrol(central: Station, body: Record<string, unknown>): Promise<Answer> {
  const whole = {
    station: randomUUID(),
    protocol: { min: 1, max: 1 },
    clock: new Date().toISOString(),
    ...body,
  };
  return central.call('POST', '/x/enrolment', { body: whole, headers: { authorization: undefined } });
}

export interface EnrolledStation {
  station: string;
  name: string;
  key: string;
  block: number;
  blocks: number[];
}

/** Enrols a new station. */
export async function enrolledStation(central: Station, name: string): Promise<EnrolledStation> {
  const answer = await enrol(central, { code: await newCode(central, name) });
  if (answer.status !== 201) throw new Error(`Not enrolled: ${JSON.stringify(answer.body)}`);
  return (answer.body as { data: EnrolledStation }).data;
}

/** A call with a station's key, or with whatever stands after `Bearer`. */
export function callWith(
  central: Station,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return central.call(method, path, {
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body }),
  });
}

/** The error that an answer has. */
export function errorOf({ body }: Answer): {
  code: string;
  message: string;
  errors?: Record<string, string[]>;
} {
  return body as { code: string; message: string };
}
