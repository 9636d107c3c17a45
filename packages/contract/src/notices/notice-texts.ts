import type { NoticeCode } from './notices.ts';

/** Written for operators, and for admins about their own network. */
export const NOTICES = {
  RESULT_TO_CONFIRM: {
    title: 'A result is waiting for a second person',
    text: 'It is drawn once someone other than its author has confirmed it. Without a confirmation the draw is generated.',
  },
  OUTSIDE_RESULT_DUE: {
    title: 'A draw waits for its outside result',
    text: 'Two people enter the result on the panel, then the draw settles. Without a result it is void and stakes are refunded.',
  },
  APPROVAL_WAITING: {
    title: 'Requests wait for your approval',
    text: 'Nothing is changed until you or another second person approves them. After 24 hours they expire.',
  },
  SIGN_INS_REFUSED: {
    title: 'Staff tried to sign in from elsewhere or outside their hours',
    text:
      'The password was correct, so ask the person. If it was somebody else, change the password. The log shows the address. ' +
      'This notice ends after a day.',
  },
  ACCOUNTS_OWE: {
    title: 'Accounts owe you',
    text: 'They owed it before this week. Settle the week, record what they pay, or send a reminder.',
  },
  YOU_OWE: {
    title: 'You owe',
    text: 'It was owed before this week. The notice ends once the account above records your payment.',
  },
  WEEK_DISPUTED: {
    title: 'A line of a week is disputed',
    text: 'The week cannot be closed until the dispute is answered under the notes of its sheet.',
  },
  DISPUTE_ANSWERED: {
    title: 'Your dispute was answered',
    text: 'If you do not agree and the week is still open, dispute it again. This notice ends after a week.',
  },
  ORDER_SKIPPED: {
    title: 'A standing order was skipped',
    text: 'Nothing was moved. It runs again at its next time.',
  },
  ORDER_ENDED: {
    title: 'A standing order ended',
    text: 'It ended automatically. This notice ends after a week.',
  },
  SELLING_STOPPED: {
    title: 'No bets are taken',
    text: 'A floor has been passed, so bets below this account are refused. They are accepted again once it no longer is.',
  },
  TABLE_LOW: {
    title: 'A table is low',
    text: 'Its balance is below your threshold. Add balance, or change the threshold in Alerts.',
  },
  WORST_CASE_HIGH: {
    title: 'A draw could pay more than your threshold',
    text: 'One result of the running draw would pay more than the threshold that you set in Alerts. Its panel shows each result.',
  },
  RETURNS_OUTSIDE: {
    title: 'Games return more or less than they should',
    text:
      'Over the last 30 days their generated draws paid back a share outside the 99 % band of chance. One game in a ' +
      'hundred does so by luck. The Returns report shows which, and each draw can be checked.',
  },
  SEED_KEY_IN_DATA_DIR: {
    title: 'The seed key is stored beside the database',
    text:
      'Anyone who copies the data folder can predict open draws. Move seed.key to a file of another user or a mounted ' +
      'secret, and start the server with SEED_KEY_FILE set to its path.',
  },
  SEED_KEY_READABLE: {
    title: 'Every user of the machine can read the seed key',
    text: 'They can predict open draws if they reach the database. Let only the server read the file that SEED_KEY_FILE names.',
  },
  DATABASE_ROLE: {
    title: 'The server can rewrite its own books',
    text:
      'The role of DATABASE_URL owns the tables or is a superuser, so it could change transfers and the log. Give ' +
      'DATABASE_URL a separate role, and DATABASE_OWNER_URL the owner, which migrates and grants.',
  },
  BEACON_AWAY: {
    title: 'A beacon does not answer correctly',
    text:
      'Draws of games that use it wait for its value, and are void if it does not come in time. While its round times ' +
      'are unknown, no such draw opens. Check that it is running, or switch the games to another one.',
  },
  CLOCK_SET_BACK: {
    title: 'The server clock was set back',
    text:
      'No time is drawn twice: games take no bets and open no draws until the clock has caught up, and running draws ' +
      'wait too. Nothing is lost. If the clock is wrong now, correct it, and everything resumes at once.',
  },
  SEALS_STOPPED: {
    title: 'Sealing has stopped',
    text:
      'Everything else continues, and records committed meanwhile are sealed once this is fixed. Until then, changes ' +
      'to them are not detectable.',
  },
  CHANGED_UNLOGGED: {
    title: 'A record was changed without a log entry',
    text:
      'Accounts, games, their times, limits and keys are changed by people, and the log says by whom. One of these ' +
      'was changed directly in the database. The change is sealed for good, and npm run audit names it. Check who can ' +
      'write there, and change nothing by hand. This notice ends when the server restarts; the audit keeps reporting ' +
      'the change.',
  },
  CHECKPOINT_FORGED: {
    title: 'The database has a false checkpoint of the seals',
    text:
      'The newest checkpoint stored there is missing or not signed by the seal key: someone changed it, or the key ' +
      'was replaced. Sealed records are not affected, and this server relies on what the key has signed. Check who ' +
      'can write to the database. This notice ends with the next stored checkpoint.',
  },
  SEALED_BY_ITSELF: {
    title: 'Only this server vouches for the seals',
    text:
      'Changes to sealed records are detectable. But anyone with the database and also the key and files of the seals ' +
      'could rewrite them unnoticed. Let another machine or party witness them: set SEAL_WITNESSES.',
  },
  WITNESS_SILENT: {
    title: 'A witness of the seals is silent',
    text:
      'It has not co-signed what was sealed ten minutes ago or earlier, so it does not vouch for that. Everything ' +
      'else continues. Check that it is running and reaches this server, and why it refused if it did. If it saw two ' +
      'conflicting logs, it has kept both.',
  },
  BACKUP_FAILED: {
    title: 'The scheduled backup failed',
    text: 'Earlier backups are still there. The next attempt is in an hour.',
  },
  BACKUP_UNSCHEDULED: {
    title: 'No backup is scheduled',
    text:
      'Networks are only backed up when someone does it manually. Start the server with BACKUP_SCHEDULE="daily ' +
      '03:30", and store the backups on another disk than the database: BACKUP_TRANSFER_URL, or BACKUP_DIR.',
  },
  BACKUP_OVERDUE: {
    title: 'The scheduled backup is overdue',
    text:
      'No complete backup was made since its last scheduled time. The Backup page shows what is running instead, or ' +
      'the server log says why.',
  },
  HISTORY_CLEARED: {
    title: 'An admin cleared history',
    text:
      'The backup that was taken first stays for 90 days. Then you can delete it: npm run backup -- delete. Declared, ' +
      'replaced and confirmed results are still in your log. This notice ends after a week.',
  },
  NETWORK_RESTORED: {
    title: 'A network was restored from a backup',
    text:
      'Everything in it since that backup is undone. Its admin can undo the restore within a day. Your log keeps this ' +
      'entry. This notice ends after a week.',
  },
  AUDIT_FAILED: {
    title: 'An audit found problems',
    text:
      'Records in the database do not match what was played. Change nothing by hand. Keep the database, the seals and ' +
      'the newest backup as they are, and run npm run audit, which names each row. This notice ends when an audit ' +
      'finds no problems.',
  },
  AUDIT_OVERDUE: {
    title: 'The audit is overdue',
    text:
      'The books have gone unaudited for too long. Run npm run audit beside the running server, and schedule it ' +
      'weekly with cron or a systemd timer. The server itself checks the balances daily; if that check is missing, ' +
      'its log says why.',
  },
  DISK_NEARLY_FULL: {
    title: 'A disk is nearly full',
    text:
      'Less than a tenth of it is free, or less than 2 GiB. Without space PostgreSQL stops, and no bet is taken. Free ' +
      'space there, or move the folder to a larger disk.',
  },
  DRAWS_LATE: {
    title: 'Draws are late',
    text:
      'Betting should have closed or a result should exist by now, but neither has happened. The server catches up ' +
      'automatically, and no stake is lost. Check whether the database is reachable, whether the machine is overloaded, and what the ' +
      'server log says.',
  },
  SETTLEMENT_LATE: {
    title: 'Wins are paid late',
    text:
      'A draw has its result, but not all of its wins are paid. Payment continues automatically, and each win is paid ' +
      'once. Check whether the machine or its disk is overloaded, and what the server log says.',
  },
  TABLE_BELOW_ZERO: {
    title: 'A table is below zero',
    text:
      'It has paid more than was staked and added, down to the table line that you set for its admin. Its admin can ' +
      'add balance, or you can lower the line. While the tables of a network together are below its line, none of its ' +
      'draws opens.',
  },
  CLOCK_STEPPED: {
    title: 'The server clock jumped',
    text:
      'All draws and bets depend on it. Let the machine synchronize its clock over the network (NTP: ' +
      'systemd-timesyncd or chrony), in small steps. A machine that was asleep jumps too: turn sleep off. This notice ' +
      'ends after a day.',
  },
  DATABASE_RESTARTED: {
    title: 'PostgreSQL restarted or failed over',
    text:
      'Everything confirmed is safe, and the server continues. If nobody restarted it, see its log for the cause: ' +
      'postgres.log in the data folder for the one that comes with Drawhouse, patronictl list for several hosts. ' +
      'This notice ends after a day.',
  },
  DATABASE_REFUSES_WRITES: {
    title: 'The database refuses writes',
    text:
      'Its disk is full or failing, or it is read-only, as a standby is. Draws wait; nothing confirmed is lost, and ' +
      'everything resumes once writes succeed. Free space on its disk, and delete no file of PostgreSQL.',
  },
  SLOT_UNREAD: {
    title: 'A replication slot fills the disk',
    text:
      'Nobody reads it, so PostgreSQL keeps all of its log since then. Start the standby that reads it. If that is gone ' +
      'for good, drop the slot: npm run doctor says how.',
  },
  CREDIT_WAITS: {
    title: 'Credit waits for another cell',
    text:
      'A gift or a take-back has not been applied in that cell for five minutes. Start its servers; the rest follows ' +
      'automatically. npm run group -- doctor lists what waits, and why. If an admin or the superadmin has too ' +
      'little left, give that account credit in its cell. To end a message that its cell does not have: npm run group -- end MESSAGE.',
  },
  CATALOGUE_BEHIND: {
    title: 'Games or house of the first cell are not taken over',
    text:
      'For five minutes this cell could not follow the first one. Everything continues with the games, times, ' +
      'schedules and house that it has. Start the first cell, or upgrade both to one version.',
  },
  WEBHOOK_UNANSWERED: {
    title: 'The notice webhook does not answer',
    text:
      'Notices are shown only here. Check that the receiver at NOTIFY_URL is running and answers with a status from ' +
      '200 to 299, then send a test message.',
  },
} as const satisfies Readonly<Record<NoticeCode, { readonly title: string; readonly text: string }>>;

/** The webhook sends each, even while an earlier one is shown. */
export const EVENT_NOTICES: ReadonlySet<NoticeCode> = new Set(['HISTORY_CLEARED', 'NETWORK_RESTORED']);

/** Neither sent by webhook nor shown to the superadmin. */
export const ADMIN_NOTICES: ReadonlySet<NoticeCode> = new Set([
  'SIGN_INS_REFUSED',
  'TABLE_LOW',
  'WORST_CASE_HIGH',
  'RETURNS_OUTSIDE',
]);

export const WEBHOOK_UNSET =
  'Notices are not sent anywhere. To send them, start the server with NOTIFY_URL set to the address of a ' +
  'receiver, and NOTIFY_SECRET to whsec_ followed by what openssl rand -base64 32 prints.';

export const NOTICE_FIELD_TEXTS = {
  wrongSnooze: 'Send a time in the next 31 days, or null to acknowledge the notice',
  wrongThreshold: 'Enter points with at most 2 decimals, such as 500, or null for no notice',
  search: 'Search by notice or object',
} as const;
