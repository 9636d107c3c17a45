import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Logger } from 'pino';
import type { NotifySettings } from '../notify-settings.ts';
import type { Recurrence } from '../recurring.ts';
import type { Services } from '../services.ts';
import { aboutOf, holdNotices, readHeld, readHeldKinds } from './held-notices.sql.ts';
import {
  addTest,
  forgetMessages,
  noteAnswered,
  noteUnanswered,
  readSilence,
  takeMessage,
} from './notice-messages.sql.ts';
import { tellKinds } from './tell-kinds.ts';
import { testBody } from './webhook-messages.ts';
import { post } from './webhook.ts';
import type { WebhookAnswer } from './webhook.ts';

const LOOK_EVERY_MS = 15_000;
const SEND_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 3_600_000;
/** Held while messages are made: one server does it. */
const LOCK = 3_407_519;

/** What holds on any server, kept in the database, and told by the webhook where there is one. */
export interface NoticeWatch {
  /** What is done again and again. */
  readonly recurrences: readonly Recurrence[];
  /** These notices with since when each holds, and what other servers have found. */
  withOthers(found: readonly FoundNotice[]): Promise<FoundNotice[]>;
  /** That the webhook is not answered, where it is not. */
  notices(): Promise<FoundNotice[]>;
  /** The host that is sent to; undefined where there is none. */
  readonly host: string | undefined;
  /** Sends a test; undefined where there is no webhook. */
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

  async function look(): Promise<void> {
    const found = await find();
    const now = clock.now();
    await db.transaction(async (tx) => {
      await holdNotices(tx, serverId, found, now);
      if (!webhook) return;
      const [{ mine } = { mine: false }] = await tx.query<{ mine: boolean }>(
        `select pg_try_advisory_xact_lock(${LOCK}) as mine`,
      );
      if (mine) await tellKinds(tx, services, await readHeldKinds(tx, now), now);
    });
  }

  /** Tries one message. Gives whether others may be tried at once: where nobody answers, they wait. */
  async function sendNext(to: NotifySettings): Promise<boolean> {
    const message = await takeMessage(db, clock.now());
    if (!message) return false;
    const answer = await post(to, message, { at: clock.now(), signal });
    if (answer.isTaken) {
      await noteAnswered(db, message.id, clock.now());
      return true;
    }
    if (signal.aborted) return false;
    const { code, type, tries } = message;
    const isGivenUp = await noteUnanswered(db, message);
    logger.warn({ to: to.host, code, type, tries, isGivenUp }, `a notice was not sent: ${answer.says}`);
    return false;
  }

  const sending: Recurrence[] = webhook
    ? [
        {
          name: 'send notices',
          everyMs: SEND_EVERY_MS,
          run: () => sendNext(webhook),
          aside: 'notices could not be sent; they are tried again',
        },
        { name: 'forget what was sent', everyMs: FORGET_EVERY_MS, run: () => forgetMessages(db, clock.now()) },
      ]
    : [];
  return {
    recurrences: [
      {
        name: 'look what is to be noticed',
        everyMs: LOOK_EVERY_MS,
        run: look,
        aside: 'what is to be noticed could not be looked at; it is again',
      },
      ...sending,
    ],
    async withOthers(found) {
      const held = await readHeld(db, clock.now());
      const sinceOf = ({ code, ...notice }: FoundNotice): Pick<FoundNotice, 'since'> => {
        const row = held.find(
          ({ found: known }) => known.code === code && aboutOf(known) === aboutOf({ code, ...notice }),
        );
        return row ? { since: row.since.toISOString() } : {};
      };
      const isKnown = (other: FoundNotice): boolean =>
        found.some((own) => own.code === other.code && aboutOf(own) === aboutOf(other));
      // Of networks each server finds for itself what their admins are to know.
      const others = held.filter(
        (row) => row.serverId !== serverId && row.found.admin === undefined && !isKnown(row.found),
      );
      return [
        ...found.map((notice) => ({ ...sinceOf(notice), ...notice })),
        ...others.map((row) => ({ since: row.since.toISOString(), ...row.found })),
      ];
    },
    async notices() {
      const silence = webhook && (await readSilence(db));
      return silence ? [{ code: 'WEBHOOK_UNANSWERED', last: silence.lastAnsweredAt?.toISOString() ?? null }] : [];
    },
    host: webhook?.host,
    async test() {
      if (!webhook) return undefined;
      const at = clock.now();
      const message = { id: newId(), body: testBody(at) };
      const answer = await post(webhook, message, { at, signal });
      await addTest(db, message, at);
      if (answer.isTaken) await noteAnswered(db, message.id, clock.now());
      return answer;
    },
    stop: () => stopping.abort(),
  };
}
