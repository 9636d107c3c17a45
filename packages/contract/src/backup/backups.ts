import * as z from 'zod/mini';
import { username } from '../accounts/accounts.ts';
import { done, role, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { networkWork } from '../network-work/network-work.ts';
import { BACKUP_FIELD_TEXTS } from '../core/field-texts.ts';

const ARCHIVE_TYPE = 'application/zip';

/** Superadmins lack these calls (docs/spec/accounts-and-credit.md §6). */
const forAdmins = { access: ['admin'], permission: 'backups' } as const;

const folder = z.string({ error: BACKUP_FIELD_TEXTS.folderMissing });
/** Folders outside the server's listing answer NOT_FOUND. */
const folderQuery = z.object({ folder });

/** `whole`: no known damage. `unfinished`: its process ended early. */
export const BACKUP_STATES = ['making', 'whole', 'damaged', 'unfinished'] as const;

export const backup = z.object({
  name: z.string(),
  createdAt: time,
  state: z.enum(BACKUP_STATES),
  /** Null, like the next three fields, if the manifest is missing or unreadable. */
  by: z.nullable(z.string()),
  bytes: z.nullable(z.number()),
  rows: z.nullable(z.number()),
  isEncrypted: z.nullable(z.boolean()),
  /** Taken before a clearing or restore. Only a superadmin can delete it, after 90 days. */
  isEvidence: z.boolean(),
  problems: z.array(z.string()),
  /** Last checksum comparison, whatever its outcome. Null: never since creation. */
  checkedAt: z.nullable(time),
  drilledAt: z.nullable(time),
  transferredAt: z.nullable(time),
});
export type Backup = z.infer<typeof backup>;

export const listBackups = route({
  method: 'GET',
  path: 'backup/list-backups',
  summary: "Lists the backups of the caller's network, newest first.",
  ...forAdmins,
  response: z.object({
    ...success,
    folders: z.array(z.string()),
    backups: z.array(backup),
    isEncrypted: z.boolean(),
    /** False if the settings name no destination. */
    canTransfer: z.boolean(),
    /** Null: no restore to undo. */
    undoUntil: z.nullable(time),
  }),
});

export const backupProgress = route({
  method: 'GET',
  path: 'backup/progress',
  summary: "Progress of the latest work on the caller's network, or its outcome.",
  ...forAdmins,
  response: z.object({ ...success, work: z.nullable(networkWork) }),
});

/** Not sensitive: its output stays on the server. */
export const exportBackup = route({
  method: 'GET',
  path: 'backup/exportbackup',
  summary:
    "Backs up the caller's network. Answers when the backup is complete, and continues if the client disconnects.",
  ...forAdmins,
  takesMinutes: true,
  changesState: true,
  sensitive: false,
  response: z.object({ ...done.shape, folder: z.string() }),
  errors: ['WORK_UNDER_WAY', 'RULE_REFUSED'],
});

export const checkBackup = route({
  method: 'GET',
  path: 'backup/checkbackup',
  summary: 'Verifies a whole backup against its checksums and records the outcome.',
  ...forAdmins,
  takesMinutes: true,
  changesState: true,
  sensitive: false,
  query: folderQuery,
  matches: 'folder',
  response: z.object({
    ...done.shape,
    problems: z.array(z.string()),
  }),
  errors: ['NOT_FOUND', 'WORK_UNDER_WAY', 'RULE_REFUSED'],
});

export const backupLosses = route({
  method: 'GET',
  path: 'backup/losses',
  summary: 'Previews a restore: what it would undo, and which usernames have been taken since.',
  ...forAdmins,
  // Older backups may need an upgrade first.
  takesMinutes: true,
  query: folderQuery,
  matches: 'folder',
  response: z.object({
    ...success,
    takenAt: time,
    /** Data newer than the snapshot, lost by a restore. */
    lost: z.object({
      tickets: z.number(),
      transfers: z.number(),
      accounts: z.number(),
      /** Standing orders made since, which the restore ends. */
      orders: z.number(),
      changes: z.number(),
    }),
    /** Voided by a restore, with stakes returned. */
    openDraws: z.number(),
    /** Newer than the backup, kept by a restore. */
    kept: z.object({ payments: z.number(), weeks: z.number() }),
    /** Usernames now taken in other networks. */
    namesTaken: z.array(z.object({ username: z.string(), role })),
  }),
  errors: ['NOT_FOUND', 'RULE_REFUSED'],
});
export type BackupLosses = Omit<z.infer<typeof backupLosses.response>, 'success' | 'message'>;

/** JSON: new usernames by old ones. */
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
    z.record(z.string(), username, { error: BACKUP_FIELD_TEXTS.wrongRenames }),
  ),
);

