import { Counter, Gauge, Registry } from 'prom-client';

/** How an installation stands when a monitor asks. */
export interface Standing {
  version: string;
  /** Event streams, and answers that wait for a change. */
  streams: number;
  /** What the store says; undefined while it is damaged. */
  store:
    | {
        /** Commits that its history has. */
        commits: number;
        /** Commits of stations that wait for a person; undefined where nothing is exchanged. */
        held: number | undefined;
        /** Messages to receivers that are late, and those that were given up. */
        webhooks: { waiting: number; dead: number };
        /** In bytes: the database, and its write-ahead log. */
        files: { database: number; wal: number };
      }
    | undefined;
  /** Stations that hear of news from this process; undefined where none can. */
  stations: number | undefined;
  /** Of a central that several processes serve. */
  journal:
    | {
        /** Groups of writes that were not here yet; undefined where the journal is not reached, or lacks what is here. */
        behind: number | undefined;
        isParted: boolean;
        isWorker: boolean;
      }
    | undefined;
}

/** Made anew for each who asks: what is not known now is left out, and not told as it was. */
export function standingMetrics({ version, streams, store, stations, journal }: Standing): Registry {
  const registry = new Registry();
  const registers = [registry];

  function counter(name: string, help: string, value: number): void {
    new Counter({ name, help, registers }).inc(value);
  }

  function gauge(name: string, help: string, value: number | undefined): void {
    if (value !== undefined) new Gauge({ name, help, registers }).set(value);
  }

  function gaugeBy(
    label: string,
    name: string,
    help: string,
    values: Readonly<Record<string, number>>,
  ): void {
    const made = new Gauge({ name, help, labelNames: [label], registers });
    for (const [of, value] of Object.entries(values)) made.set({ [label]: of }, value);
  }

  gaugeBy('version', 'holdpoint_build_info', 'The version of the program.', { [version]: 1 });
  gauge('holdpoint_event_streams', 'Event streams and waits for changes that are open.', streams);
  gauge('holdpoint_stations_connected', 'Stations that hear of news from this process.', stations);
  if (store) {
    const { commits, held, webhooks, files } = store;
    counter('holdpoint_commits_total', 'Commits in the history of the data folder.', commits);
    gauge('holdpoint_held_commits', 'Commits of stations that wait for a person.', held);
    const late = 'Messages to receivers that are late, or were given up.';
    gaugeBy('state', 'holdpoint_webhook_messages', late, webhooks);
    gaugeBy('file', 'holdpoint_file_size_bytes', 'The database and its write-ahead log.', files);
  }
  if (journal) {
    const { behind, isParted, isWorker } = journal;
    gauge(
      'holdpoint_journal_up',
      '1: the journal answered when it was asked last.',
      behind === undefined ? 0 : 1,
    );
    gauge('holdpoint_journal_parted', '1: the journal lacks what the data folder has.', isParted ? 1 : 0);
    const atOne = '1: what is done at one process alone is done at this one.';
    gauge('holdpoint_journal_worker', atOne, isWorker ? 1 : 0);
    gauge('holdpoint_journal_lag_turns', 'Groups of writes of others that were not here yet.', behind);
  }
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  counter('process_cpu_seconds_total', 'Time of the processor, of all threads.', (user + system) / 1e6);
  const began = 'When the process began, in seconds of the Unix epoch.';
  gauge('process_start_time_seconds', began, performance.timeOrigin / 1_000);
  gauge('process_resident_memory_bytes', 'Memory of the process.', rss);
  gauge('nodejs_heap_size_used_bytes', 'Of its heap, what is in use.', heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'Its heap.', heapTotal);
  gauge('nodejs_external_memory_bytes', 'Memory outside the heap that objects in it hold.', external);
  return registry;
}
