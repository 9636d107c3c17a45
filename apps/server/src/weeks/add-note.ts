import type { addWeekNote } from '@drawhouse/contract/weeks/close-weeks';
import type { RouteParsed } from '@drawhouse/contract/core/route';
import { changeOf } from '../activity/append-activity.ts';
import { runCommand } from '../activity/run-command.ts';
import { notInSubtree, type Actor } from '../accounts/authority.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { inSubtree } from '../platform/db/visibility-predicate.ts';
import type { Call } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { isDisputed, readPairRecords } from './pair-records.sql.ts';
import type { Pair } from './pairs.sql.ts';
import { weekOf, type AccountWeek, type WeekCalendar } from './read-week.ts';
import { WEEK_SUBJECTS, WEEK_TEXTS } from './weeks-texts.ts';

type NoteOrder = RouteParsed<typeof addWeekNote>['body'];

/** The week is the caller's or of an account below it. A dispute stays open until either side answers. */
export async function addNote(
  services: Services,
  call: Call<Actor>,
  firstWeekday: WeekCalendar['firstWeekday'],
  { accountId, day, kind, about, note }: NoteOrder,
): Promise<{ noteId: string }> {
  const { actor } = call;
  return runCommand(services, call, async (tx, at) => {
    const [pair] = await tx.query<Omit<Pair, 'parentId'> & { parentId: string | null }>(
      sql`select a.id, a.username, a.role, a.chain, a.network_id as "networkId", a.parent_id as "parentId" from accounts a
        where a.id = ${accountId ?? actor.id} and ${inSubtree('a', actor)} for no key update`,
    );
    if (!pair) throw notInSubtree('accountId');
    const { parentId, networkId, username, chain, role } = pair;
    if (kind === 'reminder' && pair.id === actor.id)
      throw new CallError('NOT_ALLOWED', { message: WEEK_TEXTS.remindsBelow });
    if (parentId === null) throw new CallError('NOT_ALLOWED', { message: WEEK_TEXTS.noSheet });
    const week = weekOf({ at, timeZone: services.timeZone, firstWeekday }, day);
    const siblings = { networkId, above: chain.slice(0, -1), ids: [pair.id], role };
    const { notes } = (await readPairRecords(tx, siblings, services.timeZone)).get(pair.id)!;
    const ofWeek = notes.filter((each) => each.from === week.from);
    if (kind === 'answer' && !isDisputed(ofWeek))
      throw new CallError('RULE_REFUSED', { message: WEEK_TEXTS.noDispute });
    const noteId = services.newId();
    await tx.query(
      sql`insert into week_notes (network_id, id, at, account_id, parent_id, actor_id, from_day, kind, about, note)
        values (${networkId}, ${noteId}, ${at}, ${pair.id}, ${parentId}, ${actor.id}, ${week.from}, ${kind}, ${about ?? ''}, ${note})`,
    );
    return {
      result: { noteId },
      subject: WEEK_SUBJECTS.noted[kind](username, week.from),
      detail: { noteId, accountId: pair.id, parentId, from: week.from, kind, about },
      changes: changeOf('Note', null, note),
    };
  });
}

export function requireUndisputed({ username }: Pair, open: readonly AccountWeek[], nth: number): void {
  if (!open.some(({ notes }) => isDisputed(notes))) return;
  const text = WEEK_TEXTS.disputed(username);
  throw new CallError('RULE_REFUSED', { message: text, fields: { [`lines.${nth}.accountId`]: text } });
}
