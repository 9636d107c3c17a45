import type { Logger } from 'pino';
import type { NotifySettings } from '../notify-settings.ts';
import type { Recurrence } from '../recurring.ts';
import type { Services } from '../services.ts';
import { forgetMessages, noteAnswered, noteUnanswered, takeMessage } from './notice-messages.sql.ts';
import { post } from './webhook.ts';

const SEND_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 3_600_000;

/** What sends: where to, and until when. */
export interface SendOptions {
  readonly services: Pick<Services, 'db' | 'clock'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly webhook: NotifySettings;
  readonly signal: AbortSignal;
}

/** What sends the messages that wait, again and again, and forgets those of long ago. */
export function sendingOf(options: SendOptions): Recurrence[] {
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
