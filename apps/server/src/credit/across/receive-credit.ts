import { pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK, TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { effectivelyActive } from '../../accounts/authority.ts';
import { appendActivity, balanceChange, changeOf } from '../../activity/append-activity.ts';
import { requireOpenBooks } from '../../activity/network-work/closed-books.ts';
import { shareNetworkLock } from '../../activity/network-work/network-work.ts';
import { balanceOf, ISSUANCE } from '../../ledger/wallets.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { CREDIT_SUBJECTS, CREDIT_TEXTS } from '../credit-texts.ts';
import { postBetween } from '../post-between.ts';
import { findReceived, type CreditMessage, type Outcome, type ReceivedCredit } from './messages.ts';

export interface Delivery extends CreditMessage {
  /** Cell of the sender. */
  readonly from: string;
  /** Outcome of an earlier delivery, which a restored receiver has lost. */
  readonly known?: 'applied' | 'refused' | undefined;
}

/** The receiver expects the number after `last`. From this number on, its messages are not the sender's. */
export interface OutOfOrder {
  readonly last: number;
  readonly later: readonly ReceivedCredit[];
}

/** Later messages of the sender, which a restored one has lost. */
export type Received = Outcome & Pick<OutOfOrder, 'later'>;

/**
 * Applies message n of a network once, after message n − 1. A repeat gets the same answer. Throws OTHER_CELL if the
 * network is not here, NETWORK_RESTORING while its books are closed.
 */
export async function receiveCredit(services: Services, delivery: Delivery): Promise<Received | OutOfOrder> {
  const { adminId, from, number } = delivery;
  return services.db.transaction(async (tx) => {
    const admin = await lockAdmin(tx, adminId);
    const earlier = await findReceived(
      tx,
      sql`admin_id = ${adminId} and cell = ${from} and number >= ${number}::int - 1`,
    );
    const same = earlier.find(({ id }) => id === delivery.id);
    if (same) return { ...same, later: earlier.filter((one) => one.number > number) };
    const last = earlier.at(-1)?.number ?? (number === 1 ? 0 : await lastNumber(tx, delivery));
    if (last !== number - 1) return { last, later: earlier.filter((one) => one.number >= number) };
    return { ...(await apply(services, tx, delivery, admin)), later: [] };
  });
}

async function lastNumber(tx: Tx, { adminId, from }: Delivery): Promise<number> {
  const [row] = await tx.query<{ last: number }>(
    sql`select coalesce(max(number), 0) as last from received_credit where admin_id = ${adminId} and cell = ${from}`,
  );
  return row!.last;
}

interface Admin {
  readonly id: string;
  readonly networkId: number;
  readonly username: string;
  readonly chain: string[];
  readonly deleted: boolean;
}

/** Deliveries to a network wait for each other. */
async function lockAdmin(tx: Tx, adminId: string): Promise<Admin> {
  const [network] = await tx.query<{ id: number }>(
    sql`select id from networks where admin_id = ${adminId} and not arrives`,
  );
  for (const id of [ROOT_NETWORK, ...(network ? [network.id] : [])])
    if (!network || !(await shareNetworkLock(tx, id))) throw new CallError('OTHER_CELL');
  await requireOpenBooks(tx, network!.id);
  const [admin] = await tx.query<Admin & Record<string, unknown>>(
    sql`select id, network_id as "networkId", username, chain, deleted_at is not null as deleted from accounts
      where id = ${adminId} and network_id = ${network!.id} for share`,
  );
  if (!admin) throw new CallError('OTHER_CELL');
  await tx.query(sql`select from networks where id = ${network!.id} for no key update`);
  return admin;
}

/** The local superadmin stands for the sender's, as for every network that comes from another cell. */
async function apply(services: Services, tx: Tx, delivery: Delivery, admin: Admin): Promise<Outcome> {
  const { id, adminId, number, kind, amount, note, from } = delivery;
  const [superadmin] = await tx.query<{ id: string; username: string }>(
    sql`select id, username from accounts where id = ${admin.chain[0]!}`,
  );
  const wallet = `credit:${adminId}` as const;
  let refusal = await refusalOf(tx, delivery, admin, await balanceOf(tx, admin.networkId, wallet));
  let transferId: string | undefined;
  if (refusal === null)
    try {
      const { lowers } = await postBetween(services, tx, {
        upper: { id: superadmin!.id, networkId: ROOT_NETWORK },
        upperWallet: ISSUANCE,
        lowers: [{ id: adminId, networkId: admin.networkId, chain: admin.chain, amount }],
        direction: kind,
        note,
        actorId: superadmin!.id,
        reference: id,
        // Bets and cover may spend it until it is locked.
        beforeMove: (creditOf) => {
          if (kind === 'takeBack' && creditOf(adminId) < amount) throw new CallError('INSUFFICIENT_CREDIT');
        },
      });
      transferId = lowers[0]!.transferId;
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'INSUFFICIENT_CREDIT') throw error;
      refusal = error.code;
    }
  const balance = await balanceOf(tx, admin.networkId, wallet);
  // The other cell has this credit already.
  if (refusal === 'INSUFFICIENT_CREDIT' && delivery.known === 'applied')
    throw new CallError(refusal, {
      message: CREDIT_TEXTS.tooLittleLeft(admin.username, pointsText(balance), pointsText(amount)),
    });
  const at = services.clock.now();
  await tx.query(
    sql`insert into received_credit (at, amount, balance, id, admin_id, number, kind, cell, note, refusal)
      values (${at}, ${amount}, ${balance}, ${id}, ${adminId}, ${number}, ${TRANSFER_KINDS[kind]}, ${from}, ${note}, ${refusal})`,
  );
  const points = pointsText(amount);
  const { username } = admin;
  const subject = kind === 'give' ? CREDIT_SUBJECTS.giftApplied : CREDIT_SUBJECTS.takeBackApplied;
  await appendActivity(tx, ROOT_NETWORK, services, [
    {
      accountId: superadmin!.id,
      username: superadmin!.username,
      origin: NOWHERE,
      subject: refusal === null ? subject(points, username, from) : CREDIT_SUBJECTS.messageRefused(username, from),
      detail: {
        ...(transferId !== undefined && { transferId }),
        targetId: adminId,
        amount: pointsOf(amount),
        direction: kind,
        note: note || undefined,
        message: id,
        ...(refusal !== null && { refusal }),
      },
      changes: [
        ...(refusal === null
          ? balanceChange(`Credit of ${username}`, balance, kind === 'give' ? amount : -amount)
          : []),
        ...changeOf('Note', null, note || null),
      ],
    },
  ]);
  return { refusal, balance };
}

async function refusalOf(
  tx: Tx,
  { kind, amount, known }: Delivery,
  { id, deleted }: Admin,
  balance: bigint,
): Promise<string | null> {
  if (known === 'refused') return 'RULE_REFUSED';
  // A gift can return; credit taken back has arrived already.
  if (deleted && !(known === 'applied' && kind === 'takeBack')) return 'NOT_FOUND';
  if (known === 'applied') return null;
  if (kind === 'takeBack') return balance < amount ? 'INSUFFICIENT_CREDIT' : null;
  return (await effectivelyActive(tx, [id])).has(id) ? null : 'TARGET_INACTIVE';
}
