export const COMMAND_TEXTS = {
  noDatabase: (verb: string, dataDir: string): string =>
    `Nothing to ${verb}: ${dataDir} has no database. Set DATA_DIR to its folder, or set DATABASE_URL.`,
  empty: (verb: string): string =>
    `Nothing to ${verb}: the database has no Drawhouse tables yet. Start the server first.`,
  older: (database: string, noun: string): string =>
    `${database} belongs to an earlier version of Drawhouse. ${noun} it with that version, or start this one to ` +
    'update the database.',
  newer: (database: string, noun: string): string =>
    `${database} belongs to a later version of Drawhouse. ${noun} it with that version.`,
  failed: (username: string, why: string): string => `FAILED ${username}  ${why}`,
  noBackup: (username: string, folder: string): string => `${username} has no backup ${folder}.`,
  findingsNotSaved: (reason: string): string => `The findings could not be saved for the liability report: ${reason}`,
  notProven: (sentence: string): string => `       not proven: ${sentence}`,
} as const;

export const ADMIN_COMMAND = {
  choose: 'Choose list, reset-password, reset-factor, reset-places, unlock or correct-clock.',
  onlyCorrectClock: '--yes is only for correct-clock.',
  onlyList: '--all is only for list.',
  onlyUnlock: '--address is only for unlock.',
  clockNoName: 'correct-clock takes no name.',
  listNoName: 'list takes no name.',
  nameOrAddress: 'Name an account or an --address, not both.',
  nameAccount: 'Name one account.',
  pace: (everySeconds: number, leftSeconds: number): string =>
    `slowed to one attempt every ${everySeconds} seconds; next attempt ${leftSeconds > 0 ? `in ${leftSeconds} s` : 'now'}`,
  inSessions: (pace: string): string => `passwords in its sessions are ${pace}`,
  newBrowsers: (pace: string): string => `sign-ins from new browsers are ${pace}`,
  knownBrowsers: (pace: string): string => `sign-ins in one of its browsers are ${pace}`,
  secondFactors: (pace: string): string => `its second-factor codes are ${pace}`,
  fromAddress: (inSession: boolean, address: string, pace: string): string =>
    `${inSession ? 'passwords in its sessions' : 'sign-ins'} from ${address} are ${pace}`,
  canSignIn: 'can sign in',
  lastSignedIn: (at: string): string => `last signed in ${at}`,
  neverSignedIn: 'never signed in',
  unknownNames: (address: string, pace: string): string =>
    `Sign-ins with unknown names from ${address} are ${pace}: unlock --address ${address}`,
  unlocked: (owner: string): string => `${owner} is no longer slowed down.`,
  attemptsCleared: (owner: string): string => `${owner} was not slowed down. Its failed attempts have been cleared.`,
  notSlowed: (owner: string): string => `${owner} was not slowed down and had no failed attempts. Nothing was changed.`,
  clockRight: (now: string): string => `It is ${now}. No draw or log row is later, so there is nothing to correct.`,
  datedAhead: (now: string, until: string, finished: number, unfinished: number): string =>
    `It is ${now}. Draws or log rows are dated up to ${until}. Draws that opened after now: ${finished} ` +
    `finished, ${unfinished} unfinished.`,
  confirmClock: (found: string, unfinished: number): string =>
    `${found}\nNothing was changed. If the clock is correct now, npm run admin -- correct-clock --yes voids the ` +
    `${unfinished} unfinished draws, refunds their stakes, and lets new draws open at the times of the finished ` +
    'ones. Finished results stand.',
  clockCorrected: (found: string, voided: number): string =>
    `${found}\n${voided} draws were voided and their stakes refunded. New draws open from now. Restart each ` +
    'server to end its notice about the clock.',
  noSession: 'It had no session.',
  newPassword: (role: string, username: string, sessions: string): string =>
    `The ${role} ${username} has a new password. ${sessions}`,
  shownOnce: '  It is shown only once. Sign in with it and change it now: anyone who saw it here knows it.',
  factorsReset: (username: string): string =>
    `${username} no longer has a second factor, and its sessions have ended. It signs in with the password alone.`,
  noFactor: (username: string): string => `${username} has no second factor. Nothing was changed.`,
  placesReset: (of: string): string => `Addresses and hours no longer restrict ${of}.`,
  noPlaces: (of: string): string => `No addresses or hours restrict ${of}. Nothing was changed.`,
  notSecondPerson: 'For 7 days, this account does not count as a second person for results it saves or confirms.',
  keysLeft: (keys: number): string =>
    `Its network has ${keys} active API keys. The admin can end them on the API Keys page.`,
} as const;

