/**
 * The small tables whose rows are facts of a central and stand in no log, so that each process is given them. Of `local` those
 * names are left out that are of one folder or process.
 */
export const FACT_TABLES = [
  'local',
  'abandoned',
  'block',
  'allocation',
  'block_given',
  'token',
  'token_bounds',
  'token_use',
  'remembered_answer',
  'import_key',
  'unsaved_input',
  'user_secret',
  'former_secret',
  'user_key',
  'session',
  'session_key',
  'session_place',
  'session_hand',
  'station',
  'station_group',
  'station_machine',
  'enrolment_code',
  'enrolment_bounds',
  'enrolment_use',
  'brought_along',
  'webhook',
  'webhook_place',
  'webhook_message',
  'arrival',
  'awaited_commit',
  'awaited_id',
  'meant_record',
  'former_epoch',
] as const;

/** The log and what is kept of its commits: they are entries of the journal, and each process folds them for itself. */
export const LOG_TABLES = ['log', 'history'] as const;

/** What follows from the log and the records, and is worked out by each process. */
export const DERIVED_TABLES = [
  'bucket',
  'chain_head',
  'conflict',
  'digest',
  'given_item',
  'given_up',
  'held',
  'history_subject',
  'lookup',
  'lot_fact',
  'name_again',
  'search_index',
  'search_waiting',
  'stock',
  'unlogged_change',
] as const;

/** What is of one folder or process, of stations alone, or written by nothing any more. */
export const OTHER_TABLES = [
  'collection_sequence',
  'checkpoint',
  'clock_fact',
  'decided_record',
  'earlier_commit',
  'earlier_record',
  'earlier_subject',
  'failed_attempts',
  'family_number',
  'offer',
  'own_chain',
  'snapshot_commit',
  'time_mark',
  'undecided',
  'undecided_subject',
] as const;

/** Names in `local`: which tables and version the file has, its clock, and how far this process has come. */
export const OWN_NAMES = [
  'tables',
  'unfilled',
  'program',
  'derived_from',
  'clock_seen',
  'audit_clock_fact',
  'audit_kept_taken',
  'names_noted',
  'journal',
  'journal_place',
  'journal_ending',
] as const;
