import type { Result } from '@drawhouse/rules/games/rules';
import type { Tx } from '../../platform/db/database.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { panelChanged, requirePair } from '../../games/pairs/pairs.ts';
import type { Services, PanelKey } from '../../platform/services.ts';
import type { DrawnRow, DrawRow } from '../draws.sql.ts';
import type { Actor } from '../../accounts/authority.ts';
import type { PairChoice } from '../../games/pairs/pairs.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { lockDraw, runningDraw } from '../draws.sql.ts';

type WithEvents = Pick<Services, 'events'>;

/** Updates a locked draw; first value is $3. Notifies panels after commit. Returns the time its result was saved. */
async function updateDraw(
  services: WithEvents,
  tx: Tx,
  draw: DrawRow,
  set: string,
  values: readonly unknown[],
): Promise<Date | null> {
  const [updated] = await tx.query<{ saved_at: Date | null }>(
    `update draws set ${set} where network_id = $1 and id = $2 returning saved_at`,
    [draw.network_id, draw.id, ...values],
  );
  panelChanged(services, tx, draw);
  return updated!.saved_at;
}

type Closed = Pick<DrawRow, 'ticket_root' | 'ticket_count' | 'closed_at'>;

export async function storeClose(services: WithEvents, tx: Tx, draw: DrawRow, closed: Closed): Promise<DrawRow> {
  const { ticket_root: root, ticket_count: count, closed_at: at } = closed;
  await updateDraw(services, tx, draw, `status = 'closed', ticket_root = $3, ticket_count = $4, closed_at = $5`, [
    count === 0 ? null : root,
    count,
    at,
  ]);
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
  await updateDraw(services, tx, draw, `status = 'drawn', result = $3, result_label = $4, booster = $5, source = $6`, [
    JSON.stringify(result),
    label,
    booster,
    source,
  ]);
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
    `status = $5, seed = $3, sealed_seed = null, finished_at = $4, cover = case source when 'declared' then cover end`,
    [seed, settledAt, settledAt ? 'settled' : 'settling'],
  );
}

export async function storeSettled(services: WithEvents, tx: Tx, draw: DrawRow, settledAt: Date): Promise<void> {
  await updateDraw(services, tx, draw, `status = 'settled', finished_at = $3`, [settledAt]);
}

/**
 * Voids a closed draw, never earlier than its close, since server clocks differ. Without a seed, the sealed one stays.
 */
export async function storeVoid(
  services: WithEvents,
  tx: Tx,
  draw: DrawRow,
  voided: { seed: Buffer | undefined; at: Date; cause: NonNullable<DrawRow['void_cause']> },
): Promise<void> {
  await updateDraw(
    services,
    tx,
    draw,
    `status = 'void', seed = $3, sealed_seed = case when $3::bytea is null then sealed_seed end, finished_at = greatest($4, closed_at),
     void_cause = $5, cover = null, result = null, result_label = null, booster = null, source = null`,
    [voided.seed ?? null, voided.at, voided.cause],
  );
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
  return (await updateDraw(services, tx, draw, 'confirmed_by = $3, confirmed_ip = $4', [by.id, ip]))!;
}

/** Stores the result that stands at draw time, replacing any other. Returns the save time. */
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
    `saved_result = $3, saved_booster = $4, saved_by = $5, saved_ip = $7, confirmed_by = null, confirmed_ip = null, cover = nullif($8::bigint, 0),
     saved_at = greatest($6, closed_at, saved_at + interval '1 millisecond')`,
    [JSON.stringify(result), booster, by.id, at, ip, cover],
  );
  return savedAt!;
}

/** Running draw of a game and admin. With `drawId`, only if it is still that draw. */
export interface DrawChoice extends PairChoice {
  readonly drawId?: string;
}

/**
 * Locks the running draw, which needs no result yet and a future draw time. A concurrent second ender is refused: the
 * first transaction leaves the draw settled or void.
 */
export async function lockRunning(services: Services, tx: Tx, actor: Actor, choice: DrawChoice): Promise<DrawRow> {
  const pair = await requirePair(tx, actor, choice);
  const running = await runningDraw(tx, pair, services.clock.now());
  if (!(await enterDrawGate(tx, { networkId: pair.network_id, gameKey: pair.game_key }, 'close')))
    throw new CallError('NETWORK_RESTORING');
  if (!running) throw new CallError('DRAW_STATE', { message: 'No draw of this game is running.' });
  const draw = await lockDraw(tx, running);
  if ((choice.drawId !== undefined && choice.drawId !== draw.id) || draw.draws_at <= services.clock.now())
    throw new CallError('DRAW_STATE', { message: 'That draw is over. The next one is open.' });
  if (draw.draw_status !== 'open' && draw.draw_status !== 'closed')
    throw new CallError('DRAW_STATE', { message: `Draw ${draw.number} is ${draw.draw_status}.` });
  return draw;
}

const LOCKS = { bet: 'pg_advisory_xact_lock_shared', close: 'pg_advisory_xact_lock' } as const;

/**
 * Enters the draw gate of a game until the transaction ends: shared for bets, exclusive for closing, in arrival order.
 * A row lock would not do: PostgreSQL grants shared locks past a waiting closer, so steady bets could delay closing
 * forever. Returns true if the books are open; they then stay open.
 */
export async function enterDrawGate(tx: Tx, { networkId, gameKey }: PanelKey, to: 'bet' | 'close'): Promise<boolean> {
  const [gate] = await tx.query<{ open: boolean }>(
    `select ${LOCKS[to]}(hashtextextended($1, 0)), enter_books($2) as open`,
    [`draws ${networkId} ${gameKey}`, networkId],
    `draw-gate-${to}`,
  );
  return gate!.open;
}
