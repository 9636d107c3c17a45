export const BACKUP_TEXTS = {
  notMovable: (username: string, cell: string): string =>
    `The network of ${username} can’t move to ${cell}: another move of it is running, or the directory has no such cell.`,
  unfitCell: (cell: string, fault: string): string => `${cell} is not ready for moves, so nothing was moved. ${fault}`,
  numberTaken: (number: number): string =>
    `Another network of the new cell has the number ${number}. Nothing was moved.`,
  replicationFailed: 'PostgreSQL could not replicate the network. Nothing was moved. Its log names the reason.',
  replicationSlow:
    'The copy was too slow to catch up. Nothing was moved. Please try again when the servers are less busy.',
  otherRows: (table: string): string => `The copies of ${table} differ. Nothing was moved. Please try again.`,
  unsound: (problem: string): string => `The audit of this cell found a problem, so nothing was moved: ${problem}`,
  cellWaits: (cell: string, step: string): string => `${cell} does not answer. The move waits (${step}).`,
  cellSilent: (cell: string, step: string): string =>
    `${cell} does not answer, so the move ended (${step}). The network reopens in the cell that the directory names. ` +
    'Run the command again later.',
  unsoundThere: (cell: string, problem: string): string =>
    `The trial audit in ${cell} found a problem, so nothing was moved: ${problem}`,
  moveEnded: (username: string): string => `The move of ${username} was ended meanwhile. Nothing was changed.`,
  noCopyLeft: (username: string): string =>
    `The cell has no copy of the network of ${username} from its last move: copies stay for a day. Move the network back instead.`,
  changedSince: (username: string, what: string): string =>
    `The network of ${username} is in use since its move (${what}), so the move can’t be undone. Move the network back instead.`,
  changedMeanwhile: (username: string): string =>
    `A superadmin changed ${username} during the move. Nothing was moved. Please try again.`,
  folderUnreadable: (code: string | undefined): string => `The backup folder can’t be read (${code}).`,
  noSpace: (left: string): string =>
    `Not enough disk space for a backup: ${left}. Delete backups, or set BACKUP_DIR to a folder on another disk.`,
  noDatabaseSpace: (left: string): string =>
    `Not enough space on the database's disk for a staged copy: ${left}. Free space there first.`,
  diskNearlyFull: (free: string): string =>
    `The disk of the backups is nearly full: ${free} are free. Free space there first.`,
  spaceLeft: (free: string, needed: string): string =>
    `${free} are free, up to ${needed} more are needed, and 1 GB must stay free`,
  nothingLost: (sentence: string): string => `${sentence} Nothing was lost.`,
  folderUnusable: (code: string): string =>
    `The server's backup folder can’t be used (${code}). Nothing was lost. Please contact the operator of the server.`,
  ownAccountKept: 'Your own account, all passwords and commissions stay as they were before the restore.',
  keptInactive: (accounts: string): string => `${accounts} inactive: deactivated since the backup.`,
  keptDeleted: (accounts: string): string => `${accounts} deleted: their credit went to the accounts above them.`,
  nothingToUndo: 'No restore of the last 24 hours can be undone.',
  adminDeleted: 'The admin of the network was deleted during the move. Start again.',
  resetSlips: (count: number): string =>
    `Reset slips: ${count === 1 ? 'one account has' : `${count} accounts have`} a temporary password, shown only ` +
    'once. Hand them out. Each must be changed at the first sign-in.',
  needsSlips: (count: number): string =>
    'This backup has no passwords, and ' +
    `${count === 1 ? 'one of its accounts no longer exists' : `${count} of its accounts no longer exist`} here. ` +
    'The operator of the server can restore it and gets a reset slip for each: npm run restore. Nothing was ' +
    'changed.',
  needsScratchDatabase: (schema: string, reason: string): string =>
    `This backup is from an earlier version of Drawhouse (${schema}). Updating it needs a separate database, ` +
    `which the server can't create (${reason}). Allow the role that owns the tables to create databases ` +
    '(CREATEDB). Nothing was changed.',
  voided: (draws: number): string =>
    draws === 1
      ? '1 draw was open in the backup. It was voided, and its stakes refunded.'
      : `${draws} draws were open in the backup. They were voided, and their stakes refunded.`,
  refused: (why: string): string => `This backup can’t be restored: ${why}. Nothing was changed.`,
  nothingChanged: (sentence: string): string => `${sentence} Nothing was changed.`,
  owesSuperadmin: (points: string): string =>
    `Since this backup, the superadmin took back ${points} points more than it gave, but you did not have that ` +
    'many then. Ask for credit first, or restore a later backup.',
  notMade: 'It could not be made. See the server log.',
  stopped: 'It was stopped.',
  processStopped: (why: string | number | null): string => `The backup process stopped (${why}).`,
  noTransfer:
    'This server has no transfer target. Its operator can set BACKUP_TRANSFER_URL to one: file:, sftp: or s3:.',
  isEvidence:
    "This backup was taken before a clearing or a restore, so you can't delete it. After 90 days, the superadmin " +
    'can: npm run backup -- delete.',
  notFound: 'No such backup. It may have been deleted.',
  unfinished: 'This backup was never finished. You can only delete it.',
  damaged: (why: string): string => `This backup is damaged: ${why}`,
  quotaUsed: (count: number, quota: number): string =>
    `Your network has ${count} backups, and the limit is ${quota}. Delete one first.`,
  restoresUsed: (times: number): string =>
    `Your network was restored ${times} times in 90 days, and a backup was kept each time. The superadmin can ` +
    'restore it: npm run restore.',
  completed: 'Backup completed',
  found: (name: string, found: string): string => `Backup "${name}" ${found}`,
  restored: (name: string): string => `Restored from "${name}"`,
  undone: 'The restore was undone',
  damagedNotSent: 'This backup is damaged, so it was not transferred.',
  transferred: (name: string, where: string): string => `Transferred backup "${name}" to ${where}`,
  deleted: (name: string): string => `Deleted backup "${name}"`,
  clockBehind: (takenAt: string): string => `The clock here is behind the backup of ${takenAt}. Correct it first.`,
  keysEnded: 'Its API keys have ended, because backups do not contain the keys themselves.',
  alreadyMoved: (username: string): string => `The network of ${username} has already been moved here.`,
  nameTaken: (name: string): string => `A backup ${name} already exists.`,
  notArchive: (file: string, why: string): string => `${file} is not a backup archive: ${why}.`,
} as const;

