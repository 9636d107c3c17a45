export const SEAL_TEXTS = {
  noTile: 'No such tile.',
  noSeals: 'There are no such seals yet.',
  notSealed: 'The opening of this draw is not sealed yet, or was never sealed.',
  wrongBody: 'Send a checkpoint with its signatures as text/plain.',
  noCheckpoint: 'There is no checkpoint yet.',
  otherLog: (origin: string, size: number): string => `This log is ${origin}, with ${size} records.`,
  noWitness: 'None of the signatures belongs to a witness in SEAL_WITNESSES.',
  otherRoot: (size: number): string => `The tree of ${size} records has another root here.`,
  notSigned: 'The checkpoint is not signed by this log.',
  noAnswer: (reason: string): string => `It did not answer: ${reason}`,
  answered: (status: number, line: string): string => `It answered ${status}: ${line}`,
  invalidSignature: (reason: string): string => `It did not answer with a valid co-signature: ${reason}`,
  silentWitnesses: (names: string): string => `No new co-signature from ${names}.`,
  blocked:
    'A lock in the database blocks sealing. See pg_locks and pg_stat_activity for its holder. Sealing resumes ' +
    'when it is released.',
  stalled:
    'Rows are waiting but not being sealed. Check that the disk of SEAL_DIR responds, and that no sealing server ' +
    'hangs (if one does, restart it). Check for locks in the database held by other programs (pg_locks). A very ' +
    'large amount can take minutes.',
  unlogged: (changes: number): string =>
    `${changes === 1 ? 'One row was' : `${changes} rows were`} changed without a log row since this server started.`,
  stoppedUntilRestart: (reason: string): string => `Sealing is stopped until the server restarts: ${reason}`,
} as const;
