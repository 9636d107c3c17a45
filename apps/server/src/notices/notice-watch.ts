import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Logger } from 'pino';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import type { NotifySettings } from '../notify-settings.ts';
import type { Recurrence } from '../recurring.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import { aboutOf, holdNotices, readHeld, readHeldKinds } from './held-notices.sql.ts';
import {
  addTest,
  noteAnswered,
  readSilence,
  TEST_EVERY_SECONDS,
  forgetMessages,
  noteUnanswered,
  takeMessage,
} from './notice-messages.sql.ts';
import { createRefusedWrites } from './refused-writes.ts';
import { tellKinds } from './tell-kinds.ts';
import { testBody } from './webhook-messages.ts';
import { post } from './webhook.ts';
import { sql } from '../db/sql.ts';
import type { WebhookAnswer } from './webhook.ts';

const LOOK_EVERY_MS = 15_000;
/** Several would take a receiver’s patience from what is to be told. */
const TESTED_JUST_NOW = `A test was sent just now. Send the next one ${TEST_EVERY_SECONDS} seconds after it.`;
/** Held while messages are made: one server does it. */
const LOCK = 3_407_519;

/** What holds on any server, kept in the database, and told by the webhook where there is one. */
export interface NoticeWatch {
  /** What is done again and again. */
  readonly recurrences: readonly Recurrence[];
  /** These notices with since when each holds, and what other servers have found. */
  withOthers(found: readonly FoundNotice[]): Promise<FoundNotice[]>;
  /** That the database takes no writes, and that the webhook is not answered, where it is so. */
  notices(): Promise<FoundNotice[]>;
  /** The host that is sent to; undefined where there is none. */
  readonly host: string | undefined;
  /** Sends a test; undefined where there is no webhook. Throws THROTTLED so soon after another one, whichever server sent it. */
  test(): Promise<WebhookAnswer | undefined>;
  /** Lets go of what is being sent: it is tried again. */
  stop(): void;
}

/** What is watched, and where it is told. */
export interface WatchOptions {
  readonly services: Pick<Services, 'db' | 'clock' | 'newId'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** All notices that this server finds. */
  readonly find: () => Promise<readonly FoundNotice[]>;
  readonly webhook: NotifySettings | undefined;
}

/** Makes it. */
export function createNoticeWatch({ services, logger, find, webhook }: WatchOptions): NoticeWatch {
  const { db, clock, newId } = services;
  const serverId = newId();
  const stopping = new AbortController();
  const { signal } = stopping;
  const refusedWrites = createRefusedWrites({ services, logger, webhook, signal });

  async function look(): Promise<void> {
    const isWritable = await refusedWrites.look();
    const found = await find();
    if (!isWritable) return;
    const now = clock.now();
    await db.transaction(async (tx) => {
      await refusedWrites.keep(tx);
      await holdNotices(tx, serverId, found, now);
      if (!webhook) return;
      const [{ mine } = { mine: false }] = await tx.query<{ mine: boolean }>(
        sql`select pg_try_advisory_xact_lock(${sql.lit(LOCK)}) as mine`,
      );
      if (mine) await tellKinds(tx, services, await readHeldKinds(tx, now), now);
    });
  }

  const recurrences: Recurrence[] = [
    {
      name: 'look what is to be noticed',
      everyMs: LOOK_EVERY_MS,
      run: look,
      aside: 'what is to be noticed could not be looked at; it is again',
    },
    ...(webhook ? sendingOf({ services, logger, webhook, signal }) : []),
  ];
  return {
    recurrences: recurrences.map(({ run, ...recurrence }) => ({ ...recurrence, run: () => unlessAway(run) })),
    withOthers: async (found) => joined(found, await readHeld(db, clock.now()), serverId),
    async notices() {
      const silence = webhook && (await readSilence(db));
      return [
        ...refusedWrites.notices(),
        ...(silence
          ? [{ code: 'WEBHOOK_UNANSWERED', last: silence.lastAnsweredAt?.toISOString() ?? null } as const]
          : []),
      ];
    },
    host: webhook?.host,
    async test() {
      if (!webhook) return undefined;
      const at = clock.now();
      const message = { id: newId(), body: testBody(at) };
      const isFirst = await db.transaction(async (tx) => {
        await tx.query(sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`);
        return addTest(tx, message, at);
      });
      if (!isFirst)
        throw new CallError('THROTTLED', { message: TESTED_JUST_NOW, retryAfterSeconds: TEST_EVERY_SECONDS });
      const answer = await post(webhook, message, { at, signal });
      if (answer.isTaken) await noteAnswered(db, message.id, clock.now());
      return answer;
    },
    stop: () => stopping.abort(),
  };
}

/** Does it, and passes over it while the database is away: that is said of the draws, once, and nothing can be kept or told meanwhile. */
async function unlessAway(run: Recurrence['run']): Promise<boolean | void> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || error.refused) throw error;
  }
}

/** What a server finds, with since when it holds, and then what others have found and it has not. */
function joined(
  found: readonly FoundNotice[],
  held: Awaited<ReturnType<typeof readHeld>>,
  serverId: string,
): FoundNotice[] {
  const isSame = (one: FoundNotice, other: FoundNotice): boolean =>
    one.code === other.code && aboutOf(one) === aboutOf(other);
  const sinceOf = (notice: FoundNotice): Pick<FoundNotice, 'since'> => {
    const row = held.find((known) => isSame(known.found, notice));
    return row ? { since: row.since.toISOString() } : {};
  };
  // Of networks each server finds for itself what their admins are to know.
  const others = held.filter(
    (row) =>
      row.serverId !== serverId && row.found.admin === undefined && !found.some((notice) => isSame(notice, row.found)),
  );
  return [
    ...found.map((notice) => ({ ...sinceOf(notice), ...notice })),
    ...others.map((row) => ({ since: row.since.toISOString(), ...row.found })),
  ];
}

const SEND_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 3_600_000;

/** What sends: where to, and until when. */
interface SendOptions {
  readonly services: Pick<Services, 'db' | 'clock'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly webhook: NotifySettings;
  readonly signal: AbortSignal;
}

/** What sends the messages that wait, again and again, and forgets those of long ago. */
function sendingOf(options: SendOptions): Recurrence[] {
  const { db, clock } = options.services;
  return [
    {
      name: 'send notices',
      everyMs: SEND_EVERY_MS,
      run: () => sendNext(options),
      aside: 'notices could not be sent; they are tried again',
    },
    { name: 'forget what was sent', everyMs: FORGET_EVERY_MS, run: () => forgetMessages(db, clock.now()) },
  ];
}

/** Tries one message. Gives whether others may be tried at once: where nobody answers, they wait. */
async function sendNext({ services: { db, clock }, logger, webhook, signal }: SendOptions): Promise<boolean> {
  const message = await takeMessage(db, clock.now());
  if (!message) return false;
  const answer = await post(webhook, message, { at: clock.now(), signal });
  if (answer.isTaken) {
    await noteAnswered(db, message.id, clock.now());
    return true;
  }
  if (signal.aborted) return false;
  const { code, type, tries } = message;
  const isGivenUp = await noteUnanswered(db, message);
  logger.warn({ to: webhook.host, code, type, tries, isGivenUp }, `a notice was not sent: ${answer.says}`);
  return false;
}
