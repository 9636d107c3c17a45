import { pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK, TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { findSuperadmin, type Actor } from '../../accounts/authority.ts';
import { appendActivity, balanceChange, SYSTEM } from '../../activity/append-activity.ts';
import { shellEntry, type Shell } from '../../auth/attempts/unlock-account.ts';
import { lockWallets, move, type LockedWallets } from '../../ledger/post.ts';
import { ISSUANCE } from '../../ledger/wallets.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { CREDIT_SUBJECTS, CREDIT_TEXTS } from '../credit-texts.ts';
import { findSent, type Outcome, type ReceivedCredit, type SentCredit } from './messages.ts';

/**
 * Closes a message with the answer of the network's cell: a refused gift returns to the superadmin, credit taken back
 * arrives. Idempotent. Only that cell knows what it applied, so another answer than before, or than the operator's, is
 * booked too. Throws INSUFFICIENT_CREDIT while the superadmin lacks what such an answer takes.
 */
export async function settle(services: Services, { id }: SentCredit, outcome: Outcome): Promise<void> {
  await services.db.transaction(async (tx) => {
    const root = await lockRootCredit(tx);
    const [sent] = await findSent(tx, sql`id = ${id}`);
    if (!sent || (sent.settledAt !== null && (sent.refusal === null) === (outcome.refusal === null))) return;
    const by = await book(services, tx, root, sent, outcome);
    if (by === 0n && sent.kind === 'give') return;
    const { adminId, cell } = sent;
    const detail = { settled: id, toAdmin: adminId, cell, amount: pointsOf(by < 0n ? -by : by) };
    await log(services, tx, root, { subject: subjectOf(sent, by), detail, by });
  });
}

function subjectOf({ kind, username, cell, amount }: SentCredit, by: bigint): string {
  const points = pointsText(amount);
  if (by === 0n) return CREDIT_SUBJECTS.deliveryRefused(username, cell);
  if (kind === 'give') return CREDIT_SUBJECTS[by > 0n ? 'giftReturned' : 'giftArrived'](points, username, cell);
  return CREDIT_SUBJECTS[by > 0n ? 'takeBackArrived' : 'takeBackReturned'](points, username, cell);
}

/**
 * For the operator: ends a message as if it had been refused. A gift returns, and so does a take-back that another cell
 * has lost and can't repeat. Throws RULE_REFUSED if the message is not stuck, INSUFFICIENT_CREDIT if the superadmin lacks
 * the credit of a take-back. Returns what it did.
 */
export async function endMessage(services: Services, shell: Shell, { id }: Pick<SentCredit, 'id'>): Promise<string> {
  return services.db.transaction(async (tx) => {
    const root = await lockRootCredit(tx);
    const sent = (await findSent(tx, sql`id = ${id}`))[0]!;
    const { kind, username, cell, amount, adminId } = sent;
    const isStuck = sent.settledAt === null || (sent.refusal === null && sent.failure !== null);
    if (!isStuck) throw new CallError('RULE_REFUSED', { message: CREDIT_TEXTS.notStuck });
    const by = await book(services, tx, root, sent, { refusal: 'RULE_REFUSED', balance: null });
    const subject = CREDIT_SUBJECTS.messageEnded(kind, pointsText(amount), username, cell);
    const detail = { settled: id, toAdmin: adminId, cell, amount: pointsOf(amount) };
    await log(services, tx, root, { subject, detail, by }, shell);
    return subject;
  });
}

/** Returns what the superadmin gets. */
async function book(
  services: Services,
  tx: Tx,
  root: RootCredit,
  sent: SentCredit,
  { refusal, balance }: Pick<SentCredit, 'refusal' | 'balance'>,
): Promise<bigint> {
  const { id, amount, settledAt } = sent;
  const isApplied = refusal === null;
  const wasMoved = settledAt === null ? sent.kind === 'give' : sent.refusal === null;
  const isGift = (sent.kind === 'give') === isApplied;
  const kind = isGift ? 'give' : 'takeBack';
  const transferId = wasMoved === isApplied ? null : await moveRootCredit(services, tx, root, { ...sent, kind });
  await tx.query(
    sql`update sent_credit set settled_at = ${services.clock.now()}, refusal = ${refusal}, balance = ${balance},
      failure = null, transfer_id = coalesce(transfer_id, ${transferId}) where id = ${id}`,
  );
  if (transferId === null) return 0n;
  return isGift ? -amount : amount;
}

interface RootCredit {
  readonly superadmin: Actor;
  readonly wallets: LockedWallets;
}

/** The lock on issuance serializes messages and their numbers. */
async function lockRootCredit(tx: Tx): Promise<RootCredit> {
  const superadmin = (await findSuperadmin(tx))!;
  return { superadmin, wallets: await lockWallets(tx, ROOT_NETWORK, [`credit:${superadmin.id}`, ISSUANCE]) };
}

/** Moves credit between issuance and the superadmin. */
async function moveRootCredit(
  services: Services,
  tx: Tx,
  { superadmin, wallets }: RootCredit,
  { id, amount, note, kind }: Pick<SentCredit, 'id' | 'amount' | 'note' | 'kind'>,
): Promise<string> {
  const own = `credit:${superadmin.id}` as const;
  const way = kind === 'give' ? { from: own, to: ISSUANCE } : { from: ISSUANCE, to: own };
  const posting = { ...way, amount, kind, actorId: superadmin.id, reference: id, note };
  const [transferId] = await move(tx, ROOT_NETWORK, { ...services, at: services.clock.now() }, wallets, [posting]);
  return transferId!;
}

interface Logged {
  readonly subject: string;
  readonly detail: Record<string, unknown>;
  /** The superadmin gets this. */
  readonly by: bigint;
}

async function log(
  services: Services,
  tx: Tx,
  { superadmin, wallets }: RootCredit,
  { subject, detail, by }: Logged,
  shell?: Shell,
): Promise<void> {
  const { balance } = wallets.get(`credit:${superadmin.id}`)!;
  const changes = by === 0n ? [] : balanceChange(`Credit of ${superadmin.username}`, balance, by);
  const entry = { subject, detail, changes };
  await appendActivity(tx, ROOT_NETWORK, services, [
    shell ? shellEntry(shell, entry) : { ...entry, accountId: null, username: SYSTEM, origin: NOWHERE },
  ]);
}

/**
 * After this cell was restored to an earlier moment: enters messages that another cell has, as it answered them. Messages
 * that the other cell lacks get the next numbers. Returns false if none is missing. Throws INSUFFICIENT_CREDIT while the
 * superadmin has too little for them.
 */
export async function enterLost(
  services: Services,
  { adminId, username, cell }: Pick<SentCredit, 'adminId' | 'username' | 'cell'>,
  lost: readonly ReceivedCredit[],
): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    const root = await lockRootCredit(tx);
    const sent = await findSent(tx, sql`admin_id = ${adminId}`);
    const known = new Set(sent.map(({ id }) => id));
    const missing = lost.filter(({ id }) => !known.has(id));
    if (missing.length === 0) return false;
    await renumber(tx, sent, lost, missing[0]!.number);
    for (const message of missing) {
      const { id, number, kind, amount, note, refusal, balance } = message;
      const now = services.clock.now();
      // Approvals sum the messages of a day, so a lost one counts for its own day.
      const at = message.at < now ? message.at : now;
      const isApplied = refusal === null;
      const transferId = kind === 'give' || isApplied ? await moveRootCredit(services, tx, root, message) : null;
      if (kind === 'give' && !isApplied) await moveRootCredit(services, tx, root, { ...message, kind: 'takeBack' });
      await tx.query(
        sql`insert into sent_credit (at, settled_at, amount, balance, id, admin_id, transfer_id, number, kind, username, cell, note,
            refusal)
          values (${at}, ${now}, ${amount}, ${balance}, ${id}, ${adminId}, ${transferId}, ${number}, ${TRANSFER_KINDS[kind]},
            ${username}, ${cell}, ${note}, ${refusal})`,
      );
      const moved = isApplied ? amount : 0n;
      const subjects = kind === 'give' ? CREDIT_SUBJECTS.giftSent : CREDIT_SUBJECTS.takeBackArrived;
      const subject = isApplied
        ? subjects(pointsText(amount), username, cell)
        : CREDIT_SUBJECTS.deliveryRefused(username, cell);
      const detail = { messageId: id, toAdmin: adminId, cell, amount: pointsOf(amount), direction: kind };
      await log(services, tx, root, { subject, detail, by: kind === 'give' ? -moved : moved });
    }
    return true;
  });
}

/**
 * Moves messages that the other cell lacks behind those that it has. Ended ones go last: a later message may arrive
 * meanwhile, and keeps its number.
 */
async function renumber(
  tx: Tx,
  sent: readonly SentCredit[],
  theirs: readonly ReceivedCredit[],
  from: number,
): Promise<void> {
  const known = new Set(theirs.map(({ id }) => id));
  const lacking = sent.filter(({ id, number }) => number >= from && !known.has(id));
  const isEnded = ({ settledAt, balance }: SentCredit): boolean => settledAt !== null && balance === null;
  const ordered = [...lacking.filter((message) => !isEnded(message)), ...lacking.filter(isEnded)];
  const last = theirs.at(-1)!.number;
  // The primary key allows no number twice, not even for a moment.
  for (const { id } of ordered) await tx.query(sql`update sent_credit set number = -number where id = ${id}`);
  for (const [index, { id }] of ordered.entries())
    await tx.query(sql`update sent_credit set number = ${last + 1 + index}::int where id = ${id}`);
}
