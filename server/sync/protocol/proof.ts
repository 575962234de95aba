/**
 * By which central tells the one machine that is a station from a second one with the same disk: a name that changes with
 * the messages, made by the station at random and written down before it is sent. Who has the last name is the newest; of
 * two copies of a disk only one can go on. Pure.
 */

/** What a station says with each message. */
export interface Proof {
  /** How many names were agreed on before `next`. */
  count: number;
  /** The last one; '' before the first. */
  proof: string;
  /** Central's countersignature over both: it proves to a central that was put back that there was a later one. */
  countersignature: string;
  /**
   * Names that were given after the last one and that central may know or not, oldest first: of files that were written
   * (each has a name of its own), and of a message whose answer did not come before the first of those.
   */
  since?: string[];
  /** The one to go on with. */
  next: string;
}

/** What central answers: the station has this name from now on. */
export type Agreed = Omit<Proof, 'next' | 'since'>;

/** That several machines call as one station, as central tells each of them. */
export interface Doubled {
  /** How central calls the machine that it tells. */
  machine: string;
  noticed_at: string;
  /** Whether a person has said which one goes on. */
  is_decided: boolean;
}

/** The whole answer to a machine that is not the one that goes on as the station: nothing was taken or sent. */
export interface HeldOffAnswer extends Doubled {
  kind: 'held_off';
}

/** One machine that calls as a station. */
export interface Machine {
  /** How people tell it apart: central's word for it. */
  id: string;
  count: number;
  /** Names that it went through, the last one last. */
  proofs: string[];
  /** Those of files among them, which may come months late. */
  carried?: string[];
  first_seen_at: string;
  last_seen_at: string;
  /** Changes that it had not sent when it last said so. */
  unsent: number | null;
  version: string | null;
  /** Whether it had nothing unsent once, by a step that it took since another machine was noticed. */
  has_sent_all: boolean;
}

/** The machines that call as one station; mostly one. */
export interface Machines {
  /** The id of the one that goes on as the station. */
  present: string;
  machines: Machine[];
  /** When another one was noticed last; null where there is none. */
  noticed_at: string | null;
  /** When a person said which one goes on; null while nobody did. */
  decided_at: string | null;
  /** Those that have become stations of their own: a late message of one, or an older image of it, is not another machine. */
  left?: Machine[];
  /** The highest count of those that are not among `machines` any more. */
  left_count?: number;
  /** The last one that there was no room for, by the name that people knew it by. */
  forgotten?: { id: string; at: string } | null;
}

export interface ProofTerms {
  verify(text: string, countersignature: string): boolean;
  countersign(text: string): string;
  /** A name for a machine, at random. */
  name(): string;
}

/** What came with a message. A station of an earlier version, or another program, gives no proof. */
export interface Presented {
  station: string;
  proof: Proof | undefined;
  /** Whether it came in a file. */
  isCarried?: boolean;
  at: string;
  unsent: number | null;
  version: string | null;
}

export interface Judged {
  machines: Machines;
  /** The one that calls. */
  machine: Machine;
  /** Undefined for a machine that is held off, and for one that gives no proof. */
  agreed: Agreed | undefined;
  isHeldOff: boolean;
  /** Whether more than when it was last seen has changed: to be kept before it is answered. */
  isToKeep: boolean;
}

/** Names that are remembered of a machine: a message that was long on its way bears one of them. */
const REMEMBERED = 64;
/** Names of files that are remembered of a machine: at one a day those of some years. */
const CARRIED = 1_000;
/** Machines of one station, and those that left, of which each is remembered. */
const MOST = 16;
const NO_PROOF: Proof = { count: 0, proof: '', countersignature: '', next: '' };

/** What central countersigns of a name that it agreed on. */
export function proofText(station: string, { count, proof }: Pick<Agreed, 'count' | 'proof'>): string {
  return `proof:${station}:${count}:${proof}`;
}

/**
 * Which machine calls. Its proof goes on from a machine's last one, repeats a step of it (the answer was lost, or the
 * message was long on its way), or neither: then it is another machine, unless central itself was put back and the proof
 * is later than any that it knows.
 * @returns undefined for a station that never gave a proof
 */
