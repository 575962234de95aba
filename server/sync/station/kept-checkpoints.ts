import { type Checkpoint, checkpointSchema } from '../../../shared/operations/checkpoint-operations.ts';
import type { Store } from '../../store/store.ts';
import { isSigned } from '../../trust/checkpoint.ts';

/** Between two that are written. In milliseconds. */
const WRITE_MS = 60_000;

/**
 * What central signed of its log, kept for as long as this station: of each epoch and day the last one. Central cannot take it
 * back, and whoever rewrites central's database cannot make it say otherwise of a day that is over.
 */
export class KeptCheckpoints {
  readonly #store: Store;
  readonly #clock: () => Date;
  #new: Checkpoint | undefined;
  #written = Number.NEGATIVE_INFINITY;

  constructor(store: Store, clock: () => Date) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Keeps what stands beside an answer of this central. What is not signed, or is of another installation, is no checkpoint of
   * it and is left out: an answer counts without one.
   */
  async keep(central: string, checkpoint: Checkpoint | undefined): Promise<void> {
    if (!checkpoint?.log || checkpoint.installation !== central) return;
    const { log } = checkpoint;
    const isSameKey = this.#new === undefined || this.#new.key === checkpoint.key;
    if (isSameKey && this.#new?.log?.hash === log.hash && this.#new.log.epoch === log.epoch) return;
    if (!isSigned(checkpoint)) return;
    // Before another key takes its place in memory.
    if (!isSameKey) await this.write();
    this.#new = checkpoint;
    if (!isSameKey || performance.now() - this.#written >= WRITE_MS) await this.write();
  }

  /** Makes the newest one durable. */
  async write(): Promise<void> {
    const checkpoint = this.#new;
    if (!checkpoint?.log) return;
    this.#written = performance.now();
    const { epoch, sequence } = checkpoint.log;
    // By the clock of here: by its own word central could put another one in the place of a former day's.
    const { database, gate } = this.#store;
    const today = this.#clock().toISOString().slice(0, 10);
    const former = this.#of(epoch, today);
    // What another key signs takes no place: that it is another one is told by both.
    const day = former && former.key !== checkpoint.key ? `${today} ${checkpoint.key.slice(0, 16)}` : today;
    await gate.applyRemote(() => {
      // Answers overtake each other; the farthest one says the most.
      database.run(
        `INSERT INTO checkpoint (epoch, day, sequence, content) VALUES (?, ?, ?, ?)
         ON CONFLICT (epoch, day) DO UPDATE SET sequence = excluded.sequence, content = excluded.content
         WHERE excluded.sequence > checkpoint.sequence`,
        epoch,
        day,
        sequence,
        JSON.stringify(checkpoint),
      );
      return { result: undefined };
    });
  }

  #of(epoch: string, day: string): Checkpoint | undefined {
    const sql = 'SELECT content FROM checkpoint WHERE epoch = ? AND day = ?';
    const row = this.#store.database.reader.get<{ content: string }>(sql, epoch, day);
    return row && checkpointSchema.parse(JSON.parse(row.content));
  }

  /** Of now: the one that came last is first, though it is not written yet. */
  present(): Checkpoint[] {
    const kept = this.list();
    return this.#new && kept[0]?.signature !== this.#new.signature ? [this.#new, ...kept] : kept;
  }

  /** The newest first. */
  list(): Checkpoint[] {
    const rows = this.#store.database.reader.all<{ content: string }>(
      'SELECT content FROM checkpoint ORDER BY day DESC, sequence DESC',
    );
    return rows.map(({ content }) => checkpointSchema.parse(JSON.parse(content)));
  }
}
