import type { KnownRelease } from '@drawhouse/rules/keeper-texts';
import { appendActivity, SYSTEM } from '../activity/append-activity.ts';
import { changeOf } from '../activity/changes.ts';
import type { Tx } from '../db/database.ts';
import { NOWHERE } from '../http/handler.ts';
import type { Services } from '../services.ts';
import type { Asked } from './ask-release.ts';
import { MOST_KEPT } from './ask-release.ts';
import { keepReleased, keepRounds, lockKept } from './draw-keepers.sql.ts';
import type { WaitingDraw } from './draw-keepers.sql.ts';
import { noteKnown } from './keeper-days.sql.ts';
import type { WronglyAnswered } from './one-beacon.ts';
import { keepEvidence, OF_DRAND } from './wrong-answers.sql.ts';
import type { Evidence } from './wrong-answers.sql.ts';

/** Hears, in the same transaction, of draws of a network that were void already when a part of their seeds came. */
export type WhenVoid = (tx: Tx, networkId: number, drawIds: readonly string[]) => Promise<void>;

/** What came of asking a keeper, by its key. */
interface Answers extends Pick<Asked, 'released' | 'wrong'> {
  readonly key: string;
  readonly known: KnownRelease | undefined;
}

/** Keeps what a keeper has released, and its wrong answers, each network in a transaction of its own. */
export async function keepAnswers(
  services: Services,
  { key, released, wrong, known }: Answers,
  whenVoid: WhenVoid,
): Promise<void> {
  const { db, clock } = services;
  for (const [networkId, its] of Map.groupBy(released, ({ network_id }) => network_id))
    await db.transaction(async (tx) => {
      const ids = its.map(({ id }) => id);
      const ended = await lockKept(tx, networkId, ids);
      await keepReleased(tx, networkId, its, clock.now());
      if (ended.length > 0) await whenVoid(tx, networkId, ended);
    });
  if (known) await noteKnown(db, Buffer.from(key, 'hex'), known);
  for (const { place, ...found } of wrong)
    await db.transaction((tx) =>
      keepWrong(services, tx, {
        ...found,
        of: place,
        who: `The keeper ${place.name}`,
        detail: { keeper: place.keeper.toString('hex') },
      }),
    );
}

/** Keeps a round that is not the chain's as evidence of each draw for which it was answered. */
export async function keepWrongRound(services: Services, { draws, answer, ...found }: WronglyAnswered): Promise<void> {
  for (const { network_id, id } of draws)
    await services.db.transaction((tx) =>
      keepWrong(services, tx, {
        ...found,
        answer: answer.slice(0, MOST_KEPT),
        of: { network_id, id, place: OF_DRAND },
        who: 'The relay of drand',
        detail: found.question,
      }),
    );
}

/** Keeps the signature of a round for the draws that wait for it. */
export async function keepSignatures(
  services: Services,
  draws: readonly WaitingDraw[],
  signature: Buffer,
  whenVoid: WhenVoid,
): Promise<void> {
  for (const [networkId, its] of Map.groupBy(draws, ({ network_id }) => network_id))
    await services.db.transaction(async (tx) => {
      const ids = its.map(({ id }) => id);
      const ended = await lockKept(tx, networkId, ids);
      await keepRounds(
        tx,
        networkId,
        ids.map((id) => ({ id, signature })),
      );
      if (ended.length > 0) await whenVoid(tx, networkId, ended);
    });
}

/** A wrong answer, of which draw it is, and who gave it. */
interface WronglyKept extends Omit<Evidence, 'at'> {
  readonly of: Parameters<typeof keepEvidence>[1];
  readonly who: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

async function keepWrong(
  services: Services,
  tx: Tx,
  { of, who, detail, reason, question, answer }: WronglyKept,
): Promise<void> {
  const at = services.clock.now();
  if (!(await keepEvidence(tx, of, { reason, question, answer, at }))) return;
  await appendActivity(tx, of.network_id, services, [
    {
      accountId: null,
      username: SYSTEM,
      subject: `${who} answered wrongly for draw ${of.id}: ${reason}`,
      origin: NOWHERE,
      // Not `drawId`: it is no row that a draw follows from.
      detail: { keptDrawId: of.id, ...detail, wrong: reason },
      changes: changeOf('Answer', null, reason),
    },
  ]);
}