export function judgeProof(
  presented: Presented,
  known: Machines | undefined,
  terms: ProofTerms,
): Judged | undefined {
  if (!known) {
    if (!presented.proof) return undefined;
    const machine = newMachine(presented, presented.proof, terms.name());
    const machines = { present: machine.id, machines: [machine], noticed_at: null, decided_at: null };
    return accepted(machines, machine, presented, terms, true);
  }
  const proof = presented.proof ?? NO_PROOF;
  const found = known.machines.find(machine => continues(machine, proof));
  if (found) return judgeKnown(found, presented, known, terms);
  const gone = known.left?.find(machine => continues(machine, proof));
  if (gone) return { machines: known, machine: gone, agreed: undefined, isHeldOff: true, isToKeep: false };
  const present = known.machines.find(({ id }) => id === known.present);
  if (present && isLater(presented.station, proof, known, terms)) {
    const machine = seen(
      { ...present, count: countOf(proof), proofs: namesOf(proof), ...carriedWith(present, presented) },
      presented,
    );
    return accepted(replaced(known, machine), machine, presented, terms, true);
  }
  const machine = newMachine(presented, proof, nameBeside(known, terms));
  const room = withRoom(known, presented.at);
  const machines = {
    ...room,
    machines: [
      ...room.machines.map(one => ({ ...one, has_sent_all: false })),
      { ...machine, has_sent_all: false },
    ],
    noticed_at: presented.at,
    decided_at: null,
  };
  return { machines, machine, agreed: undefined, isHeldOff: true, isToKeep: true };
}

/** Which of the machines gives the proof, also of those that left, without a step: undefined for one that was not noticed yet. */
export function callerAmong(
  { machines, left = [] }: Machines,
  proof: Proof | undefined,
): Machine | undefined {
  return [...machines, ...left].find(machine => continues(machine, proof ?? NO_PROOF));
}

/** A person's word on which machine goes on as the station; undefined where there is none of that id. */
export function chooseMachine(known: Machines, id: string, at: string): Machines | undefined {
  if (!known.machines.some(machine => machine.id === id)) return undefined;
  const isOther = known.present !== id;
  // What it had not sent when the disk was copied, the other one may have as well.
  const machines = isOther
    ? known.machines.map(machine => ({ ...machine, has_sent_all: false }))
    : known.machines;
  return { ...known, machines, present: id, decided_at: at };
}

/** Without a machine, which has become a station of its own or is gone for good. */
export function withoutMachine(known: Machines, id: string): Machines {
  const gone = known.machines.filter(machine => machine.id === id);
  const rest = forgotten(known, id);
  const isAlone = rest.machines.length < 2;
  const left = [...(known.left ?? []), ...gone].slice(-MOST);
  return { ...rest, left, ...(isAlone && { noticed_at: null, decided_at: null, forgotten: null }) };
}

/** Of too many the one that was not seen for longest is forgotten; should it call again, it is noticed again. */
function withRoom(known: Machines, at: string): Machines {
  if (known.machines.length < MOST) return known;
  const others = known.machines.filter(({ id }) => id !== known.present);
  const oldest = others.reduce((one, other) => (other.last_seen_at < one.last_seen_at ? other : one));
  return { ...forgotten(known, oldest.id), forgotten: { id: oldest.id, at } };
}

/** Its count stays: whatever it had been agreed is not later than what the others have. */
function forgotten(known: Machines, id: string): Machines {
  const gone = known.machines.filter(machine => machine.id === id).map(({ count }) => count);
  return {
    ...known,
    machines: known.machines.filter(machine => machine.id !== id),
    left_count: Math.max(known.left_count ?? 0, ...gone),
  };
}

function judgeKnown(found: Machine, presented: Presented, known: Machines, terms: ProofTerms): Judged {
  const { proof = NO_PROOF, unsent } = presented;
  const isHeldOff = found.id !== known.present;
  const isNext = !isHeldOff && goesOn(found, proof);
  const stepped = isNext ? stepOf(found, presented, proof) : found;
  const machine = seen(stepped, presented);
  // What repeats a step may have been sent before the other machine was noticed, and before what is on both disks was written.
  const isSince = isNext || (!isHeldOff && presented.proof === undefined);
  const hasSentAll = isSince && !found.has_sent_all && known.noticed_at !== null && unsent === 0;
  const told = hasSentAll ? { ...machine, has_sent_all: true } : machine;
  const machines = replaced(known, told);
  if (isHeldOff) return { machines, machine: told, agreed: undefined, isHeldOff, isToKeep: false };
  return accepted(machines, told, presented, terms, isNext || hasSentAll);
}

