import { pointsOf, pointsText, type Hundredths } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK, TRANSFER_KINDS, transferKindOf, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { effectivelyActive, type Actor } from '../accounts/authority.ts';
import { balanceChange, changeOf } from '../activity/append-activity.ts';
import { once } from '../activity/idempotency.ts';
import { runCommand, type LoggedPart } from '../activity/run-command.ts';
import { requirePassword } from '../auth/passwords/confirm-password.ts';
import { wasClearedSince } from '../ledger/wallet-gaps.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import type { Tx } from '../platform/db/database.ts';
import { inSubtreeEver } from '../platform/db/visibility-predicate.ts';
import { inKinds, sql } from '../platform/db/sql/sql.ts';
import type { Call, GuardedAct } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { guardedMoves } from './transfer-credit.ts';
import { postBetween } from './post-between.ts';
import { CREDIT_TEXTS, CREDIT_SUBJECTS } from './credit-texts.ts';

export interface ReversalOrder {
  readonly transferId: string;
  readonly password: string;
  readonly note: string | undefined;
}

interface Side {
  readonly id: string;
  readonly networkId: number;
  readonly username: string;
  readonly chain: string[];
}

interface Original {
  readonly id: string;
  readonly networkId: number;
  readonly direction: 'give' | 'takeBack';
  readonly amount: Hundredths;
  readonly upper: Side;
  readonly lower: Side;
}

export const CREDIT_KINDS = inKinds(TRANSFER_KINDS, 'give', 'takeBack');

/**
 * Works once, even without an Idempotency-Key: a unique index allows one reversal per transfer. Asks for the password.
 */
export async function reverseTransfer(
  services: Services,
  call: Call<Actor>,
  { transferId: originalId, password, note: reason }: ReversalOrder,
): Promise<{ transferId: string }> {
  await requirePassword(services, call, password);
  const { actor } = call;
  return runCommand(services, call, async (tx, at) => {
    let logged: LoggedPart | undefined;
    let guarded: GuardedAct[] = [];
    const { answer } = await once(tx, call, at, ['reverse', originalId, reason ?? null], async () => {
      const original = await requireReversible(tx, actor, originalId);
      const { upper, lower, amount } = original;
      const direction = original.direction === 'give' ? 'takeBack' : 'give';
      await requireActive(tx, actor, lower, direction);
      const note = reason ? `Reversal: ${reason}` : 'Reversal';
      const { lowers } = await postBetween(services, tx, {
        upper,
        lowers: [{ ...lower, amount }],
        direction,
        note,
        actorId: actor.id,
        reference: originalId,
        beforeMove: () => requirePossible(tx, original),
      });
      const { transferId } = lowers[0]!;
      guarded = guardedMoves(actor, [{ target: { id: lower.id, network_id: lower.networkId }, transferId }], amount);
      logged = {
        subject: subjectOf(original),
        detail: {
          transferId,
          targetId: lower.id,
          ofId: upper.id,
          amount: pointsOf(amount),
          direction,
          note,
          reverses: originalId,
        },
        changes: [
          ...balanceChange(
            `Credit of ${lower.username}`,
            await creditOf(tx, lower),
            direction === 'give' ? amount : -amount,
          ),
          ...balanceChange(
            `Credit of ${upper.username}`,
            await creditOf(tx, upper),
            direction === 'give' ? -amount : amount,
          ),
          ...changeOf('Note', null, note),
        ],
      };
      return { transferId };
    });
    return { result: answer, subject: null, ...logged, guarded };
  });
}

function subjectOf({ direction, amount, upper, lower }: Original): string {
  const points = `${pointsText(amount)} points`;
  return direction === 'give'
    ? CREDIT_SUBJECTS.transferReversed(points, upper.username, lower.username)
    : CREDIT_SUBJECTS.takeBackReversed(points, lower.username, upper.username);
}

const creditOf = (tx: Tx, { id, networkId }: Side): Promise<Hundredths> => balanceOf(tx, networkId, `credit:${id}`);

