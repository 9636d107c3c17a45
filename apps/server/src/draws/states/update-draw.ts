import type { Result } from '@drawhouse/rules/games/rules';
import type { Tx } from '../../platform/db/database.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { panelChanged, requirePair, type PairChoice } from '../../games/pairs/pairs.ts';
import type { Services, PanelKey } from '../../platform/services.ts';
import type { Actor } from '../../accounts/authority.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { lockDraw, runningDraw, type DrawnRow, type DrawRow } from '../draws.sql.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { DRAW_TEXTS } from '../draws-texts.ts';

type WithEvents = Pick<Services, 'events'>;

/** The draw must be locked. Returns the time its result was saved. */
async function updateDraw(services: WithEvents, tx: Tx, draw: DrawRow, set: Sql): Promise<Date | null> {
  const [updated] = await tx.query<{ saved_at: Date | null }>(
    sql`update draws set ${set} where network_id = ${draw.network_id} and id = ${draw.id} returning saved_at`,
  );
  panelChanged(services, tx, draw);
  return updated!.saved_at;
}

type Closed = Pick<DrawRow, 'ticket_root' | 'ticket_count' | 'closed_at'>;

export async function storeClose(services: WithEvents, tx: Tx, draw: DrawRow, closed: Closed): Promise<DrawRow> {
  const { ticket_root: root, ticket_count: count, closed_at: at } = closed;
  const set = sql`status = 'closed', ticket_root = ${count === 0 ? null : root}, ticket_count = ${count}, closed_at = ${at}`;
  await updateDraw(services, tx, draw, set);
  return { ...draw, ...closed, draw_status: 'closed' };
}

export async function storeResult(
  services: WithEvents,
  tx: Tx,
  draw: DrawRow,
  {
    result,
    booster,
    source,
    label = rulesOf(draw).resultLabel(result),
  }: { result: Result; booster: number; source: DrawRow['source']; label?: string },
): Promise<DrawnRow> {
  const set = sql`status = 'drawn', result = ${JSON.stringify(result)}, result_label = ${label}, booster = ${booster}, source = ${source}`;
  await updateDraw(services, tx, draw, set);
  return { ...draw, draw_status: 'drawn', result, result_label: label, booster, source };
}

/** Publishes the seed. A null time means `settling`. */
export async function storeSettling(
  services: WithEvents,
  tx: Tx,
  draw: DrawRow,
  seed: Buffer,
  settledAt: Date | null,
): Promise<void> {
  await updateDraw(
    services,
    tx,
    draw,
    sql`status = ${settledAt ? 'settled' : 'settling'}, seed = ${seed}, sealed_seed = null, finished_at = ${settledAt},
     cover = case source when 'declared' then cover end`,
  );
}

export async function storeSettled(services: WithEvents, tx: Tx, draw: DrawRow, settledAt: Date): Promise<void> {
  await updateDraw(services, tx, draw, sql`status = 'settled', finished_at = ${settledAt}`);
}

/** Never earlier than the close, since server clocks differ. Without a seed, the sealed one stays. */
export async function storeVoid(
  services: WithEvents,
  tx: Tx,
  draw: DrawRow,
  voided: { seed: Buffer | undefined; at: Date; cause: NonNullable<DrawRow['void_cause']> },
): Promise<void> {
  const seed = voided.seed ?? null;
  await updateDraw(
    services,
    tx,
    draw,
    sql`status = 'void', seed = ${seed}, sealed_seed = case when ${seed}::bytea is null then sealed_seed end,
     finished_at = greatest(${voided.at}, closed_at), void_cause = ${voided.cause}, cover = null, result = null,
       result_label = null, booster = null, source = null`,
  );
}

export async function storeCorrected(
  services: WithEvents,
  tx: Tx,
  draw: DrawnRow,
  { result, label }: { result: Result; label: string },
): Promise<DrawnRow> {
  await updateDraw(services, tx, draw, sql`result = ${JSON.stringify(result)}, result_label = ${label}`);
  return { ...draw, result, result_label: label };
}

interface SavedBy {
  readonly by: { readonly id: string };
  readonly ip: string | null;
}

export async function storeConfirmation(
  services: WithEvents,
  tx: Tx,
  draw: DrawRow,
  { by, ip }: SavedBy,
): Promise<Date> {
  return (await updateDraw(services, tx, draw, sql`confirmed_by = ${by.id}, confirmed_ip = ${ip}`))!;
}

export async function storeSaved(
  services: WithEvents,
  tx: Tx,
  draw: DrawRow,
  { result, booster, cover, at, by, ip }: SavedBy & { result: Result; booster: number; cover: bigint | null; at: Date },
): Promise<Date> {
  // Never earlier than the close or the replaced save: server clocks differ.
  const savedAt = await updateDraw(
    services,
    tx,
    draw,
    sql`saved_result = ${JSON.stringify(result)}, saved_booster = ${booster}, saved_by = ${by.id}, saved_ip = ${ip},
     confirmed_by = null, confirmed_ip = null, cover = nullif(${cover}::bigint, 0),
     saved_at = greatest(${at}, closed_at, saved_at + interval '1 millisecond')`,
  );
  return savedAt!;
}

/** With `drawId`, only if it is still the running draw. */
export interface DrawChoice extends PairChoice {
  readonly drawId?: string;
}

/**
 * The draw needs no result yet and a future draw time. Refuses a concurrent second ender: the first leaves the draw
 * settled or void.
 */
export async function lockRunning(services: Services, tx: Tx, actor: Actor, choice: DrawChoice): Promise<DrawRow> {
  const pair = await requirePair(tx, actor, choice);
  const running = await runningDraw(tx, pair, services.clock.now());
  if (!(await enterDrawGate(tx, { networkId: pair.network_id, gameKey: pair.game_key }, 'close')))
    throw new CallError('NETWORK_RESTORING');
  if (!running) throw new CallError('DRAW_STATE', { message: DRAW_TEXTS.noneRunning });
  const draw = await lockDraw(tx, running);
  if ((choice.drawId !== undefined && choice.drawId !== draw.id) || draw.draws_at <= services.clock.now())
    throw new CallError('DRAW_STATE', { message: DRAW_TEXTS.isOver });
  if (draw.draw_status !== 'open' && draw.draw_status !== 'closed')
    throw new CallError('DRAW_STATE', { message: DRAW_TEXTS.inStatus(draw.number, draw.draw_status) });
  return draw;
}

const LOCKS = { bet: 'pg_advisory_xact_lock_shared', close: 'pg_advisory_xact_lock' } as const;

/**
 * Held until the transaction ends: shared for bets, exclusive for closing, in arrival order. A row lock would not do:
 * PostgreSQL grants shared locks past a waiting closer, so steady bets could delay closing forever. Returns true if the
 * books are open; they then stay open.
 */
export async function enterDrawGate(tx: Tx, { networkId, gameKey }: PanelKey, to: 'bet' | 'close'): Promise<boolean> {
  const [gate] = await tx.query<{ open: boolean }>(
    sql`select ${sql.raw(LOCKS[to])}(hashtextextended(${`draws ${networkId} ${gameKey}`}, 0)), enter_books(${networkId}) as open`.named(
      `draw-gate-${to}`,
    ),
  );
  return gate!.open;
}