/** Of names that were given in between, those after the last one that is known were never seen here. */
function stepOf(found: Machine, presented: Presented, proof: Proof): Machine {
  const names = namesOf(proof);
  const added = names.slice(names.indexOf(found.proofs.at(-1) ?? '') + 1);
  return {
    ...found,
    count: found.count + added.length,
    proofs: [...found.proofs, ...added].slice(-REMEMBERED),
    ...carriedWith(found, presented),
  };
}

function carriedWith(
  { carried = [] }: Pick<Machine, 'carried'>,
  { proof, isCarried }: Presented,
): Pick<Machine, 'carried'> {
  const names = [...(proof?.since ?? []), ...(proof && isCarried ? [proof.next] : [])];
  const added = names.filter(name => !carried.includes(name));
  return added.length === 0 ? {} : { carried: [...carried, ...added].slice(-CARRIED) };
}

function namesOf({ proof, since = [], next }: Proof): string[] {
  return [proof, ...since, next];
}

function countOf({ count, since = [] }: Proof): number {
  return count + since.length + 1;
}

function accepted(
  machines: Machines,
  machine: Machine,
  { station, proof }: Presented,
  terms: ProofTerms,
  isToKeep: boolean,
): Judged {
  const agreed = proof && agreedOn(station, machine, proof, terms);
  return { machines, machine, agreed, isHeldOff: false, isToKeep };
}

/** By central's own count: one that a machine gives would let it say later that it is the newest. */
function agreedOn(station: string, { count, proofs }: Machine, { next }: Proof, terms: ProofTerms): Agreed {
  const since = proofs.length - 1 - proofs.lastIndexOf(next);
  const agreed = { count: count - since, proof: next };
  return { ...agreed, countersignature: terms.countersign(proofText(station, agreed)) };
}

/** Whether the proof goes on from the machine's last one, or repeats a step that it took. */
function continues(machine: Machine, proof: Proof): boolean {
  const { proofs, carried = [] } = machine;
  const before = [proof.proof, ...(proof.since ?? [])];
  return (
    goesOn(machine, proof) ||
    carried.includes(proof.next) ||
    proofs.some((one, place) => before.includes(one) && proofs[place + 1] === proof.next)
  );
}

function goesOn({ proofs }: Machine, { proof, since = [], next }: Proof): boolean {
  return next !== '' && [proof, ...since].includes(proofs.at(-1) ?? '');
}

/** A copy of an earlier disk has a proof that central agreed on before its last one. */
function isLater(station: string, proof: Proof, known: Machines, terms: ProofTerms): boolean {
  const last = Math.max(known.left_count ?? 0, ...known.machines.map(({ count }) => count));
  return proof.count > last && terms.verify(proofText(station, proof), proof.countersignature);
}

function newMachine(presented: Presented, proof: Proof, id: string): Machine {
  const { at, unsent, version } = presented;
  return {
    id,
    count: countOf(proof),
    proofs: namesOf(proof),
    ...carriedWith({}, presented),
    first_seen_at: at,
    last_seen_at: at,
    unsent,
    version,
    has_sent_all: false,
  };
}

function seen(machine: Machine, { at, unsent, version }: Presented): Machine {
  return {
    ...machine,
    last_seen_at: at,
    unsent: unsent ?? machine.unsent,
    version: version ?? machine.version,
  };
}

function replaced(known: Machines, machine: Machine): Machines {
  return { ...known, machines: known.machines.map(one => (one.id === machine.id ? machine : one)) };
}

function nameBeside({ machines, left = [] }: Machines, terms: ProofTerms): string {
  for (;;) {
    const name = terms.name();
    if (![...machines, ...left].some(({ id }) => id === name)) return name;
  }
}
