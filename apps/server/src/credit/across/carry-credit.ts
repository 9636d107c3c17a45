import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import { pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Logger } from 'pino';
import type { Actor } from '../../accounts/authority.ts';
import type { Shell } from '../../auth/attempts/unlock-account.ts';
import type { AskCell, CellRead } from '../../cells/call-cell.ts';
import { balanceOf } from '../../ledger/wallets.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { uuidsIn } from '../../platform/db/sql/uuids.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { CREDIT_TEXTS } from '../credit-texts.ts';
import type { CreditResult } from '../transfer-credit.ts';
import { answerBooks } from './compare-books.ts';
import {
  findLastReceived,
  findLastSent,
  findReceived,
  findSent,
  type LastMessage,
  type ReceivedCredit,
  type SentCredit,
} from './messages.ts';
import { receiveCredit, type Delivery, type OutOfOrder, type Received } from './receive-credit.ts';
import { endMessage, enterLost, settle } from './settle-credit.ts';
import {
  CALLS,
  readAnswer,
  readDelivery,
  readReceived,
  wireOf,
  type DeliveryOutcome,
  type Wire,
  type WireAnswer,
} from './wire.ts';

interface CourierParts {
  readonly services: Services;
  readonly askCell: AskCell;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Delivers the messages of this cell, and takes those of others. */
export class CreditCourier {
  readonly #parts: CourierParts;
  readonly #running = new Map<string, Promise<void>>();
  /** Why a step for a network failed last. */
  readonly #failures = new Map<string, string>();

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
    if (path === CALLS.last) return this.#findLast(from);
    if (path === CALLS.list) return this.#list(params['adminId']!, from);
    const { db, directory } = this.#parts.services;
    return answerBooks({ db, directory: directory! }, path);
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

  async #findLast(from: string): Promise<object> {
    return { last: await findLastReceived(this.#parts.services.db, from) };
  }

  async #list(adminId: string, from: string): Promise<object> {
    const all = await findReceived(this.#parts.services.db, sql`admin_id = ${adminId} and cell = ${from}`);
    return { all: all.map(wireOf) };
  }

  async #askList(cell: string, adminId: string): Promise<readonly ReceivedCredit[]> {
    const { all } = (await this.#ask(cell, CALLS.list, { adminId })) as { readonly all: readonly Wire[] };
    return all.map(readReceived);
  }

  /**
   * For the operator: ends a message that its cell does not have. If that cell is silent, its answer counts once it comes.
   * Throws RULE_REFUSED if the cell has the message or it is not stuck, NOT_READY if only a silent cell can tell.
   */
  async end(shell: Shell, id: string): Promise<string> {
    const { services } = this.#parts;
    const [sent] = await findSent(services.db, sql`id = any(${uuidsIn([id])}::uuid[])`);
    if (!sent) throw new CallError('NOT_FOUND', { message: CREDIT_TEXTS.noMessage(id) });
    const cell = (await services.directory!.placeOf(sent.adminId))?.cell ?? sent.cell;
    const received = await this.#askList(cell, sent.adminId).catch(() => undefined);
    if (received?.some((one) => one.id === sent.id))
      throw new CallError('RULE_REFUSED', { message: CREDIT_TEXTS.hasMessage(cell, sent.failure) });
    if (!received && sent.settledAt !== null)
      throw new CallError('NOT_READY', { message: CREDIT_TEXTS.mayHaveMessage(cell) });
    return endMessage(services, shell, sent);
  }

  /** Finds messages that this cell or another one has lost by a restore, and outcomes that differ. */
  async compareAll(): Promise<void> {
    const { services, logger } = this.#parts;
    const { db, directory } = services;
    if (!directory) return;
    const own = await findLastSent(db);
    const places = await directory.elsewhere(own.map(({ adminId }) => adminId));
    const cellOf = new Map(places.map(({ network, cell }) => [network, cell]));
    for (const cell of [directory.cell, ...(await directory.peers()).map((peer) => peer.cell)])
      try {
        const answer = (await this.#ask(cell, CALLS.last, {})) as { readonly last: readonly LastMessage[] };
        const theirs = new Map(answer.last.map((last) => [last.adminId, last]));
        const isThere = ({ adminId }: LastMessage): boolean =>
          cell === directory.cell ? theirs.has(adminId) : cellOf.get(adminId) === cell;
        await this.#compareWith(cell, own.filter(isThere), theirs);
      } catch (error) {
        logger.warn({ error, cell }, 'credit could not be compared with another cell');
      }
  }

  async #compareWith(
    cell: string,
    sent: readonly LastMessage[],
    theirs: ReadonlyMap<string, LastMessage>,
  ): Promise<void> {
    const mine = new Map(sent.map((message) => [message.adminId, message]));
    const all = [...new Set([...mine.keys(), ...theirs.keys()])];
    const agrees = (adminId: string): boolean => mine.get(adminId)?.outcomes === theirs.get(adminId)?.outcomes;
    await this.#clearFailures(all.filter(agrees));
    for (const adminId of all)
      // Others must not wait for a network whose messages do not fit.
      await this.#attempt('compare', adminId, async () => {
        if (agrees(adminId)) return;
        const message = mine.get(adminId);
        if (!message) await this.#enterUnknown(cell, adminId);
        else if (message.id === theirs.get(adminId)?.id) await this.#settleAgain(cell, adminId);
        else await this.#deliverFrom(adminId, message.number);
      });
  }

