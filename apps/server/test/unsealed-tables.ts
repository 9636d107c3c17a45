/**
 * Tables not in `SEALED_TABLES`, each with its proof or the reason for needing none. A test fails for tables in neither
 * list.
 */
export const UNSEALED_TABLES: Readonly<Record<string, string>> = {
  staged_networks: 'a staged copy is not a network yet, or no longer; what replaces a network is sealed whole',
  staged_accounts: 'a staged copy is not a network yet, or no longer; what replaces a network is sealed whole',
  network_work: 'it shows work in progress, and nothing follows from it',
  fences: 'they show moves in progress; what moved is logged by both cells',
  undone_draws: 'each was sealed as a draw before, and the audit computes it from its seed',
  undone_tickets: 'each was sealed as a ticket before, and the audit computes the roots of their draws from them',
  undone_clearings:
    'each was sealed as a clearing before, and nothing follows from it except the description of what is gone',
  undone_cleared: 'each was sealed as a cleared draw or request before',
  sessions:
    'they expire; what they were used for is in the log, and how long they lasted is sealed once they have ended',
  elevations: 'they open calls, each of which is sealed by its own',
  replaced_sessions: 'they tell a client why its session ended, and nothing else follows from them',
  servers: 'current state, not part of the record',
  open_sockets: 'current state, not part of the record',
  attempts: 'they expire within minutes; refusals are in the log',
  known_addresses: 'lockouts that last minutes, not part of the record',
  known_devices: 'lockouts that last minutes, not part of the record',
  activity_heads: 'it follows from the log, and the audit compares them',
  pending_changes: 'they are removed once the log names them, and the audit names what is left',
  images: 'each is named by its SHA-256, which is sealed with what shows it, and the audit compares them',
  exposures: 'they are the sums of tickets, and the audit compares them',
  rollups: 'they are the sums of settlements, and the audit compares them',
  claim_sums: 'they are the sums of claims and wins, and the audit compares them',
  return_sums: 'they are the sums of generated draws, and the audit compares them',
  held_notices: 'notices to the operator, not part of the record',
  notice_marks: 'what accounts did with their notices, not part of the record',
  notice_messages: 'messages sent to the operator, not part of the record',
  audit_verdicts: 'findings of an audit, which anyone can run again',
  api_key_days: 'they are the sums of the tickets of a key, and the audit compares them',
  favorites: 'notes of players; neither credit nor draws follow from them',
  seal_progress: 'progress of the seal files, which speak for themselves',
};
