import { NOTICES } from '@drawhouse/contract/notices/notices';
import type { Database } from '../db/database.ts';
import { readHeld } from '../notices/held-notices.sql.ts';
import { readSilence } from '../notices/notice-messages.sql.ts';
import { ok, warning } from './findings.ts';
import type { Finding } from './findings.ts';

/** What servers have found within the last minute, by the titles of the notices; and whether the webhook is answered, where there is one. */
export async function checkNotices(db: Database, now: Date, hasWebhook: boolean): Promise<Finding[]> {
  const { WEBHOOK_UNANSWERED: unanswered } = NOTICES;
  const isSilent = hasWebhook && (await readSilence(db)) !== undefined;
  const titles = new Set((await readHeld(db, now)).map(({ found }) => titleOf(found.code)));
  if (isSilent) titles.delete(unanswered.title);
  return [
    ...(isSilent ? [warning('notices', `${unanswered.title}.`, unanswered.text)] : []),
    titles.size === 0
      ? ok('notices', 'Within the last minute no server has told of anything.')
      : warning(
          'notices',
          `Told at this time: ${[...titles].join('; ')}.`,
          'The dashboard of the superadmin says of each since when, and what to do; so does docs/manual/notices.md.',
        ),
  ];
}

/** A server of another version may tell of what this one does not know. */
function titleOf(code: string): string {
  return (NOTICES as Readonly<Partial<Record<string, { readonly title: string }>>>)[code]?.title ?? code;
}
