import { dayWords } from '@drawhouse/rules/time/zone-days';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { networkOrColumnSql, singleNetwork } from '../platform/db/cross-network-sql.ts';
import { CLEARING_MODELS, type ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';
import { ACTIVITY_TEXTS } from './activity-texts.ts';

interface NoteScope {
  readonly networkIds: readonly number[];
  readonly models: readonly ClearingModel[];
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  readonly timeZone: string;
}

export async function clearedNote(on: Queryable, scope: NoteScope): Promise<string | null> {
  const { networkIds, from = null, until = null } = scope;
  const [row] = await on.query<{
    models: ClearingModel[] | null;
    first: Date;
    last: Date;
  }>(sql`select array_agg(distinct model) as models, min(starts_at) as first, max(ends_at) - interval '1 millisecond' as last
        from unnest(${networkIds}::int[]) as n (id)
        join clearings c on c.network_id = ${networkOrColumnSql(singleNetwork(networkIds), 'n.id')}
        where c.model = any(${scope.models}) and c.removed > 0
          and c.starts_at < coalesce(${until}::timestamptz, 'infinity') and c.ends_at > coalesce(${from}::timestamptz, '-infinity')`);
  const { models, first, last } = row!;
  if (!models) return null;
  const modelNames = scope.models
    .filter((model) => models.includes(model))
    .map((model) => CLEARING_MODELS[model].title);
  const days = [first, last].map((at) => dayWords(at, scope.timeZone));
  return ACTIVITY_TEXTS.cleared(
    modelNames.join(', '),
    days[0] === days[1] ? `of ${days[0]}` : `from ${days.join(' to ')}`,
  );
}
