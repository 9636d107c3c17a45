/**
 * Tables not in `SEALED_TABLES`, each with its proof or the reason for needing none. A test fails for tables in neither
 * list.
 */
export const UNSEALED_TABLES: Readonly<Record<string, string>> = {
  networks_beside: 'what stands beside is no network yet, or none any more; what takes a place is sealed whole',
  staged_accounts: 'what stands beside is no network yet, or none any more; what takes a place is sealed whole',
  network_work: 'it tells what is under way, and nothing follows from it',
  undone_draws: 'each was sealed as a draw before, and the audit computes it from its seed',
  undone_tickets: 'each was sealed as a ticket before, and the audit computes the roots of their draws from them',
  undone_clearings:
    'each was sealed as a clearing before, and nothing follows from it but what is said of what is gone',
  undone_cleared: 'each was sealed as a cleared draw or request before',
  sessions:
    'they end by themselves; what they were used for stands in the log, and how long they lasted is sealed once they have ended',
  elevations: 'they open calls, each of which is sealed by its own',
  replaced_sessions: 'they tell a client why its session ended, and nothing else follows from them',
  servers: 'it has what is there now, and nothing of the record',
  open_sockets: 'it has what is there now, and nothing of the record',
  attempts: 'they are over within minutes; what was refused stands in the log',
  known_addresses: 'they tell whose guesses lock whom out for minutes, and nothing of the record follows from them',
  known_devices: 'they tell whose guesses slow whom for minutes, and nothing of the record follows from them',
  activity_heads: 'it follows from the log, and the audit compares them',
  pending_changes: 'they are gone once the log names them, and the audit names what is left',
  images: 'each is named by its SHA-256, which is sealed with what shows it, and the audit compares them',
  exposures: 'they are the sums of tickets, and the audit compares them',
  rollups: 'they are the sums of settlements, and the audit compares them',
  claim_sums: 'they are the sums of claims and wins, and the audit compares them',
  return_sums: 'they are the sums of generated draws, and the audit compares them',
  held_notices: 'they tell what an operator ought to know at the moment, and nothing of the record follows from them',
  notice_messages: 'they tell what was sent to the operator, and nothing of the record follows from them',
  audit_verdicts: 'they tell what an audit found, which anybody can run again',
  api_key_days: 'they are the sums of the tickets of a key, and the audit compares them',
  seal_progress: 'it tells what the files of the seals tell by themselves',
};
