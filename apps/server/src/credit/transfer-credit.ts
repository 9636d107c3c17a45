import type { Account } from '@drawhouse/contract/accounts/accounts';
import { MAX_HUNDREDTHS, pointsOf, pointsText, type Hundredths, type Role } from '@drawhouse/contract/core/primitives';
import { findAccount } from '../accounts/accounts.sql.ts';
import { effectivelyActive, type Actor } from '../accounts/authority.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { balanceChange, changeOf } from '../activity/append-activity.ts';
import { runCommand, underRules, type LoggedPart } from '../activity/run-command.ts';
import { requirePassword } from '../auth/passwords/confirm-password.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Call, GuardedAct } from '../platform/http/handler.ts';
import { singleNetwork } from '../platform/db/cross-network-sql.ts';
import { once } from '../activity/idempotency.ts';
import { post, type Posting } from '../ledger/post.ts';
import { ISSUANCE, type WalletName } from '../ledger/wallets.ts';
import { inSubtree } from '../platform/db/visibility-predicate.ts';
import { requireWithinDailyLimit, requireWithinLoginLimit } from './daily-limit.ts';
import { postBetween, type Posted } from './post-between.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { CREDIT_TEXTS, CREDIT_SUBJECTS } from './credit-texts.ts';

export interface CreditOrder {
  readonly targetId: string;
  readonly targetRole: Role;
  /** If given, the target must be its direct child. */
  readonly parentId?: string;
  readonly amount: Hundredths;
  readonly direction: 'give' | 'takeBack';
  /** For adjustments: naming oneself issues or retires credit. */
  readonly mayIssue: boolean;
  readonly password: string;
  readonly note: string | undefined;
}

export interface CreditResult {
  /** Null while the credit is on its way to another cell. */
  readonly receiverWallet: number | null;
  readonly senderWallet: number;
  readonly transferId: string;
  readonly data: Account[];
  readonly inTransit?: true;
  readonly message?: string;
}

export interface CreditMove {
  readonly targetId: string;
  readonly amount: Hundredths;
}

interface BulkOrder extends Pick<CreditOrder, 'direction' | 'password' | 'note'> {
  readonly moves: readonly CreditMove[];
}

interface BulkResult {
  readonly moved: number;
  readonly senderWallet: number;
  readonly results: {
    readonly toUserId: string;
    readonly username: string;
    readonly receiverWallet: number;
    readonly transferId: string;
  }[];
}

interface Target {
  id: string;
  network_id: number;
  username: string;
  chain: string[];
}

/**
 * A superadmin naming itself issues or retires credit, the only source. Once per Idempotency-Key. Asks for the
 * password. A repeat may get an answer from before the network came to this cell.
 */
export async function transferCredit<T extends object = CreditResult>(
  services: Services,
  call: Call<Actor>,
  order: CreditOrder,
): Promise<CreditResult | T> {
  await requirePassword(services, call, order.password);
  const { actor } = call;
  const { targetId, targetRole, direction, note } = order;
  return runCommand(services, call, async (tx, at) => {
    const request = ['credit', targetId, targetRole, String(order.amount), direction, note ?? null];
    let moved: MovedWithin | undefined;
    // First: a repeat gets its answer whatever changed since.
    const { answer } = await once<CreditResult | T>(tx, call, at, request, async () => {
      moved = await moveCredit(services, tx, at, actor, order);
      return moved.result;
    });
    return { result: answer, subject: null, more: moved ? [moved.logged] : [], guarded: moved?.guarded };
  });
}

/**
 * All or nothing, once per Idempotency-Key, with one log row per account. Asks for the password once. Errors name the
 * row.
 */
export async function transferToMany(
  services: Services,
  call: Call<Actor>,
  { moves, direction, password, note }: BulkOrder,
): Promise<BulkResult> {
  await requirePassword(services, call, password);
  const { actor } = call;
  return runCommand(services, call, async (tx, at) => {
    const rows = moves.map(({ targetId, amount }) => [targetId, String(amount)]);
    const more: LoggedPart[] = [];
    let guarded: GuardedAct[] = [];
    const { answer } = await once(tx, call, at, ['bulk-credit', rows, direction, note ?? null], async () => {
      const moved = await moveCredits(services, tx, actor, moves, { direction, note, mayIssue: false, isList: true });
      more.push(...moved.map(({ logged }) => logged));
      const total = sumOf(moves);
      const subject = CREDIT_SUBJECTS.many(pointsText(total), moves.length, direction);
      guarded = guardedMoves(actor, moved, total).map((act) => ({ ...act, subject }));
      return {
        moved: pointsOf(total),
        senderWallet: pointsOf(moved.at(-1)!.sender),
        results: moved.map(({ target, receiver, transferId }) => ({
          toUserId: target.id,
          username: target.username,
          receiverWallet: pointsOf(receiver),
          transferId,
        })),
      };
    });
    return { result: answer, subject: null, more, guarded };
  });
}

