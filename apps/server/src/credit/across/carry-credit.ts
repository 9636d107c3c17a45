import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import { pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Logger } from 'pino';
import type { Actor } from '../../accounts/authority.ts';
import type { AskCell, CellRead } from '../../cells/call-cell.ts';
import { balanceOf } from '../../ledger/wallets.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Directory, Services } from '../../platform/services.ts';
import { CREDIT_TEXTS } from '../credit-texts.ts';
import type { CreditResult } from '../transfer-credit.ts';
import { readBooks, type CellBooks } from './compare-books.ts';
import { findReceived, findSent, type ReceivedCredit, type SentCredit } from './messages.ts';
import { receiveCredit, type Delivery, type OutOfOrder } from './receive-credit.ts';
import { enterLost, settle } from './settle-credit.ts';

/**
 * Stand for paths in calls between cells. A delivery names a message only. The receiver asks the sender for it, at the
 * address of the directory, so whoever can read the directory’s secrets can’t make credit.
 */
const CALLS = {
  deliver: 'credit/deliver',
  read: 'credit/read',
  compare: 'credit/compare',
  books: 'credit/books',
} as const;

/** Calls between cells are small. */
const COMPARED_AT_ONCE = 1_000;

interface CourierParts {
  readonly services: Services;
  readonly askCell: AskCell;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Delivers the messages of this cell, and takes those of others. */
export class CreditCourier {
  readonly #parts: CourierParts;
  readonly #running = new Map<string, Promise<void>>();
  readonly #waiting = new Set<string>();

  constructor(parts: CourierParts) {
    this.#parts = parts;
  }