/** Locks both accounts against deletion. */
async function requireReversible(tx: Tx, actor: Actor, id: string): Promise<Original> {
  const one = singleNetworkOf(actor);
  const [found] = await tx.query<{
    networkId: number;
    kind: number;
    amount: bigint;
    reference: string | null;
    lowerId: string;
    upperId: string;
    makerBelow: boolean | null;
    isReversal: boolean;
  }>(sql`select t.network_id as "networkId", t.kind, t.amount, t.reference, lower.id as "lowerId",
      case when o.kind = ${WALLET_KINDS.boundary} then lower.chain[1] else o.owner_id end as "upperId",
      (select maker.chain @> array[${actor.id}]::uuid[] from accounts maker where maker.id = t.actor_id) as "makerBelow",
      exists (select from transfers r where r.network_id = ${networkOrColumnSql(one, 't.network_id')}
        and r.id = t.reference and r.kind in ${CREDIT_KINDS}) as "isReversal"
    from ${one === undefined ? sql`networks n cross join lateral` : sql``} (
      select * from transfers where network_id = ${networkOrColumnSql(one, 'n.id')} and id = ${id} and kind in ${CREDIT_KINDS}
    ) as t
    cross join lateral (select case when t.kind = ${TRANSFER_KINDS.give} then t.to_wallet else t.from_wallet end as lower,
      case when t.kind = ${TRANSFER_KINDS.give} then t.from_wallet else t.to_wallet end as upper) as side
    join wallets w on w.network_id = ${networkOrColumnSql(one, 't.network_id')} and w.id = side.lower and w.kind = ${WALLET_KINDS.credit}
    join wallets o on o.network_id = ${networkOrColumnSql(one, 't.network_id')} and o.id = side.upper
    join accounts lower on lower.id = w.owner_id and ${inSubtreeEver('lower', actor)}`);
  if (found ? await wasReceived(tx, found.reference) : await wasSent(tx, actor, id))
    throw new CallError('RULE_REFUSED', { message: CREDIT_TEXTS.acrossCells });
  if (!found) throw new CallError('NOT_FOUND', { fields: { transferId: CREDIT_TEXTS.notReversible } });
  if (found.makerBelow !== true)
    throw new CallError('NOT_ALLOWED', {
      message: CREDIT_TEXTS.notMaker,
    });
  if (found.isReversal) throw new CallError('RULE_REFUSED', { message: CREDIT_TEXTS.isReversal });
  const sides = await tx.query<Side & { deleted: boolean }>(
    sql`select id, network_id as "networkId", username, chain, deleted_at is not null as deleted from accounts
      where id = any(${[found.lowerId, found.upperId]}::uuid[]) order by id for share`,
  );
  const deleted = sides.find((side) => side.deleted);
  if (deleted) throw new CallError('RULE_REFUSED', { message: CREDIT_TEXTS.deleted(deleted.username) });
  const sideOf = (sideId: string): Side => sides.find((side) => side.id === sideId)!;
  return {
    id,
    networkId: found.networkId,
    direction: transferKindOf(found.kind) === 'give' ? 'give' : 'takeBack',
    amount: found.amount,
    upper: sideOf(found.upperId),
    lower: sideOf(found.lowerId),
  };
}

async function wasReceived(tx: Tx, message: string | null): Promise<boolean> {
  if (message === null) return false;
  return (await tx.query(sql`select from received_credit where id = ${message}`)).length > 0;
}

/** Its counterpart is in another cell. */
async function wasSent(tx: Tx, { id: actorId }: Actor, transferId: string): Promise<boolean> {
  const sent = await tx.query(
    sql`select from transfers t join sent_credit s on s.id = t.reference
      join wallets w on w.network_id = t.network_id and w.id in (t.from_wallet, t.to_wallet) and w.owner_id = ${actorId}
      where t.network_id = ${ROOT_NETWORK} and t.id = ${transferId}`,
  );
  return sent.length > 0;
}

async function requireActive(tx: Tx, actor: Actor, lower: Side, direction: 'give' | 'takeBack'): Promise<void> {
  const active = await effectivelyActive(tx, [actor.id, lower.id]);
  if (!active.has(actor.id)) throw new CallError('SESSION_ENDED');
  if (direction === 'give' && !active.has(lower.id)) throw new CallError('TARGET_INACTIVE');
}

/** The wallet locks serialize concurrent reversals. */
async function requirePossible(tx: Tx, { id, networkId, direction, amount, upper, lower }: Original): Promise<void> {
  const [reversal] = await tx.query(
    sql`select from transfers where network_id = ${networkId} and reference = ${id} and kind in ${CREDIT_KINDS} and network_id <> 0`,
  );
  if (reversal) throw new CallError('ALREADY_REVERSED');
  const side = direction === 'give' ? sql`to` : sql`from`;
  const [own] = await tx.query<{ walletId: number; version: bigint }>(
    sql`select ${side}_wallet as "walletId", ${side}_version as version from transfers
      where network_id = ${networkId} and id = ${id} and kind in ${CREDIT_KINDS}`,
  );
  // The cleared history may contain a reversal.
  if (!own || (await wasClearedSince(tx, { networkId, walletId: own.walletId }, own.version)))
    throw new CallError('RULE_REFUSED', {
      message: CREDIT_TEXTS.historyCleared(lower.username),
    });
  const payer = direction === 'give' ? lower : upper;
  const balance = await creditOf(tx, payer);
  if (balance < amount)
    throw new CallError('INSUFFICIENT_CREDIT', {
      message: CREDIT_TEXTS.tooLittleLeft(payer.username, pointsText(balance), pointsText(amount)),
    });
}
