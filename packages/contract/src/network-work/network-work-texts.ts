export const WORK_KINDS = {
  backup: 'A backup is being made',
  check: 'A backup is being checked',
  restore: 'A backup is being restored',
  drill: 'A backup is being tested',
  undo: 'A restore is being undone',
  move: 'The network is being moved here',
  transfer: 'A backup is being transferred',
  deletion: 'A backup is being deleted',
  clearing: 'History is being cleared',
} as const;
export type WorkKind = keyof typeof WORK_KINDS;
