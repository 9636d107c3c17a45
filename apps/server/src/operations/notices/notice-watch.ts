import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Logger } from 'pino';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import type { NotifySettings } from '../../config/outside-services.ts';
import type { PeriodicTask } from '../../platform/time/task-runner.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import {
  addTest,
  deleteOldNotices,
  forgetMessages,
  keyOf,
  leaseMessage,
  noteAnswered,
  readActive,
  readHeldKinds,
  readSilence,
  recordNotices,
  reportNoAnswer,
  TEST_EVERY_SECONDS,
  addMessage,
} from './notices.sql.ts';
import {
  createDueMessages,
  post,
  testBody,
  type WebhookAnswer,
  BEGAN_EVERY_MS,
  noticeBody,
  type WebhookMessage,
} from './webhook.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { NOTICE_TEXTS, NOTICE_DETAILS } from './notices-texts.ts';
import type { Tx } from '../../platform/db/database.ts';

const POLL_EVERY_MS = 15_000;
/** One server at a time creates messages or sends a test. */
const LOCK = 3_407_519;

export interface NoticeWatch {
  readonly recurrences: readonly PeriodicTask[];
  /** Adds start times, and for superadmins what other servers found about themselves. */
  withTimes(found: readonly FoundNotice[], withOthers: boolean): Promise<FoundNotice[]>;
  notices(): Promise<FoundNotice[]>;
  readonly host: string | undefined;
  test(): Promise<WebhookAnswer | undefined>;
  stop(): void;
}

export interface WatchOptions {
  readonly services: Pick<Services, 'db' | 'clock' | 'newId'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly find: () => Promise<readonly FoundNotice[]>;
  readonly webhook: NotifySettings | undefined;
}

export function createNoticeWatch({ services, logger, find, webhook }: WatchOptions): NoticeWatch {
  const { db, clock, newId } = services;
  const serverId = newId();
  const stopping = new AbortController();
  const { signal } = stopping;
  const refusedWrites = createRefusedWrites({ services, logger, webhook, signal });

  async function refresh(): Promise<void> {
    const isWritable = await refusedWrites.look();
    const found = await find();
    if (!isWritable) return;
    const now = clock.now();
    await db.transaction(async (tx) => {
      await refusedWrites.keep(tx);
      await recordNotices(tx, services, serverId, found, now);
      if (!webhook) return;
      const [{ mine } = { mine: false }] = await tx.query<{ mine: boolean }>(
        sql`select pg_try_advisory_xact_lock(${sql.lit(LOCK)}) as mine`,
      );
      if (mine) await createDueMessages(tx, services, await readHeldKinds(tx, now), now);
    });
  }

  const recurrences: PeriodicTask[] = [
    {
      name: 'check notices',
      everyMs: POLL_EVERY_MS,
      run: refresh,
      aside: 'notices could not be checked; retrying',
    },
    { name: 'delete old notices', everyMs: FORGET_EVERY_MS, run: () => deleteOldNotices(db, clock.now()) },
    ...(webhook ? sendingOf({ services, logger, webhook, signal }) : []),
  ];
  return {
    recurrences: recurrences.map(({ run, ...recurrence }) => ({ ...recurrence, run: () => unlessAway(run) })),
    async withTimes(found, withOthers) {
      const held = await readActive(db, clock.now());
      return joined(
        found,
        withOthers ? held : held.filter((row) => found.some((one) => isSame(one, row.found))),
        serverId,
      );
    },
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
        throw new CallError('THROTTLED', {
          message: NOTICE_TEXTS.testTooSoon(TEST_EVERY_SECONDS),
          retryAfterSeconds: TEST_EVERY_SECONDS,
        });
      const answer = await post(webhook, message, { at, signal });
      if (answer.isTaken) await noteAnswered(db, message.id, clock.now());
      return answer;
    },
    stop: () => stopping.abort(),
  };
}

/** While the database is down, a separate notice reports that, and nothing can be stored. */
async function unlessAway(run: PeriodicTask['run']): Promise<boolean | void> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || error.refused) throw error;
  }
}

const isSame = (one: FoundNotice, other: FoundNotice): boolean =>
  one.code === other.code && keyOf(one) === keyOf(other);