  /** Repeats what no cell has answered. */
  async deliverAll(): Promise<void> {
    const { db, directory } = this.#parts.services;
    if (!directory) return;
    const waiting = await db.query<{ adminId: string }>(
      sql`select distinct admin_id as "adminId" from sent_credit where settled_at is null`,
    );
    await Promise.all(waiting.map(({ adminId }) => this.#deliverOnce(adminId)));
  }

  /** Delivers a message and answers its call. Throws the refusal of the other cell. */
  async answer(actor: Actor, id: string): Promise<CreditResult> {
    const { db } = this.#parts.services;
    const find = async (): Promise<SentCredit> => (await findSent(db, sql`id = ${id}`))[0]!;
    let sent = await find();
    // An earlier delivery may have begun before this message.
    for (let tries = 0; sent.settledAt === null && tries < 2; tries++) {
      await this.#deliverOnce(sent.adminId);
      sent = await find();
    }
    if (sent.settledAt !== null && sent.refusal !== null) throw refusalOf(sent);
    const result = {
      senderWallet: pointsOf(await balanceOf(db, ROOT_NETWORK, `credit:${actor.id}`)),
      transferId: sent.transferId ?? sent.id,
    };
    if (sent.settledAt !== null)
      return { ...result, receiverWallet: pointsOf(sent.balance!), data: await this.#readAdmin(actor, sent) };
    const text = sent.kind === 'give' ? CREDIT_TEXTS.inTransit : CREDIT_TEXTS.takeBackInTransit;
    return { ...result, receiverWallet: null, data: [], inTransit: true, message: text(sent.username, sent.cell) };
  }

  /** Answers another cell. Undefined if the call is not about credit. */
  answerCell({ path, params }: CellRead, from: string): Promise<object> | undefined {
    if (path === CALLS.deliver) return this.#receive(params['id']!, from);
    if (path === CALLS.read) return this.#read(params['id']!);
    if (path === CALLS.books) return this.#readOwnBooks();
    if (path === CALLS.compare) return this.#compare(params['ids']!.split(','), from);
    return undefined;
  }

  #readOwnBooks(): Promise<CellBooks> {
    const { db, directory } = this.#parts.services;
    return db.snapshot((on) => readBooks(on, directory!.cell));
  }

  async #receive(id: string, from: string): Promise<object> {
    const { services } = this.#parts;
    const [received] = await findReceived(services.db, sql`id = ${id} and cell = ${from}`);
    const message = received ?? readDelivery((await this.#ask(from, CALLS.read, { id })) as Wire);
    const outcome = await receiveCredit(services, { ...message, from });
    const later = outcome.later.map(wireOf);
    return 'last' in outcome
      ? { last: outcome.last, later }
      : { refusal: outcome.refusal, balance: String(outcome.balance), later };
  }

  async #read(id: string): Promise<object> {
    const [sent] = await findSent(this.#parts.services.db, sql`id = ${id}`);
    if (!sent) throw new CallError('NOT_FOUND');
    return wireOf({ ...sent, known: knownOutcome(sent), from: '' });
  }

  /** Returns those of the sender's last messages that are not the last ones here. */
  async #compare(ids: readonly string[], from: string): Promise<object> {
    const last = await this.#parts.services.db.query<{ id: string }>(
      sql`select id from received_credit r where cell = ${from} and id = any(${[...ids]}::uuid[]) and not exists (
        select from received_credit l where l.admin_id = r.admin_id and l.cell = r.cell and l.number > r.number)`,
    );
    const same = new Set(last.map(({ id }) => id));
    return { different: ids.filter((id) => !same.has(id)) };
  }

  /** Finds messages that this cell or another one has lost by a restore. */
  async compareAll(): Promise<void> {
    const { services, logger } = this.#parts;
    if (!services.directory) return;
    const last = await findSent(
      services.db,
      sql`settled_at is not null and not exists (
        select from sent_credit l where l.admin_id = sent_credit.admin_id and l.number > sent_credit.number)`,
    );
    const places = await services.directory.elsewhere(last.map(({ adminId }) => adminId));
    for (const [cell, networks] of Map.groupBy(places, (place) => place.cell))
      try {
        const here = last.filter(({ adminId }) => networks.some(({ network }) => network === adminId));
        for (let first = 0; first < here.length; first += COMPARED_AT_ONCE)
          await this.#compareWith(cell, here.slice(first, first + COMPARED_AT_ONCE));
      } catch (error) {
        logger.warn({ error, cell }, 'credit could not be compared with another cell');
      }
  }

  async #compareWith(cell: string, last: readonly SentCredit[]): Promise<void> {
    const ids = last.map(({ id }) => id).join(',');
    const { different } = (await this.#ask(cell, CALLS.compare, { ids })) as { readonly different: string[] };
    for (const { id, adminId, number } of last) if (different.includes(id)) await this.#deliverFrom(adminId, number);
  }

  /** Several callers wait for the same delivery. */
  #deliverOnce(adminId: string): Promise<void> {
    const delivery: Promise<void> =
      this.#running.get(adminId) ??
      this.#deliver(adminId)
        .then(() => void this.#waiting.delete(adminId))
        .catch((error: unknown) => this.#warnOnce(adminId, error))
        .finally(() => this.#running.delete(adminId));
    this.#running.set(adminId, delivery);
    return delivery;
  }

  #warnOnce(adminId: string, error: unknown): void {
    if (!this.#waiting.has(adminId)) this.#parts.logger.warn({ error, adminId }, 'credit for another cell waits');
    this.#waiting.add(adminId);
  }

  async #deliver(adminId: string): Promise<void> {
    const [first] = await findSent(this.#parts.services.db, sql`admin_id = ${adminId} and settled_at is null`);
    if (first) await this.#deliverFrom(adminId, first.number);
  }

  /** In order. Settled messages go again to a cell that has lost them. */
  async #deliverFrom(adminId: string, number: number): Promise<void> {
    const { services } = this.#parts;
    for (const message of await findSent(services.db, sql`admin_id = ${adminId} and number >= ${number}`)) {
      const outcome = await this.#carry(message);
      if ('last' in outcome) {
        await this.#putInOrder(message, outcome);
        return this.#deliver(adminId);
      }
      await settle(services, message, outcome);
      if (outcome.later.length > 0 && (await enterLost(services, message, outcome.later)))
        return this.#deliver(adminId);
    }
  }

  async #putInOrder(message: SentCredit, { last, later }: OutOfOrder): Promise<void> {
    const { adminId, number } = message;
    if (last < number - 1) await this.#deliverFrom(adminId, last + 1);
    else if (!(await enterLost(this.#parts.services, message, later)))
      throw new Error(`the messages of ${adminId} from ${number} on can’t be put in order`);
  }

  async #carry(message: SentCredit): Promise<DeliveryOutcome> {
    const { services } = this.#parts;
    const { db, directory } = services;
    const place = await directory!.placeOf(message.adminId);
    if (!place) throw new CallError('NOT_FOUND');
    if (place.cell !== message.cell)
      await db.query(sql`update sent_credit set cell = ${place.cell} where id = ${message.id}`);
    if (place.cell === directory!.cell)
      return receiveCredit(services, { ...message, from: directory!.cell, known: knownOutcome(message) });
    return readAnswer((await this.#ask(place.cell, CALLS.deliver, { id: message.id })) as WireAnswer);
  }

  async #ask(cell: string, path: string, params: Wire): Promise<object> {
    const peer = (await this.#parts.services.directory!.peers()).find((one) => one.cell === cell);
    if (!peer) throw new CallError('NOT_READY');
    return this.#parts.askCell(peer, { path, params, query: {}, caller: '', permissions: [] });
  }

  /** As the pages show it. The credit has moved even if that cell does not answer now. */
  async #readAdmin({ id: caller, permissions }: Actor, { adminId, cell }: SentCredit): Promise<Account[]> {
    const { services, askCell } = this.#parts;
    try {
      const peer = (await services.directory!.peers()).find((one) => one.cell === cell);
      const read = { path: accountRoutes.admin.get.path, params: { id: adminId }, query: {}, caller, permissions };
      const { data } = (await askCell(peer!, read)) as { readonly data: Account };
      return [{ ...data, cell: { name: cell, isHere: false } }];
    } catch {
      return [];
    }
  }
}

type DeliveryOutcome = Awaited<ReturnType<typeof receiveCredit>>;

function knownOutcome({ settledAt, refusal }: SentCredit): Delivery['known'] {
  if (settledAt === null) return undefined;
  return refusal === null ? 'applied' : 'refused';
}

function refusalOf({ refusal, username, balance }: SentCredit): CallError {
  if (refusal !== 'INSUFFICIENT_CREDIT') return new CallError(refusal as 'TARGET_INACTIVE');
  return new CallError(refusal, { message: CREDIT_TEXTS.onlyHas(username, pointsText(balance!)) });
}

type Wire = Readonly<Record<string, string>>;

/** JSON has no bigint. */
function wireOf(message: Delivery | ReceivedCredit): Wire {
  const { id, adminId, number, kind, amount, note } = message;
  const { known, refusal, balance } = message as Partial<Delivery & ReceivedCredit>;
  return {
    id,
    adminId,
    kind,
    note,
    number: String(number),
    amount: String(amount),
    ...(known && { known }),
    ...(typeof refusal === 'string' && { refusal }),
    ...(typeof balance === 'bigint' && { balance: String(balance) }),
  };
}

function readDelivery({ id, adminId, number, kind, amount, note, known }: Wire): Omit<Delivery, 'from'> {
  return {
    id: id!,
    adminId: adminId!,
    number: Number(number),
    amount: BigInt(amount!),
    note: note!,
    kind: kind === 'give' ? 'give' : 'takeBack',
    known: known as Delivery['known'],
  };
}

type WireAnswer = { readonly later: readonly Wire[] } & (
  | { readonly refusal: string | null; readonly balance: string }
  | { readonly last: number }
);

function readAnswer(answer: WireAnswer): DeliveryOutcome {
  const later = answer.later.map((wire) => ({
    ...readDelivery(wire),
    refusal: wire['refusal'] ?? null,
    balance: BigInt(wire['balance']!),
    at: new Date(0),
    cell: '',
  }));
  return 'last' in answer
    ? { last: answer.last, later }
    : { refusal: answer.refusal, balance: BigInt(answer.balance), later };
}

/** Of all cells. Throws if one does not answer. */
export async function readGroupBooks(
  { directory, db }: Pick<Services, 'db'> & { readonly directory: Directory },
  askCell: AskCell,
): Promise<readonly CellBooks[]> {
  const others = (await directory.peers()).map(
    (peer) =>
      askCell(peer, { path: CALLS.books, params: {}, query: {}, caller: '', permissions: [] }) as Promise<CellBooks>,
  );
  return Promise.all([readBooks(db, directory.cell), ...others]);
}