export const BACKUP_STEPS = {
  backingUp: 'Backing up the current state',
  replicating: 'Replicating',
  exchanging: 'Exchanging',
  /** No bets are taken. */
  closed: (step: string): string => `Closed: ${step}`,
  deletingCopy: 'Deleting the tested copy',
  updating: 'Updating the backup',
  refunding: 'Refunding the stakes of open draws',
  checkingTransfer: 'Checking the transferred archive',
} as const;

export const DAMAGE = {
  otherVersion: (schema: string): string =>
    `it was taken by another version of Drawhouse (${schema}): restore it with that version`,
  notUpdatable: (reason: string): string => `it can’t be updated to this version: ${reason}`,
  failedAudit: (what: string, problem: string): string => `${what} failed the audit: ${problem}`,
  altered: 'its manifest was changed after it was signed: the signature does not match',
  unsigned: (command: string): string =>
    `it is not signed, so it may have been changed. The operator of the server can restore it anyway: ${command} ` +
    '--unsigned',
  foreignKey: (command: string, key: string): string =>
    'it is signed by another installation, or by an earlier seal key of this one. The operator of the server can ' +
    `trust that key: ${command} --trust-key ${key}`,
  hasNo: (file: string): string => `it has no ${file}`,
  folderName: (name: string): string => `its folder does not have a backup's name: ${name}`,
  tooLarge: (file: string): string => `its ${file} is too large`,
  fileMissing: (file: string): string => `${file} is missing`,
  fileSize: (file: string, bytes: number, expected: number): string =>
    `${file} has ${bytes} bytes, but the manifest says ${expected}`,
  notInManifest: (name: string): string => `${name} is not in the manifest`,
  largerThanArchive: 'its files are larger than the archive',
  tooManyFiles: (count: number): string => `it has ${count} files`,
  fileTwice: (file: string): string => `it has ${file} twice`,
  repacked: (file: string): string => `${file} was repacked. Use the archive as it was downloaded`,
  moreRows: (rows: number): string => `it has more rows than the ${rows} in the manifest`,
  otherRows: (lines: number, rows: number): string => `has ${lines} rows, but the manifest says ${rows}`,
  noFileInVersion: (table: string): string => `its manifest has no file of the table ${table} as in its version`,
  manifestIncomplete: 'its manifest is incomplete',
  inconsistent: (reason: string): string => `its contents are inconsistent: ${reason}`,
  noAdminAccount: 'its accounts do not include its admin',
  ofFile: (name: string, why: string): string => `${name} ${why}`,
  rowsMissing: (name: string, rows: number | bigint, expected: number): string =>
    `${name} has ${rows} rows, but the manifest says ${expected}`,
  rowsInvalid: (table: string, reason: string): string => `rows of ${table} are not valid: ${reason}`,
  noAdmin: 'it has no admin',
  otherTerms: (id: string): string => `its draw terms ${id} do not match their id`,
  foreignDraws: (draws: bigint): string => `${draws} of its draws belong to other networks`,
  foreignRows: (rows: bigint): string => `${rows} of its rows from other installations concern other networks`,
  laterMoves: (moves: bigint): string => `${moves} of its moves are later than the backup`,
  invalidRow: 'it has an invalid row',
  unterminatedRow: 'it has an unterminated row',
  otherSchema: (schema: string, here: string): string =>
    `it is from another version of Drawhouse (${schema}) than the database (${here})`,
  otherNetwork: 'it belongs to another network',
  otherInstallation: 'it was taken on another installation. Use npm run network to move networks here',
  otherCell:
    'it was taken in another cell or installation. Move the network back there with npm run network -- move, restore ' +
    'it there, then move the network again',
  otherRootLog: "the superadmins' actions before it do not match the log here",
  otherTimeZone: (timeZone: string, here: string): string =>
    `its days are in ${timeZone}, but here they are in ${here}`,
  foreignAccounts: (accounts: bigint): string => `${accounts} of its accounts are not below its admin`,
  sameNames: 'two of its accounts have the same name or unique id',
  gamesMissing: (games: string): string => `some of its games are not in the catalogue here: ${games}`,
  otherIdentity: "it is encrypted, but this server's BACKUP_KEY is not the identity it is encrypted for",
  notManifest: (file: string, reason: string): string => `${file} is not a backup manifest: ${reason}`,
  manifestUnreadable: (file: string, reason: string): string => `${file} can't be read: ${reason}`,
  manifestMissing: (file: string): string => `${file} is missing: the backup was not finished`,
  otherWallets: 'its wallets do not match its manifest',
  notFile: 'it is not a file',
  fileTooLarge: 'it is too large',
  otherBytes: (bytes: number, expected: number): string => `has ${bytes} bytes, but the manifest says ${expected}`,
  otherHash: 'was changed: its SHA-256 differs from the manifest',
  unreadable: (reason: string): string => `can't be read: ${reason}`,
  lastRowUnterminated: 'its last row is unterminated',
} as const;

export const BACKUP_SUBJECTS = {
  restored: (name: string, at: string): string => `Restored backup "${name}" of ${at}`,
  export: (name: string): string => `Export backup "${name}"`,
  restore: (name: string): string => `Restore backup "${name}"`,
  undone: (at: string): string => `Undid the restore of ${at}`,
  passwordGiven: (role: string, username: string): string =>
    `Gave ${role} ${username} a temporary password, for a reset slip`,
  made: (folder: string): string => `Made backup "${folder}"`,
  checked: (name: string, found: string): string => `Checked backup "${name}": it ${found}`,
  tested: (name: string, found: string): string => `Tested backup "${name}": it ${found}`,
  transferred: (name: string, where: string): string => `Transferred backup "${name}" to ${where}`,
  deleted: (name: string): string => `Deleted backup "${name}"`,
  downloaded: (name: string): string => `Downloaded backup "${name}"`,
  moved: (username: string, at: string): string => `Moved the network of ${username} here, as of ${at}`,
  departed: (username: string, cell: string): string => `Moved the network of ${username} to ${cell}`,
  returned: (username: string, cell: string): string => `Undid the move of the network of ${username} to ${cell}`,
} as const;
