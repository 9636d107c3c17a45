import { percentHundredthsOf, percentOf } from '@drawhouse/contract/core/primitives';
import type { WeekTermsPart } from '@drawhouse/contract/weeks/week-terms';
import { addDays } from '@drawhouse/rules/time/zone-days';
import type { WeekTerms } from '@drawhouse/rules/records/week-balance';
import type { Actor } from '../accounts/authority.ts';
import { changeOf } from '../activity/append-activity.ts';
import { runCommand, type LoggedPart } from '../activity/run-command.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Call } from '../platform/http/handler.ts';
import type { Services } from '../platform/services.ts';
import { readPairRecords, termsOn } from './pair-records.sql.ts';
import { requirePairs } from './pairs.sql.ts';
import { weekOf, type WeekCalendar } from './read-week.ts';
import { WEEK_SUBJECTS } from './weeks-texts.ts';

/** Returns the first day of each account's new terms, in order. Equal terms change nothing. */
export async function setTerms(
  services: Services,
  call: Call<Actor>,
  firstWeekday: WeekCalendar['firstWeekday'],
  { accounts, share, commission }: WeekTermsPart & { readonly accounts: readonly string[] },
): Promise<{ results: { accountId: string; from: string }[] }> {
  const { timeZone } = services;
  const terms: WeekTerms = {
    share: share === null ? null : percentHundredthsOf(share),
    commissionWithWeek: commission === 'week',
  };
  return runCommand(services, call, async (tx, at) => {
    const pairs = await requirePairs(tx, call.actor, accounts, (nth) => `accounts.${nth}`);
    const week = weekOf({ at, timeZone, firstWeekday }, undefined);
    const results: { accountId: string; from: string }[] = [];
    const more: LoggedPart[] = [];
    for (const { id, networkId, parentId, chain, role, username } of pairs) {
      const siblings = { networkId, above: chain.slice(0, -1), ids: [id], role };
      const records = (await readPairRecords(tx, siblings, timeZone)).get(id)!;
      // A week under way keeps its terms, unless it has none. A closed week has them for good.
      const closed = records.closings.at(-1)?.to ?? '';
      const from = records.terms.length === 0 && closed < week.from ? week.from : addDays(week.to, 1);
      const before = termsOn(records, from);
      const had = records.terms.some((each) => each.from <= from);
      results.push({ accountId: id, from });
      if (had && before.share === terms.share && before.commissionWithWeek === terms.commissionWithWeek) continue;
      await tx.query(
        sql`insert into week_terms (network_id, id, at, account_id, parent_id, actor_id, from_day, share, commission_with_week)
          values (${networkId}, ${services.newId()}, ${at}, ${id}, ${parentId}, ${call.actor.id}, ${from}, ${terms.share},
            ${terms.commissionWithWeek})`,
      );
      more.push({
        subject: WEEK_SUBJECTS.terms(username, from),
        detail: { accountId: id, parentId, from, share, commission },
        changes: changeOf(WEEK_SUBJECTS.termsOf(username), had ? wordsOf(before) : null, wordsOf(terms)),
      });
    }
    return { result: { results }, subject: null, more };
  });
}

function wordsOf({ share, commissionWithWeek }: WeekTerms): string {
  return WEEK_SUBJECTS.termsInWords(
    share === null ? WEEK_SUBJECTS.credit : WEEK_SUBJECTS.share(String(percentOf(share))),
    commissionWithWeek ? WEEK_SUBJECTS.withWeek : WEEK_SUBJECTS.atOnce,
  );
}
