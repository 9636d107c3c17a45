import type { DistantAdmin as KnownAdmin } from '@drawhouse/contract/credit/own-credit';
import { pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK, TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { effectivelyActive, type Actor } from '../../accounts/authority.ts';
import { balanceChange, changeOf } from '../../activity/append-activity.ts';
import { once } from '../../activity/idempotency.ts';
import { runCommand, type LoggedPart } from '../../activity/run-command.ts';
import { requirePassword } from '../../auth/passwords/confirm-password.ts';
import { lockWallets, move } from '../../ledger/post.ts';
import { ISSUANCE } from '../../ledger/wallets.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Call, GuardedAct } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { CREDIT_SUBJECTS } from '../credit-texts.ts';
import { requireWithinLoginLimit } from '../daily-limit.ts';
import { findSent } from './messages.ts';
import type { CreditOrder } from '../transfer-credit.ts';

// Credit across cells. Each cell's issuance is the counterpart of the credit in that cell, so credit in transit is in
// neither. The sender's transaction takes a gift from the superadmin to issuance and writes message n of the network.
// The sender repeats it until the network's cell answers. That cell applies message n once: in one transaction it moves
// the credit between its issuance and the admin, and writes a row of `received_credit`. A take-back is debited there
// first; its answer credits the superadmin. A refused gift returns. Messages find the network by the directory, and
// received rows move with it. A restore of the network leaves them alone: it compensates for credit that crossed the
// boundary since. After a restore of a whole cell, both compare numbers: the receiver gets lost messages again, the
// sender enters those that it lost.

/** An admin whose network is in another cell. */
export interface DistantAdmin {
  readonly id: string;
  readonly username: string;
  readonly cell: string;
}

/** Stored with the Idempotency-Key. The final answer follows from the message. */
export interface MessageReference {
  readonly sent: string;
}

/** Undefined unless the superadmin names an admin whose network is in another cell. */
export async function findDistantAdmin(
  { db, directory }: Pick<Services, 'db' | 'directory'>,
  { role }: Pick<Actor, 'role'>,
  { targetId, targetRole }: Pick<CreditOrder, 'targetId' | 'targetRole'>,
): Promise<DistantAdmin | undefined> {
  if (!directory || role !== 'superadmin' || targetRole !== 'admin') return undefined;
  const here = await db.query(sql`select from networks where admin_id = ${targetId}`);
  if (here.length > 0) return undefined;
  const place = await directory.placeOf(targetId);
  if (!place?.admin || place.cell === directory.cell) return undefined;
  return { id: targetId, username: place.admin, cell: place.cell };
}

/** As this cell knows it: the admin's own cell may be down. */
export async function readDistantAdmin({ db, directory }: Services, id: string): Promise<KnownAdmin> {
  const messages = await findSent(
    db,
    sql`admin_id = ${id} and (settled_at is null or number = (
      select max(number) from sent_credit where admin_id = ${id} and settled_at is not null and balance is not null))`,
  );
  const waiting = messages.filter(({ settledAt, kind }) => settledAt === null && kind === 'give');
  const last = messages.find(({ settledAt, balance }) => settledAt !== null && balance !== null);
  const found = await directory?.placeOf(id).then(
    (place) => ({ username: place?.admin, cell: place?.cell, canSend: true }),
    () => ({ username: messages.at(-1)?.username, cell: messages.at(-1)?.cell, canSend: false }),
  );
  // Deleted admins have an empty name.
  if (!found?.username || !found.cell || found.cell === directory!.cell) throw new CallError('NOT_FOUND');
  return {
    _id: id,
    username: found.username,
    cell: found.cell,
    canSend: found.canSend,
    last: last ? { balance: pointsOf(last.balance!), at: last.settledAt!.toISOString() } : null,
    inTransit: pointsOf(waiting.reduce((sum, { amount }) => sum + amount, 0n)),
  };
}

/** Once per Idempotency-Key. Asks for the password. */
export async function sendCredit<T extends object>(
  services: Services,
  call: Call<Actor>,
  order: CreditOrder,
  admin: DistantAdmin,
): Promise<MessageReference | T> {
  await requirePassword(services, call, order.password);
  const { actor } = call;
  const { amount, direction, note } = order;
  return runCommand(services, call, async (tx, at) => {
    const more: LoggedPart[] = [];
    const guarded: GuardedAct[] = [];
    const request = ['credit', admin.id, order.targetRole, String(amount), direction, note ?? null];
    const { answer } = await once<MessageReference | T>(tx, call, at, request, async () => {
      if (direction === 'takeBack' && !actor.permissions.includes('adjustments')) throw new CallError('NO_PERMISSION');
      if (!(await effectivelyActive(tx, [actor.id])).has(actor.id)) throw new CallError('SESSION_ENDED');
      const message = await writeMessage(services, tx, actor, order, admin);
      more.push(message.logged);
      // All messages of a day count together.
      const moves = [{ networkId: ROOT_NETWORK, wallet: ISSUANCE, transferId: message.transferId ?? message.id }];
      guarded.push({ kind: 'credit', networkId: ROOT_NETWORK, amount, moves });
      return { sent: message.id };
    });
    return { result: answer, subject: null, more, guarded };
  });
}

interface NewMessage {
  readonly id: string;
  readonly transferId: string | null;
  readonly logged: LoggedPart;
}

/** The lock on issuance serializes the numbers. */
async function writeMessage(
  services: Services,
  tx: Tx,
  actor: Actor,
  { amount, direction, note }: Pick<CreditOrder, 'amount' | 'direction' | 'note'>,
  { id: adminId, username, cell }: DistantAdmin,
): Promise<NewMessage> {
  const id = services.newId();
  const own = `credit:${actor.id}` as const;
  const wallets = await lockWallets(tx, ROOT_NETWORK, [own, ISSUANCE]);
  const at = services.clock.now();
  let transferId: string | null = null;
  if (direction === 'give') {
    await requireWithinLoginLimit(services, tx, actor, amount, at);
    const posting = { from: own, to: ISSUANCE, amount, kind: direction, actorId: actor.id, reference: id, note };
    [transferId = null] = await move(tx, ROOT_NETWORK, { ...services, at }, wallets, [posting]);
  }
  await tx.query(
    sql`insert into sent_credit (at, amount, id, admin_id, transfer_id, number, kind, username, cell, note)
      select ${at}, ${amount}, ${id}, ${adminId}, ${transferId}, coalesce(max(number), 0) + 1, ${TRANSFER_KINDS[direction]},
        ${username}, ${cell}, ${note ?? ''} from sent_credit where admin_id = ${adminId}`,
  );
  return { id, transferId, logged: loggedAs({ id, amount, direction, note, username, cell, adminId }) };

  function loggedAs(sent: Omit<LoggedMessage, 'changes'>): LoggedPart {
    const { balance } = wallets.get(own)!;
    const changes = direction === 'give' ? balanceChange(`Credit of ${actor.username}`, balance, -amount) : [];
    return logMessage({ ...sent, changes: [...changes, ...changeOf('Note', null, note || null)] });
  }
}

interface LoggedMessage extends Pick<CreditOrder, 'amount' | 'direction' | 'note'> {
  readonly id: string;
  readonly username: string;
  readonly cell: string;
  readonly adminId: string;
  readonly changes: NonNullable<LoggedPart['changes']>;
}

function logMessage({ id, amount, direction, note, username, cell, adminId, changes }: LoggedMessage): LoggedPart {
  const points = pointsText(amount);
  return {
    subject:
      direction === 'give'
        ? CREDIT_SUBJECTS.giftSent(points, username, cell)
        : CREDIT_SUBJECTS.takeBackSent(points, username, cell),
    detail: { messageId: id, toAdmin: adminId, cell, amount: pointsOf(amount), direction, note },
    changes,
  };
}