interface MovedWithin {
  readonly result: CreditResult;
  readonly logged: LoggedPart;
  readonly guarded: readonly GuardedAct[];
}

/** Part of a larger command, which checks the password and logs `logged`. */
export async function moveCredit(
  services: Services,
  tx: Tx,
  at: Date,
  actor: Actor,
  { targetId, amount, ...terms }: Omit<CreditOrder, 'password'>,
): Promise<MovedWithin> {
  const [moved] = await moveCredits(services, tx, actor, [{ targetId, amount }], { ...terms, isList: false });
  const { transferId, receiver, sender, logged } = moved!;
  return {
    result: {
      receiverWallet: pointsOf(receiver),
      senderWallet: pointsOf(sender),
      transferId,
      data: [(await findAccount(tx, actor, at, { id: targetId }))!],
    },
    logged,
    guarded: guardedMoves(actor, [moved!], amount),
  };
}

/**
 * Credit issued, given or taken back. The root's rule also applies to transfers by superadmins. Admins do not approve
 * those.
 */
export function guardedMoves(
  actor: Pick<Actor, 'id' | 'networkId'>,
  moved: readonly { readonly target: Pick<Target, 'id' | 'network_id'>; readonly transferId: string }[],
  amount: Hundredths,
): GuardedAct[] {
  const moves = moved.map(({ target, transferId }) => ({
    networkId: target.network_id,
    wallet: `credit:${target.id}` as const,
    transferId,
  }));
  if (moved[0]!.target.id === actor.id) return [{ kind: 'issue', networkId: ROOT_NETWORK, amount, moves }];
  const ruledBy = [...new Set(moved.map(({ target }) => target.network_id))];
  const one = singleNetwork(ruledBy);
  if (one !== undefined) return underRules(actor, { kind: 'credit', networkId: one, amount, moves });
  return [{ kind: 'credit', networkId: ROOT_NETWORK, ruledBy: [ROOT_NETWORK, ...ruledBy], amount, moves }];
}

interface CreditTerms extends Pick<CreditOrder, 'direction' | 'mayIssue' | 'note'> {
  readonly targetRole?: Role;
  readonly parentId?: string;
  readonly isList: boolean;
}

/** Balances right after this move. */
interface MovedCredit {
  readonly target: Target;
  readonly receiver: Hundredths;
  readonly sender: Hundredths;
  readonly transferId: string;
  readonly logged: LoggedPart;
}

/** Part of a larger command, which logs each `logged`. All or none, returned in the order of `moves`. */
export async function moveCredits(
  services: Services,
  tx: Tx,
  actor: Actor,
  moves: readonly CreditMove[],
  terms: CreditTerms,
): Promise<MovedCredit[]> {
  const { direction, note } = terms;
  if (direction === 'takeBack' && !actor.permissions.includes('adjustments')) throw new CallError('NO_PERMISSION');
  const targets = await requireTargets(tx, actor, moves, terms);
  const active = await effectivelyActive(tx, [actor.id, ...targets.map(({ id }) => id)]);
  // Possibly deactivated during password hashing.
  if (!active.has(actor.id)) throw new CallError('SESSION_ENDED');
  const inactive = direction === 'give' ? targets.findIndex(({ id }) => !active.has(id)) : -1;
  if (inactive >= 0)
    throw new CallError(
      'TARGET_INACTIVE',
      ofRow(terms, inactive, 'toUserId', CREDIT_TEXTS.inactive(targets[inactive]!.username)),
    );
  const orders = moves.map((move, nth) => ({ target: targets[nth]!, amount: move.amount }));
  const posted = await postOrders(services, tx, actor, orders, terms);
  let sender = posted.upper;
  const moved: MovedCredit[] = [];
  for (const [nth, { target, amount }] of [...orders.entries()].toReversed()) {
    const { transferId, balance: receiver } = posted.lowers[nth]!;
    const given = direction === 'give' ? amount : -amount;
    moved.unshift({
      target,
      receiver,
      sender,
      transferId,
      logged: {
        subject: subjectOf(actor, target, { amount, direction }),
        detail: { transferId, targetId: target.id, amount: pointsOf(amount), direction, note },
        changes: [
          ...balanceChange(`Credit of ${target.username}`, receiver, given),
          ...(target.id === actor.id ? [] : balanceChange(`Credit of ${actor.username}`, sender, -given)),
          ...changeOf('Note', null, note || null),
        ],
      },
    });
    sender += given;
  }
  return moved;
}

function ofRow({ isList }: Pick<CreditTerms, 'isList'>, nth: number, field: string, text: string) {
  return isList ? { fields: { [`transfers.${nth}.${field}`]: text } } : undefined;
}

