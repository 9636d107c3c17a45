import * as z from 'zod/mini';
import { success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** What an operator ought to know of how the server is set up and runs, and an admin of its own network: what it is called, and what it means and how to change it. */
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
  KEEPER_AWAY: {
    title: 'A keeper of seeds does not answer as it should',
    text: 'Without it no draws open: none is ever kept by the server alone while KEEPER_URL or DRAND_URL names others. Draws that are closed and lack its part are void by their deadline, with all stakes back. See that it runs, or change the settings; then draws open by what they say.',
  },
  KEEPER_TWO_ROOTS: {
    title: 'A keeper of seeds has signed two roots for one day',
    text: 'So its seeds are not fixed before the draws, or its folder was put back: it can’t be trusted any more, and no draws open with it. Both signed texts are kept, and anybody can read them at /api/fair/keeper. Set up a new keeper in an empty folder, and name it in KEEPER_URL.',
  },
  CLOCK_SET_BACK: {
    title: 'The clock of the server was set back',
    text: 'What was played is not played again: games take no bets and open no draws until it is that time once more, and draws under way wait too. Nothing is lost. If the clock is wrong now, put it right, and all goes on at once.',
  },
  SEALS_STOPPED: {
    title: 'Nothing is sealed at the moment',
    text: 'All goes on, and what is committed meanwhile is sealed once this is mended. Until then nobody could tell whether it was rewritten.',
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
  BACKUP_OVERDUE: {
    title: 'The scheduled backup is overdue',
    text: 'Since its last time none was made that is whole. The page Backup says what is under way instead, or the log of the server why.',
  },
} as const;

/** The name of one notice: a key of {@link NOTICES}. */
export type NoticeCode = keyof typeof NOTICES;

/**
 * A notice that holds: with `until`, only up to an instant; with `admin`, of the network of the admin of that name; with `detail`, for a reason; with
 * `last`, of what was last right then, or never.
 */
export interface FoundNotice {
  readonly code: NoticeCode;
  readonly until?: string;
  readonly admin?: string;
  readonly detail?: string;
  readonly last?: string | null;
}

/**
 * `GET notices`: what the superadmin ought to know of how the server is set up and runs, and whoever has a network of its backups; empty when
 * all is well.
 */
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
        until: z.optional(time),
        /** The username of the admin of the network that it is of. */
        admin: z.optional(z.string()),
        /** Why, as a sentence. */
        detail: z.optional(z.string()),
        /** When what is overdue was last made; null where it never was. */
        last: z.optional(z.nullable(time)),
      }),
    ),
  }),
});
