import * as z from 'zod/mini';
import { username } from '../accounts/accounts.ts';
import { done, role, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import { networkWork } from '../network-work/work.ts';

/** The media type of the archive of a backup. */
const ARCHIVE_TYPE = 'application/zip';

/** A backup is the network's admin's own: no superadmin has these calls (section 6 of the specification). */
const access = ['admin'] as const;

const folder = z.string({ error: 'Name the folder of a backup, as backup/list-backups does' });
/** A folder of the caller's network by its name; whatever the server has not listed is NOT_FOUND. */
const folderQuery = z.object({ folder });

/**
 * How far a backup can be relied on: being made, whole as far as is known, found damaged, or never finished, because whatever made it was
 * ended.
 */
export const BACKUP_STATES = ['making', 'whole', 'damaged', 'unfinished'] as const;

/** One backup of the caller's network. */
export const backup = z.object({
  /** Of its folder. */
  name: z.string(),
  /** When its snapshot was taken. */
  createdAt: time,
  state: z.enum(BACKUP_STATES),
  /** Who asked for it; null, as the next three, where its manifest is missing or can't be read. */
  by: z.nullable(z.string()),
  /** What its files measure on the disk. */
  bytes: z.nullable(z.number()),
  rows: z.nullable(z.number()),
  /** Whether only the key that it was made with opens it. */
  isEncrypted: z.nullable(z.boolean()),
  /** True if a clearing or a restore took it first. Only the superadmin can delete it, 90 days after it was taken. */
  isEvidence: z.boolean(),
  /** A sentence for each thing that is known to be wrong with it. */
  problems: z.array(z.string()),
  /** When its checksums were last compared, whatever was found; null where they never were since it was made. */
  checkedAt: z.nullable(time),
  /** When it was last restored beside and proved right. */
  drilledAt: z.nullable(time),
  transferredAt: z.nullable(time),
});
/** One backup of the caller's network. */
export type Backup = z.infer<typeof backup>;

/** `GET backup/list-backups`: the backups of the caller's network, the newest first. */
export const listBackups = route({
  method: 'GET',
  path: 'backup/list-backups',
  summary: "The backups of the caller's network, the newest first.",
  access,
  response: z.object({
    ...success,
    /** Their names. */
    folders: z.array(z.string()),
    backups: z.array(backup),
    /** Whether a new one will be encrypted. */
    isEncrypted: z.boolean(),
    /** Until when the last restore can be undone; null where there is nothing to undo. */
    undoUntil: z.nullable(time),
  }),
});

/** `GET backup/progress`: the latest work on the caller's network; null where there was none. */
export const backupProgress = route({
  method: 'GET',
  path: 'backup/progress',
  summary: "How far the latest work on the caller's network has come, or what came of it.",
  access,
  response: z.object({ ...success, work: z.nullable(networkWork) }),
});

/**
 * `GET backup/exportbackup`: makes a backup and answers when it is whole. It goes on when its client leaves. Not sensitive: what it makes
 * stays on the server.
 */
export const exportBackup = route({
  method: 'GET',
  path: 'backup/exportbackup',
  summary: "Backs the caller's network up; answers when the backup is whole, and goes on when the client leaves.",
  access,
  takesMinutes: true,
  changesState: true,
  sensitive: false,
  response: z.object({ ...done.shape, folder: z.string() }),
  errors: ['WORK_UNDER_WAY', 'RULE_REFUSED'],
});

/** `GET backup/checkbackup`: reads a backup whole, and notes whether its checksums are right. Not sensitive: it only looks. */
export const checkBackup = route({
  method: 'GET',
  path: 'backup/checkbackup',
  summary: 'Reads a backup whole, compares it with its checksums, and notes what was found.',
  access,
  takesMinutes: true,
  changesState: true,
  sensitive: false,
  query: folderQuery,
  matches: 'folder',
  response: z.object({
    ...done.shape,
    /** A sentence for each thing that is wrong; none where it is whole. */
    problems: z.array(z.string()),
  }),
  errors: ['NOT_FOUND', 'WORK_UNDER_WAY', 'RULE_REFUSED'],
});

/** `GET backup/losses`: what restoring a backup would undo. */
export const backupLosses = route({
  method: 'GET',
  path: 'backup/losses',
  summary: 'What restoring a backup would undo, and which of its usernames others have taken since.',
  access,
  // One of an earlier version may have to be brought up to date first.
  takesMinutes: true,
  query: folderQuery,
  matches: 'folder',
  response: z.object({
    ...success,
    /** When its snapshot was taken. */
    takenAt: time,
    /** How much came since: all of it would be gone. */
    lost: z.object({ tickets: z.number(), transfers: z.number(), accounts: z.number(), changes: z.number() }),
    /** How many draws were open in it: they would be void, and their stakes given back. */
    openDraws: z.number(),
    /** Names of accounts in it that accounts of other networks have now: each needs a new one. */
    namesTaken: z.array(z.object({ username: z.string(), role })),
  }),
  errors: ['NOT_FOUND', 'RULE_REFUSED'],
});
/** What restoring a backup would undo. */
export type BackupLosses = Omit<z.infer<typeof backupLosses.response>, 'success' | 'message'>;

const NO_RENAMES = 'Write renames as a JSON object of old and new usernames, such as {"anita":"anita2"}';

/** New usernames by old ones, as JSON in a query. */
const renames = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        return undefined;
      }
    }),
    z.record(z.string(), username, { error: NO_RENAMES }),
  ),
);

