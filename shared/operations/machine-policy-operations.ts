import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';
import { defineOperation } from '../contract/operation.ts';

/** What the administrators of this machine decided for it. It is read here and set nowhere. */
export function machinePolicyOperations() {
  return [
    defineOperation('x.machine-policy.read', 'GET', '/x/machine-policy', 'Settings', {
      summary:
        "Read this machine's policy, which its administrators set outside of the program, and how enrolling by it stands",
      answer: () => successSchema(machinePolicyAnswerSchema),
    }),
  ];
}

export const enrolmentStates = ['none', 'trying', 'waiting', 'refused', 'done'] as const;

const machinePolicyAnswerSchema = named('MachinePolicy', {
  source: z.string().nullable().describe('Where it stands; null: this machine has none.'),
  faults: z.array(z.string()).describe('What of it is not in force, and why.'),
  central: z.string().nullable().describe("Central's address; nobody enrols the machine at another one."),
  has_code: z.boolean().describe('Whether there is a code with which the machine enrols by itself.'),
  station_name: z.string().nullable().describe('What the station is called.'),
  authority_file: z.string().nullable().describe('The authorities by which central is known.'),
  port: z.int().nullable().describe('Where the server listens.'),
  sends_backups: z
    .boolean()
    .nullable()
    .describe('Whether encrypted backups of the machine are sent to its central too.'),
  updates: z.enum(['on', 'off']).nullable().describe('Whether the desktop app gets updates by its central.'),
  update_ring: z
    .string()
    .nullable()
    .describe('Whose updates it follows, such as `pilot`; null: the stable ones.'),
  update_window: z
    .string()
    .nullable()
    .describe('When updates are offered and installed, such as `22:00-05:00`; null: always.'),
  language: z.enum(['en', 'de']).nullable().describe('Of the screens of who has chosen none.'),
  printer: z.string().nullable().describe('Where the desktop app sends labels.'),
  starts_at_login: z.boolean().nullable().describe('Whether the desktop app starts when its user signs in.'),
  keeps_running: z
    .boolean()
    .nullable()
    .describe('Whether the desktop app goes on working when its window is closed.'),
  kiosk: z
    .boolean()
    .nullable()
    .describe('Whether the desktop app fills the screen and has no way out of it.'),
  kiosk_printer: z
    .string()
    .nullable()
    .describe('The printer to which a kiosk sends its documents, without a dialog.'),
  has_kiosk_pin: z.boolean().describe('Whether there is a PIN by which one leaves the full screen.'),
  enrolment: z
    .object({
      state: z
        .enum(enrolmentStates)
        .describe(
          '`none`: the policy asks for none, or the machine is a station already. `waiting`: central was not reached; it is tried again. `refused`: central, or this machine, does not do it; it is tried again with the policy as it is then. `done`: since this start.',
        ),
      says: z.string().nullable().describe('Why not, in a sentence.'),
      next_at: isoTimestampSchema().nullable().describe('When it is tried again.'),
    })
    .describe('How enrolling by the policy stands.'),
});
export type MachinePolicyAnswer = z.infer<typeof machinePolicyAnswerSchema>;
