import type { Logger } from 'pino';
import type { Services } from '../services.ts';
import type { Asked } from './ask-release.ts';
import { noteAsked } from './draw-keepers.sql.ts';
import type { WaitingDraw, WaitingPlace } from './draw-keepers.sql.ts';
import { keepAnswers, keepSignatures, keepWrongRound } from './keep-answers.ts';
import type { WhenVoid } from './keep-answers.ts';
import type { OneBeacon } from './one-beacon.ts';
import type { OneKeeper } from './one-keeper.ts';

/** After so long without an answer a keeper is asked again, by whichever server. */
const AGAIN_MS = 5_000;

/** Whom parts of seeds are asked of, and who hears of what comes. */
export interface AskMeans {
  readonly services: Services;
  readonly keepers: readonly OneKeeper[];
  readonly beacon: OneBeacon;
  readonly whenVoid: WhenVoid;
  readonly logger: Pick<Logger, 'warn'>;
}

/** What came of asking for some draws: whether anything has, and the draws for which something did not. */
export interface CameOfAsking {
  readonly came: boolean;
  readonly missing: readonly string[];
}

/** Asks for all that some closed draws lack of their seeds, in no transaction, and keeps what comes. */
export async function askParts(means: AskMeans, draws: readonly WaitingDraw[]): Promise<CameOfAsking> {
  const [keepers, beacon] = await Promise.all([askKeepers(means, draws), askRounds(means, draws)]);
  return { came: keepers.came || beacon.came, missing: [...keepers.missing, ...beacon.missing] };
}

async function askKeepers(means: AskMeans, draws: readonly WaitingDraw[]): Promise<CameOfAsking> {
  const { services, keepers, whenVoid, logger } = means;
  const byId = new Map(draws.map((draw) => [draw.id, draw]));
  const places = (await claim(services, draws)).map((place) => ({ place, draw: byId.get(place.id)! }));
  const byKeeper = [...Map.groupBy(places, ({ place }) => place.keeper.toString('hex'))];
  const asked = await Promise.all(
    byKeeper.map(async ([key, its]) => keepers.find((keeper) => keeper.isOf(key))?.ask(its) ?? nobody(key, its)),
  );
  const missing: string[] = [];
  for (const [nth, [key]] of byKeeper.entries()) {
    const answers = asked[nth]!;
    missing.push(...[...answers.wrong, ...answers.missing].map(({ place }) => place.id));
    await keepAnswers(services, { key, ...answers }, whenVoid);
    for (const { place } of answers.wrong)
      logger.warn({ draw: place.id, keeper: place.name }, 'a keeper answered wrongly; its answer is kept');
  }
  return { came: asked.some(({ released }) => released.length > 0), missing };
}

/** What is to be asked for now: for nothing of it another server has, a moment ago. */
async function claim({ db, clock }: Services, draws: readonly WaitingDraw[]): Promise<WaitingPlace[]> {
  const now = clock.now();
  const since = new Date(now.getTime() - AGAIN_MS);
  const places: WaitingPlace[] = [];
  for (const [networkId, its] of Map.groupBy(draws, ({ network_id }) => network_id)) {
    const ids = its.map(({ id }) => id);
    places.push(...(await db.transaction((tx) => noteAsked(tx, networkId, ids, { now, since }))));
  }
  return places;
}

function nobody(key: string, places: readonly { place: WaitingPlace }[]): Asked {
  const why = `no keeper of the key ${key} is set`;
  return { known: undefined, released: [], wrong: [], missing: places.map(({ place }) => ({ place, why })) };
}

async function askRounds(
  { services, beacon, whenVoid }: AskMeans,
  draws: readonly WaitingDraw[],
): Promise<CameOfAsking> {
  let came = false;
  const { missing, wrong } = await beacon.ask(draws, services.clock.now(), async (its, signature) => {
    await keepSignatures(services, its, signature, whenVoid);
    came = true;
  });
  for (const one of wrong) await keepWrongRound(services, one);
  return { came, missing: missing.map(({ id }) => id) };
}