function joined(
  found: readonly FoundNotice[],
  held: Awaited<ReturnType<typeof readActive>>,
  serverId: string,
): FoundNotice[] {
  const sinceOf = (notice: FoundNotice): Pick<FoundNotice, 'since'> => {
    const row = held.find((stored) => isSame(stored.found, notice));
    return row ? { since: row.since.toISOString() } : {};
  };
  // Every server finds network notices itself.
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

interface SendOptions {
  readonly services: Pick<Services, 'db' | 'clock'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly webhook: NotifySettings;
  readonly signal: AbortSignal;
}

function sendingOf(options: SendOptions): PeriodicTask[] {
  const { db, clock } = options.services;
  return [
    {
      name: 'send notices',
      everyMs: SEND_EVERY_MS,
      run: () => sendNext(options),
      aside: 'notices could not be sent; retrying',
    },
    { name: 'delete sent notices', everyMs: FORGET_EVERY_MS, run: () => forgetMessages(db, clock.now()) },
  ];
}

/** Returns true if more can be sent now. After failure, others wait. */
async function sendNext({ services: { db, clock }, logger, webhook, signal }: SendOptions): Promise<boolean> {
  const message = await leaseMessage(db, clock.now());
  if (!message) return false;
  const answer = await post(webhook, message, { at: clock.now(), signal });
  if (answer.isTaken) {
    await noteAnswered(db, message.id, clock.now());
    return true;
  }
  if (signal.aborted) return false;
  const { code, type, tries } = message;
  const isGivenUp = await reportNoAnswer(db, message);
  logger.warn({ to: webhook.host, code, type, tries, isGivenUp }, `a notice was not sent: ${answer.says}`);
  return false;
}

const CODE = 'DATABASE_REFUSES_WRITES';

/** A database that refuses writes stores no notice, so each server keeps and sends it from memory. */
interface RefusedWrites {
  /** Sends the webhook if due. Returns true if writes work. */
  look(): Promise<boolean>;
  notices(): readonly FoundNotice[];
  /** Stores messages sent from memory, so their end is sent normally. */
  keep(tx: Tx): Promise<void>;
}

interface RefusedWritesOptions {
  readonly services: Pick<Services, 'db' | 'clock' | 'newId'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly webhook: NotifySettings | undefined;
  readonly signal: AbortSignal;
}

function createRefusedWrites(options: RefusedWritesOptions): RefusedWrites {
  const { services, logger, webhook, signal } = options;
  const { db, clock, newId } = services;
  const isDue = atMostEvery(BEGAN_EVERY_MS, () => clock.now().getTime());
  let since: Date | undefined;
  let pending: (WebhookMessage & { readonly at: Date; isTaken: boolean }) | undefined;

  async function notify(to: NotifySettings, from: Date): Promise<void> {
    const at = clock.now();
    if (!pending && isDue())
      pending = { id: newId(), body: noticeBody({ code: CODE, since: from }, at), at, isTaken: false };
    if (!pending || pending.isTaken) return;
    const answer = await post(to, pending, { at, signal });
    pending.isTaken = answer.isTaken;
    if (!answer.isTaken && !signal.aborted)
      logger.warn({ to: to.host, code: CODE, type: 'began' }, `a notice was not sent: ${answer.says}`);
  }

  return {
    async look() {
      if (await db.takesWrites()) {
        since = undefined;
        return true;
      }
      since ??= clock.now();
      if (webhook) await notify(webhook, since);
      return false;
    },
    notices: () => (since ? [{ code: CODE, since: since.toISOString(), detail: NOTICE_DETAILS.nobodyBets }] : []),
    async keep(tx) {
      if (!pending) return;
      const { id, body, at, isTaken } = pending;
      await addMessage(tx, { id, type: 'began', code: CODE, body }, at, true);
      if (isTaken) await noteAnswered(tx, id, clock.now());
      tx.onCommit(() => void (pending = undefined));
    },
  };
}

/** A clock step back counts as elapsed. */
function atMostEvery(everyMs: number, nowMs: () => number): () => boolean {
  let lastMs: number | undefined;
  return () => {
    const now = nowMs();
    if (lastMs !== undefined && now >= lastMs && now - lastMs < everyMs) return false;
    lastMs = now;
    return true;
  };
}