export const BACKUP_COMMAND = {
  stopped: 'The backup was stopped.',
  deleted: (username: string, folder: string): string => `ok     ${username}  deleted ${folder}`,
  isEvidence: (name: string, until: string): string =>
    `${name} was taken before a clearing or a restore. It can be deleted from ${until}.`,
  rowsUnread: '  (its rows can’t be read without the identity it is encrypted for)',
  noAdmin: (names: string): string => `There is no admin named ${names}.`,
  listOrVerify: 'Use either --list or --verify.',
  adminAndFolder: 'Name one admin and one folder.',
  subject: (folder: string, username: string): string => `Deleted backup "${folder}" of ${username}`,
} as const;

export const NETWORK_COMMAND = {
  adminAndFile: 'Name one admin and one file.',
  choose: 'Choose export, verify, import, move or undo.',
  moveWhat: 'Name one admin, --to and --settings.',
  undoWhat: 'Name one admin and --settings.',
  undone: (username: string, cell: string): string =>
    `${username} is back in ${cell}, unchanged. Everyone in it must sign in again.`,
  noCell: (file: string): string =>
    `The settings in ${file} are not those of a cell of this group: CELL_NAME is not set.`,
  ownCell: 'This installation is not a cell of a group: CELL_NAME is not set.',
  otherCell: (file: string, cell: string): string => `The settings in ${file} are those of ${cell}.`,
  movedTo: (username: string, cell: string, closedMs: number): string =>
    `${username} is in ${cell} now. The network was closed for ${closedMs} ms. Everyone in it must sign in again. ` +
    'Invitations that nobody has accepted yet have ended: send new ones.',
  backedUp: (name: string): string => `Its first backup there is ${name}. Earlier ones can’t be restored there.`,
  notBackedUp: (why: string): string => `It has no backup there yet: ${why}`,
  movedUnsound: (username: string, cell: string, problems: string): string =>
    `${username} is in ${cell} now, and the audit of ${cell} found:\n${problems}`,
  finished: (username: string, cell: string): string => `${username} is already in ${cell}.`,
  nameFile: 'Name one file.',
  takesNo: (what: string, option: string): string => `${what} does not take --${option}.`,
  fileExists: (file: string): string => `${file} already exists.`,
  noIntactBackup: (username: string, name: string): string => `${username} has no intact backup ${name}.`,
  stillActive: (username: string): string =>
    `       ${username} is active, and later changes in its network are not in the archive. To move the network, ` +
    'deactivate it before the export.',
  toImport: (trust: string): string => `       To import it: npm run network -- import FILE ${trust}`,
  encrypted: '       It is encrypted. The import needs the BACKUP_KEY of this installation.',
  noFile: (file: string): string => `${file} does not exist.`,
  confirmImport: (old: string, about: string, superadmin: string, as: string): string =>
    `${old}: ${about}, to be placed below ${superadmin}${as}. Add --yes to import it.`,
  nameRefused: (username: string, why: string, old: string): string =>
    `${username}: ${why} Rename it with --rename ${old}=NEW.`,
  importFailed: (why: string, username: string): string =>
    `${why} The admin ${username} was created for this import and is empty. Try the import again. If you delete ` +
    'that account, this network can no longer be imported here.',
  unchanged: 'Its accounts, books and draws are unchanged, and passed the audit.',
  activated: (username: string): string => `${username} has been activated in the meantime.`,
  inactive: (username: string): string =>
    `${username} is inactive, so nobody in its network can sign in. Check it, then activate it.`,
  noSuperadmin: 'There is no superadmin.',
  noSuperadminNamed: (username: string): string => `There is no superadmin ${username}.`,
  chooseSuperadmin: (names: string): string => `Choose its superadmin: --under ${names}.`,
  about: (username: string, takenAt: string, accounts: string, tickets: string, points: string, size: string): string =>
    `the network of ${username} as of ${takenAt}: ${accounts} accounts, ${tickets} tickets, ${points} points, ${size}`,
  downloaded: '       It was downloaded, so it has no passwords. The import prints reset slips for its accounts.',
  signedBy: (key: string): string => `       Signed by ${key}.`,
  rowsUnread: '       Its rows can’t be read without the BACKUP_KEY of its installation.',
} as const;