function subjectOf(
  actor: Actor,
  target: Target,
  { amount, direction }: Pick<CreditOrder, 'amount' | 'direction'>,
): string {
  const points = pointsText(amount);
  if (target.id === actor.id) return `${direction === 'give' ? 'Issued' : 'Retired'} ${points} points`;
  return direction === 'give'
    ? CREDIT_SUBJECTS.gave(points, target.username)
    : CREDIT_SUBJECTS.tookBack(points, target.username);
}

/** Locks in account order. Returns them in the order of `moves`. */
async function requireTargets(
  tx: Tx,
  actor: Actor,
  moves: readonly CreditMove[],
  { targetRole, parentId, mayIssue, ...terms }: CreditTerms,
): Promise<Target[]> {
  const ids = moves.map(({ targetId }) => targetId);
  const found = await tx.query<Target>(
    sql`select a.id, a.network_id, a.username, a.chain from accounts a
      where a.id = any(${ids}::uuid[]) and (${targetRole ?? null}::text is null or a.role = ${targetRole ?? null})
      and (${parentId ?? null}::uuid is null or a.parent_id = ${parentId ?? null}) and ${inSubtree('a', actor)}
      order by a.id for share`,
  );
  const byId = new Map(found.map((target) => [target.id, target]));
  return ids.map((id, nth) => {
    const target = byId.get(id);
    const below = CREDIT_TEXTS.notBelowOf(targetRole ? `a ${targetRole}` : 'an account');
    if (!target)
      throw new CallError('NOT_FOUND', ofRow(terms, nth, 'toUserId', below) ?? { fields: { toUserId: below } });
    if (target.id === actor.id && !(mayIssue && actor.role === 'superadmin'))
      throw new CallError('NOT_ALLOWED', { message: CREDIT_TEXTS.toItself });
    return target;
  });
}

async function postOrders(
  services: Services,
  tx: Tx,
  actor: Actor,
  orders: readonly { readonly target: Target; readonly amount: Hundredths }[],
  { direction, note, ...terms }: CreditTerms,
): Promise<Posted> {
  const [first] = orders;
  if (first!.target.id === actor.id) return issue(services, tx, actor, { amount: first!.amount, direction, note });
  const lowers = orders.map(({ target, amount }) => ({
    id: target.id,
    networkId: target.network_id,
    chain: target.chain,
    amount,
  }));
  const beforeMove = async (creditOf: (id: string) => Hundredths): Promise<void> => {
    const given = direction === 'give' ? lowers : [];
    // The daily limit counts credit given within the account's network.
    const total = sumOf(given.filter(({ networkId }) => networkId === actor.networkId));
    const at = services.clock.now();
    if (total > 0n) await requireWithinDailyLimit(services, tx, actor, total, at);
    if (given.length > 0) await requireWithinLoginLimit(services, tx, actor, sumOf(given), at);
    for (const [nth, { id, amount }] of lowers.entries())
      if (direction === 'takeBack' && creditOf(id) < amount)
        throw new CallError(
          'INSUFFICIENT_CREDIT',
          ofRow(terms, nth, 'amount', CREDIT_TEXTS.onlyHas(orders[nth]!.target.username, pointsText(creditOf(id)))),
        );
  };
  return postBetween(services, tx, { upper: actor, lowers, direction, note, actorId: actor.id, beforeMove });
}

function sumOf(moves: readonly { readonly amount: Hundredths }[]): Hundredths {
  return moves.reduce((sum, { amount }) => sum + amount, 0n);
}

async function issue(
  services: Services,
  tx: Tx,
  actor: Actor,
  { amount, direction, note }: Pick<CreditOrder, 'amount' | 'direction' | 'note'>,
): Promise<Posted> {
  const own: WalletName = `credit:${actor.id}`;
  const [sides, kind] =
    direction === 'give'
      ? ([{ from: ISSUANCE, to: own }, 'issue'] as const)
      : ([{ from: own, to: ISSUANCE }, 'retire'] as const);
  const posting: Posting = { ...sides, amount, kind, actorId: actor.id, reference: null, note };
  const { wallets, transferIds } = await post(tx, ROOT_NETWORK, services, [posting]);
  // Beyond 2^53 hundredths balances are not exact in JSON.
  if (-wallets.get(ISSUANCE)!.balance > MAX_HUNDREDTHS)
    throw new CallError('INVALID_INPUT', {
      fields: { adjustAmount: CREDIT_TEXTS.tooMuchIssued(pointsText(MAX_HUNDREDTHS)) },
    });
  const { balance } = wallets.get(own)!;
  return { upper: balance, lowers: [{ transferId: transferIds[0]!, balance }] };
}