  /** A cell that could not take settled messages again may have been restored to a later moment, which has them. */
  async #clearFailures(adminIds: readonly string[]): Promise<void> {
    await this.#parts.services.db.query(
      sql`update sent_credit set failure = null
        where failure is not null and settled_at is not null and admin_id = any(${adminIds}::uuid[])`,
    );
  }

  /** Does nothing if this cell has messages to that network: their delivery finds the lost ones. */
  async #enterUnknown(cell: string, adminId: string): Promise<void> {
    const { services } = this.#parts;
    if ((await findSent(services.db, sql`admin_id = ${adminId}`)).length > 0) return;
    const place = await services.directory!.placeOf(adminId);
    const lost = await this.#askList(cell, adminId);
    await enterLost(services, { adminId, username: place?.admin ?? adminId, cell }, lost);
  }

  /**
   * Books outcomes that differ, as of a silent cell's message that the operator has ended. Enters lost messages whose
   * numbers ended ones took.
   */
  async #settleAgain(cell: string, adminId: string): Promise<void> {
    const { services } = this.#parts;
    const list = await this.#askList(cell, adminId);
    const received = new Map(list.map((one) => [one.id, one]));
    const all = await findSent(services.db, sql`admin_id = ${adminId}`);
    for (const message of all) {
      const outcome = received.get(message.id);
      if (outcome) await this.#noting(message, () => settle(services, message, outcome), this.#notBooked);
    }
    const last = all.at(-1)!;
    await this.#noting(last, () => enterLost(services, last, list), this.#notBooked);
  }

  /** Several callers wait for the same delivery. */
  #deliverOnce(adminId: string): Promise<void> {
    const delivery: Promise<void> =
      this.#running.get(adminId) ??
      this.#attempt('deliver', adminId, () => this.#deliver(adminId)).finally(() => this.#running.delete(adminId));
    this.#running.set(adminId, delivery);
    return delivery;
  }

  /** Logs each reason of a failure once, as steps repeat. */
  async #attempt(step: 'deliver' | 'compare', adminId: string, work: () => Promise<void>): Promise<void> {
    const key = `${step} ${adminId}`;
    try {
      await work();
      this.#failures.delete(key);
    } catch (error) {
      const reason = String(error);
      if (reason !== this.#failures.get(key))
        this.#parts.logger.warn({ error, adminId, step }, 'credit for another cell waits');
      this.#failures.set(key, reason);
    }
  }

  async #deliver(adminId: string): Promise<void> {
    const [first] = await findSent(this.#parts.services.db, sql`admin_id = ${adminId} and settled_at is null`);
    if (first) await this.#deliverFrom(adminId, first.number);
  }

  /** Delivers in order. Settled messages go again to a cell that has lost them. */
  async #deliverFrom(adminId: string, number: number): Promise<void> {
    const { services } = this.#parts;
    for (const message of await findSent(services.db, sql`admin_id = ${adminId} and number >= ${number}`)) {
      const outcome = await this.#noting(message, () => this.#carry(message));
      const isChanged =
        'last' in outcome
          ? await this.#putInOrder(message, outcome)
          : await this.#noting(message, () => this.#take(message, outcome), this.#notBooked);
      if (message.failure !== null) await this.#setFailure(message, null);
      if (isChanged) return this.#deliver(adminId);
    }
  }

  /** True if other messages must go first. */
  async #take(message: SentCredit, outcome: Received): Promise<boolean> {
    const { services } = this.#parts;
    await settle(services, message, outcome);
    return outcome.later.length > 0 && enterLost(services, message, outcome.later);
  }

  async #putInOrder(message: SentCredit, { last, later }: OutOfOrder): Promise<true> {
    const { services } = this.#parts;
    const { adminId, number, cell } = message;
    if (last < number - 1) await this.#deliverFrom(adminId, last + 1);
    else if (!(await this.#noting(message, () => enterLost(services, message, later), this.#notBooked)))
      await this.#noting(message, () =>
        Promise.reject(new CallError('RULE_REFUSED', { message: CREDIT_TEXTS.notInOrder(cell) })),
      );
    return true;
  }

  readonly #notBooked = (reason: string): string =>
    CREDIT_TEXTS.notBooked(this.#parts.services.directory!.cell, reason);

  /** Notes refusals with the message. A silent cell or a lost connection is none. */
  async #noting<T>(
    message: SentCredit,
    act: () => Promise<T>,
    wordsOf: (reason: string) => string = (reason) => reason,
  ): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof CallError) await this.#setFailure(message, wordsOf(error.message)).catch(() => {});
      throw error;
    }
  }

  /** For notices and `npm run group -- doctor`. */
  async #setFailure({ id }: SentCredit, failure: string | null): Promise<void> {
    await this.#parts.services.db.query(
      sql`update sent_credit set failure = ${failure} where id = ${id} and failure is distinct from ${failure}`,
    );
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
    const { directory } = this.#parts.services;
    const read = { path, params, query: {}, caller: '', permissions: [] };
    if (cell === directory!.cell) return this.answerCell(read, cell)!;
    const peer = (await directory!.peers()).find((one) => one.cell === cell);
    if (!peer) throw new CallError('NOT_READY');
    return this.#parts.askCell(peer, read);
  }

  /** Reads the admin as pages show it. The credit has moved even if that cell does not answer now. */
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

function knownOutcome({ settledAt, refusal }: SentCredit): Delivery['known'] {
  if (settledAt === null) return undefined;
  return refusal === null ? 'applied' : 'refused';
}

function refusalOf({ refusal, username, balance }: SentCredit): CallError {
  if (refusal !== 'INSUFFICIENT_CREDIT') return new CallError(refusal as 'TARGET_INACTIVE');
  return new CallError(refusal, { message: CREDIT_TEXTS.onlyHas(username, pointsText(balance!)) });
}