/**
 * `GET backup/importbackup`: puts the network back to what it was in a backup. A backup of what there is now is taken first, and every
 * session of the network ends. Sensitive: it makes accounts and credit what they were; passwords stay.
 */
export const importBackup = route({
  method: 'GET',
  path: 'backup/importbackup',
  summary:
    "Puts the caller's network back to what it was in a backup, after a backup of what it is now; its sessions end.",
  access,
  takesMinutes: true,
  changesState: true,
  sensitive: 'spec',
  query: z.object({ folder, renames: z.optional(renames) }),
  matches: 'folder',
  response: z.object({
    ...done.shape,
    /** The backup that was taken first. */
    safetyFolder: z.string(),
    /** A sentence for each thing that is not as it was in the backup. */
    notes: z.array(z.string()),
  }),
  errors: ['NOT_FOUND', 'USERNAME_TAKEN', 'WORK_UNDER_WAY', 'RULE_REFUSED'],
});

/** `POST backup/undo`: brings back what the last restore replaced. Sensitive as a restore is. */
export const undoRestore = route({
  method: 'POST',
  path: 'backup/undo',
  summary: 'Brings back what the last restore replaced, within a day of it; the sessions of the network end.',
  access,
  takesMinutes: true,
  sensitive: 'elevation',
  response: done,
  errors: ['WORK_UNDER_WAY', 'RULE_REFUSED'],
});

/** `POST backup/drill`: restores a backup beside, audits it there, and drops it. Not sensitive: nothing of it stays. */
export const drillBackup = route({
  method: 'POST',
  path: 'backup/drill',
  summary: 'Tries a backup: restores it beside, audits it, compares its sums, and drops it.',
  access,
  takesMinutes: true,
  sensitive: false,
  body: z.object({ folder }),
  matches: 'folder',
  response: z.object({
    ...done.shape,
    /** A sentence for each thing that is wrong; none where it is proved. */
    problems: z.array(z.string()),
  }),
  errors: ['NOT_FOUND', 'WORK_UNDER_WAY', 'RULE_REFUSED'],
});

/**
 * `GET backup/downloadbackup`: the archive of a backup. It only reads, so the cookie of the session does; the download is logged.
 * Sensitive: the archive holds all of the network, but the hashes of passwords and API keys only where it is encrypted.
 */
export const downloadBackup = route({
  method: 'GET',
  path: 'backup/downloadbackup',
  summary: 'A backup as one archive. Unless it is encrypted, the hashes of passwords and API keys are left out.',
  access,
  sensitive: 'spec',
  /** `once` is the secret of an address that `POST backup/downloadbackup` answered. */
  query: z.object({ folder, once: z.optional(z.string()) }),
  matches: 'folder',
  response: z.unknown(),
  file: ARCHIVE_TYPE,
  errors: ['NOT_FOUND', 'RULE_REFUSED'],
});

/** `POST backup/downloadbackup`: an address from which a browser, which sends no header of its own, fetches the archive once. */
export const backupAddress = route({
  method: 'POST',
  path: 'backup/downloadbackup',
  summary: 'An address of a backup that this session may fetch once, within a minute, without an elevation.',
  access,
  sensitive: 'elevation',
  query: folderQuery,
  matches: 'folder',
  response: z.object({ ...success, address: z.string() }),
  errors: ['NOT_FOUND'],
});

/** `GET backup/transferbackup`: sends a backup to where the server's settings say. Not sensitive: nobody who calls it can say where to. */
export const transferBackup = route({
  method: 'GET',
  path: 'backup/transferbackup',
  summary: 'Sends the archive of a backup to the place that the settings of the server name.',
  access,
  takesMinutes: true,
  changesState: true,
  sensitive: false,
  query: folderQuery,
  matches: 'folder',
  response: done,
  errors: ['NOT_FOUND', 'WORK_UNDER_WAY', 'RULE_REFUSED'],
});

/** `DELETE backup/deletebackup`: deletes a backup for good. Sensitive: it may be the last that tells what was. */
export const deleteBackup = route({
  method: 'DELETE',
  path: 'backup/deletebackup',
  summary: 'Deletes a backup for good; not one that a clearing took first.',
  access,
  sensitive: 'spec',
  query: folderQuery,
  matches: 'folder',
  response: done,
  errors: ['NOT_FOUND', 'WORK_UNDER_WAY', 'RULE_REFUSED'],
});
