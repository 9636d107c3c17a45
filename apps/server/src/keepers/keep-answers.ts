import type { KnownRelease } from '@drawhouse/rules/keeper-texts';
import { appendActivity, SYSTEM } from '../activity/append-activity.ts';
import { changeOf } from '../activity/changes.ts';
import type { Tx } from '../db/database.ts';
import { NOWHERE } from '../http/handler.ts';
import type { Services } from '../services.ts';
import type { Asked, WrongAnswer } from './ask-release.ts';
import { keepEvidence, keepReleased, keepRounds, lockKept } from './draw-keepers.sql.ts';
import type { WaitingDraw } from './draw-keepers.sql.ts';
import { noteKnown } from './keeper-days.sql.ts';

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
  for (const one of wrong) await db.transaction((tx) => keepWrong(services, tx, one));
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

async function keepWrong(services: Services, tx: Tx, { place, reason, question, answer }: WrongAnswer): Promise<void> {
  const at = services.clock.now();
  if (!(await keepEvidence(tx, place, { reason, question, answer, at }))) return;
  await appendActivity(tx, place.network_id, services, [
    {
      accountId: null,
      username: SYSTEM,
      subject: `The keeper ${place.name} answered wrongly for draw ${place.id}: ${reason}`,
      origin: NOWHERE,
      // Not `drawId`: it is no row that a draw follows from.
      detail: { keptDrawId: place.id, keeper: place.keeper.toString('hex'), wrong: reason },
      changes: changeOf('Answer', null, reason),
    },
  ]);
}