/** Replaces accounts and credit; passwords stay. */
export const importBackup = route({
  method: 'GET',
  path: 'backup/importbackup',
  summary:
    "Restores the caller's network from a backup, after backing up its current state. The network's sessions end.",
  ...forAdmins,
  takesMinutes: true,
  changesState: true,
  approval: ['restore'],
  sensitive: 'spec',
  query: z.object({ folder, renames: z.optional(renames) }),
  matches: 'folder',
  response: z.object({
    ...done.shape,
    safetyFolder: z.string(),
    notes: z.array(z.string()),
  }),
  errors: ['NOT_FOUND', 'USERNAME_TAKEN', 'WORK_UNDER_WAY'],
});

export const undoRestore = route({
  method: 'POST',
  path: 'backup/undo',
  summary: "Undoes the last restore within a day. The network's sessions end.",
  ...forAdmins,
  takesMinutes: true,
  approval: ['restore'],
  sensitive: 'elevation',
  response: done,
  errors: ['WORK_UNDER_WAY'],
});

export const drillBackup = route({
  method: 'POST',
  path: 'backup/drill',
  summary: 'Tests a backup: restores it to a staged copy, audits it, compares its sums, and drops it.',
  ...forAdmins,
  takesMinutes: true,
  sensitive: false,
  body: z.object({ folder }),
  matches: 'folder',
  response: z.object({
    ...done.shape,
    problems: z.array(z.string()),
  }),
  errors: ['NOT_FOUND', 'WORK_UNDER_WAY', 'RULE_REFUSED'],
});

/** Read-only, so the session cookie suffices. Archives contain the whole network. */
export const downloadBackup = route({
  method: 'GET',
  path: 'backup/downloadbackup',
  summary: 'Returns a backup as one archive. Unless it is encrypted, hashes of passwords and API keys are left out.',
  ...forAdmins,
  approval: ['export'],
  sensitive: 'spec',
  query: z.object({ folder, once: z.optional(z.string()) }),
  matches: 'folder',
  response: z.unknown(),
  file: ARCHIVE_TYPE,
  errors: ['NOT_FOUND'],
});

/** Browser downloads cannot send custom headers. */
export const backupAddress = route({
  method: 'POST',
  path: 'backup/downloadbackup',
  summary:
    'Returns a download address for a backup. This session can use it once, within a minute, without an elevation.',
  ...forAdmins,
  approval: ['export'],
  sensitive: 'elevation',
  query: folderQuery,
  matches: 'folder',
  response: z.object({ ...success, address: z.string() }),
  errors: ['NOT_FOUND'],
});

/** Not sensitive: callers cannot choose the destination. */
export const transferBackup = route({
  method: 'GET',
  path: 'backup/transferbackup',
  summary: "Sends the archive of a backup to the destination in the server's settings.",
  ...forAdmins,
  takesMinutes: true,
  changesState: true,
  approval: ['export'],
  sensitive: false,
  query: folderQuery,
  matches: 'folder',
  response: done,
  errors: ['NOT_FOUND', 'WORK_UNDER_WAY'],
});

/** May delete the last record of past data. */
export const deleteBackup = route({
  method: 'DELETE',
  path: 'backup/deletebackup',
  summary: 'Deletes a backup for good; refused for one that a clearing took first.',
  ...forAdmins,
  sensitive: 'spec',
  query: folderQuery,
  matches: 'folder',
  response: done,
  errors: ['NOT_FOUND', 'WORK_UNDER_WAY', 'RULE_REFUSED'],
});
