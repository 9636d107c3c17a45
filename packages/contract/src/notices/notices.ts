import * as z from 'zod/mini';
import { success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** Notices for operators, and for admins about their own network: title, meaning and remedy. */
export const NOTICES = {
  SEED_KEY_IN_DATA_DIR: {
    title: 'The key of the seeds lies beside the database',
    text: 'Whoever copies the data folder can foresee the draws that are open. Move seed.key out of it, to a file of another user or a mounted secret, and start the server with SEED_KEY_FILE set to its path.',
  },
  SEED_KEY_READABLE: {
    title: 'Every user of the machine can read the key of the seeds',
    text: 'They can foresee open draws if they reach the database. Let the server alone read the file that SEED_KEY_FILE names.',
  },
  DATABASE_ROLE: {
    title: 'The server can rewrite its own books',
    text: 'The role of DATABASE_URL owns the tables or is a superuser, so it could change transfers and the log. Give DATABASE_URL a role of its own, and DATABASE_OWNER_URL the owner, which migrates and grants.',
  },
  BEACON_AWAY: {
    title: 'A beacon does not answer as it should',
    text: 'Draws of games that use it wait for its value, and are void if it does not come in time. While the times of its rounds are not known, no such draw opens. See whether it runs, or let the games use another one.',
  },
  CLOCK_SET_BACK: {
    title: 'The clock of the server was set back',
    text: 'What was played is not played again: games take no bets and open no draws until it is that time once more, and draws under way wait too. Nothing is lost. If the clock is wrong now, put it right, and all goes on at once.',
  },
  SEALS_STOPPED: {
    title: 'Nothing is sealed at the moment',
    text: 'All goes on, and what is committed meanwhile is sealed once this is mended. Until then nobody could tell whether it was rewritten.',
  },
  CHANGED_UNLOGGED: {
    title: 'Something was changed past the log',
    text: 'Accounts, games, their times, limits and keys are changed by people, and the log says by whom. Something of these was changed straight in the database: that is sealed for good, and npm run audit names it. See who can write there, and change nothing by hand. This goes when the server is started again; the audit goes on to say so.',
  },
  CHECKPOINT_FORGED: {
    title: 'The database tells a false checkpoint of the seals',
    text: 'What it keeps as their newest checkpoint is not signed by their key, or is gone: somebody has changed it there, or the key is another one than before. What is sealed stays as it is, and this server goes by what the key has signed. See who can write to the database. This goes with the next checkpoint that is kept there.',
  },
  SEALED_BY_ITSELF: {
    title: 'The books are sealed by this server alone',
    text: 'Whoever can write to the database can’t rewrite what is sealed without its showing. Whoever also has the key and the files of the seals can, and nobody else would notice. Let another machine or party witness them: SEAL_WITNESSES names it.',
  },
  WITNESS_SILENT: {
    title: 'A witness of the seals is silent',
    text: 'It has not cosigned what was sealed ten minutes ago or earlier, so it does not vouch for that. All goes on. See whether it runs and reaches this server, and why it refused if it did: where it saw two logs that do not fit, it has kept both.',
  },
  BACKUP_FAILED: {
    title: 'The scheduled backup failed',
    text: 'What was backed up before is still there. It is tried again after an hour.',
  },
  BACKUP_UNSCHEDULED: {
    title: 'No backup is scheduled',
    text: 'Nobody backs the networks up unless somebody does so by hand. Start the server with BACKUP_SCHEDULE="daily 03:30", and have the backups elsewhere than on the disk of the database: BACKUP_TRANSFER_URL, or BACKUP_DIR.',
  },
  BACKUP_OVERDUE: {
    title: 'The scheduled backup is overdue',
    text: 'Since its last time none was made that is whole. The page Backup says what is under way instead, or the log of the server why.',
  },
  HISTORY_CLEARED: {
    title: 'An admin cleared history',
    text: 'The backup that was taken first stays for 90 days. Then you can delete it: npm run backup -- delete. Declared, replaced and confirmed results are still in your log. This notice goes after a week.',
  },
  NETWORK_RESTORED: {
    title: 'A network was put back to a backup',
    text: 'What happened in it since that backup is undone. Within a day its admin can undo the restore. Your log keeps this entry. This notice goes after a week.',
  },
  AUDIT_FAILED: {
    title: 'An audit found problems',
    text: 'Something in the database is not as what was played makes it. Change nothing by hand. Keep the database, the seals and the newest backup as they are, and run npm run audit, which names each row. It goes with an audit that finds all right.',
  },
  AUDIT_OVERDUE: {
    title: 'The audit is overdue',
    text: 'Nobody has proved the books for longer than they should go unproved. Run npm run audit beside the running server, and let cron or a systemd timer do so every week. The daily look at the balances is the server’s own: where that is missing, its log says why.',
  },
  DISK_NEARLY_FULL: {
    title: 'A disk is nearly full',
    text: 'Less than a tenth of it is free, or less than 2 GiB. Without room PostgreSQL ends, and no bet is taken. Make room there, or move the folder to a larger disk.',
  },
  DRAWS_LATE: {
    title: 'Draws are late',
    text: 'Betting was to be closed, or a result to be there, and it is not. All is made up for by itself, and no stake is lost. See whether the database is away, whether the machine has too much to do, and what the log of the server says.',
  },
  SETTLEMENT_LATE: {
    title: 'Wins are paid late',
    text: 'A draw has its result, and not all that it won is paid. It goes on by itself, and each win is paid once. See whether the machine or its disk has too much to do, and what the log of the server says.',
  },
  TABLE_BELOW_ZERO: {
    title: 'A table is below zero',
    text: 'It has paid more than was staked and added, down to the table line that you set for its admin. Its admin adds balance, or you lower the line. While the tables of a network together are below its line, none of its draws opens.',
  },
  CLOCK_STEPPED: {
    title: 'The clock of the server has jumped',
    text: 'All draws and bets go by it. Let the machine keep its clock by the network (NTP: systemd-timesyncd or chrony), which sets it by little at a time. A machine that was asleep jumps too: let it not sleep. This goes after a day.',
  },
  DATABASE_RESTARTED: {
    title: 'PostgreSQL was started again',
    text: 'What was confirmed is there, and all goes on. Where nobody did so, see why in its log: for the one that comes with Drawhouse, postgres.log in the data folder. This goes after a day.',
  },
  DATABASE_REFUSES_WRITES: {
    title: 'The database takes no writes',
    text: 'Its disk is full or fails, or it only reads, as a standby does. Draws wait; nothing that was confirmed is lost, and all goes on by itself once writes are taken. Make room on its disk, and delete no file of PostgreSQL.',
  },
  WEBHOOK_UNANSWERED: {
    title: 'The webhook of the notices is not answered',
    text: 'Notices that begin and end are read here alone. See that the receiver at NOTIFY_URL runs and answers with a status from 200 to 299, then send a test message.',
  },
} as const;

export type NoticeCode = keyof typeof NOTICES;

/** Notices of single events. The webhook sends each, even while an earlier one is still shown. */
export const EVENT_NOTICES: ReadonlySet<NoticeCode> = new Set(['HISTORY_CLEARED', 'NETWORK_RESTORED']);

/**
 * Optional: `until` expiry, `admin` network, `about` one of several objects, `detail` reason, `last` time it was last
 * right (or never), `since` first seen.
 */
export interface FoundNotice {
  readonly code: NoticeCode;
  readonly since?: string;
  readonly about?: string;
  readonly until?: string;
  readonly admin?: string;
  readonly detail?: string;
  readonly last?: string | null;
}

export const listNotices = route({
  method: 'GET',
  path: 'notices',
  summary:
    'What ought to be known of how the server is set up and runs, and of the backups of the caller’s networks; empty when all is well.',
  access: ['superadmin', 'admin'],
  response: z.object({
    ...success,
    data: z.array(
      z.object({
        code: z.enum(Object.keys(NOTICES) as NoticeCode[]),
        title: z.string(),
        text: z.string(),
        since: z.optional(time),
        until: z.optional(time),
        about: z.optional(z.string()),
        admin: z.optional(z.string()),
        detail: z.optional(z.string()),
        /** Last success of an overdue task. Null: never. */
        last: z.optional(z.nullable(time)),
      }),
    ),
    /** Superadmins only. Null if `NOTIFY_URL` is unset. */
    webhook: z.optional(z.nullable(z.object({ to: z.string() }))),
  }),
});

export const WEBHOOK_UNSET =
  'Notices are sent nowhere. To have them sent, start the server with NOTIFY_URL set to the address of a receiver, and NOTIFY_SECRET to whsec_ with what openssl rand -base64 32 prints behind it.';

export const testWebhook = route({
  method: 'POST',
  path: 'notices/test',
  summary:
    'Sends a test message by the webhook of the notices, once, and says what was answered: its status, and after how many milliseconds. RULE_REFUSED where NOTIFY_URL is not set, THROTTLED within ten seconds after another one.',
  access: ['superadmin'],
  errors: ['RULE_REFUSED'],
  sensitive: false,
  response: z.object({
    ...success,
    message: z.string(),
    /** True for statuses 200 to 299. */
    isTaken: z.boolean(),
    /** Null without an answer. */
    status: z.nullable(z.number()),
    tookMs: z.number(),
  }),
});