export const RESTORE_COMMAND = {
  tryOrUndo: 'Use either --try or --undo.',
  adminOrAll: 'Name one admin, or use --all.',
  nameAdmin: 'Name one admin.',
  adminAndFolder: 'Name one admin and at most one folder.',
  wrongKey: (key: string): string => `--trust-key must be 64 hex digits, not ${key}.`,
  wrongRename: (given: string): string => `Write --rename as OLD=NEW, not ${given}.`,
  wrongUsername: (name: string, why: string): string => `${name} is not a valid username: ${why}`,
  undone: 'The restore was undone.',
  notRestorable: (name: string, problems: string): string => `${name} can’t be restored: ${problems}`,
  restorable: (name: string): string => `${name} can be restored.`,
  losses: (
    tickets: number | bigint,
    transfers: number | bigint,
    accounts: number | bigint,
    orders: number | bigint,
    changes: number | bigint,
    takenAt: string,
    openDraws: number | bigint,
  ): string =>
    `${tickets} tickets, ${transfers} transfers, ${accounts} accounts, ${orders} standing orders and ${changes} changes ` +
    `since ${takenAt} will be lost, and ${openDraws} open draws voided`,
  confirm: (name: string, losses: string): string => `${name}: ${losses}. Add --yes to restore it.`,
  restored: (name: string, safety: string): string => `Restored from ${name}. The previous state is in ${safety}.`,
  noIntact: (username: string): string => `${username} has no intact backup.`,
  unfinished: 'it was not finished',
  unfit: (folder: string, reason: string): string => `${folder} can’t be restored: ${reason}.`,
} as const;

export const SEALS_COMMAND = {
  choose: 'Choose show or begin.',
  onlyBegin: '--because is only for begin.',
  reasonMissing: 'Give the reason for a new log: --because "The disk with the seals broke."',
  none: (dir: string): string => `There are no seals in ${dir} yet.`,
  noCheckpoint: 'It has no checkpoint yet.\n',
  cosigned: (name: string, size: number, at: string, since: string): string =>
    `${name} co-signed up to record ${size} on ${at}, since ${since}`,
  sealing: 'A server is sealing now, so no new log is needed.',
  audited: (found: readonly string[]): string =>
    found.length === 0
      ? 'The previous log matches the database.'
      : ['The new log and every audit from now on name these differences:', ...found].join('\n  - '),
  started: (origin: string, added: number | bigint): string =>
    `Started ${origin} and sealed ${added} records. Give its key to the witnesses: npm run seals`,
} as const;

export const SUPPORT_COMMAND = {
  oneFile: 'Name at most one file.',
  written: (file: string, contents: string): string =>
    `${file}\nIt contains ${contents}. Check it before you share it.`,
  elsewhere: 'Choose a FILE in an existing folder that this user can write to.',
  exists: (file: string): string => `${file} already exists. Choose another FILE.`,
  noFolder: (folder: string, elsewhere: string): string => `The folder ${folder} does not exist. ${elsewhere}`,
  notWritable: (folder: string, elsewhere: string): string => `This user can't write to ${folder}. ${elsewhere}`,
  notWritten: (file: string, reason: string): string => `${file} could not be written: ${reason}`,
} as const;
