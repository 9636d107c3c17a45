import type { KnownRelease } from '@drawhouse/rules/keeper-texts';
import type { NamedKeeper } from '@drawhouse/rules/terms';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { KeeperAddress } from '../keeping-settings.ts';
import { pinnedKeeperKey } from '../settings/pinned-settings.ts';
import { askRelease } from './ask-release.ts';
import type { Asked } from './ask-release.ts';
import type { WaitingDraw, WaitingPlace } from './draw-keepers.sql.ts';
import { keeperClient, NoAnswer } from './keeper-client.ts';
import { findKnown } from './keeper-days.sql.ts';
import { createPlaces } from './places.ts';
import type { Place, Places } from './places.ts';

const DAY_MS = 86_400_000;

/** The day of UTC of an instant, `2026-11-26`. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** A keeper of the settings: who it is, its places that are ready, and what it is asked. */
export interface OneKeeper {
  /** Who it is, once it has said so; its key is that of the settings, or the first that it has shown. */
  readonly named: () => NamedKeeper | undefined;
  readonly isOf: (publicKey: string) => boolean;
  ready(day: string): number;
  take(day: string): Place;
  /** Sees to it that so many places are ready soon. Not twice at once; what goes wrong is among its troubles. */
  refill(wanted: number, now: Date): Promise<void>;
  readonly isRefilling: () => boolean;
  /** Asks for the seeds of places. Never throws for its answers. */
  ask(places: readonly { place: WaitingPlace; draw: WaitingDraw }[]): Promise<Asked>;
  readonly troubles: () => readonly string[];
  /** That it has signed two roots for one day: no draw opens with it any more. */
  readonly conviction: () => string | undefined;
}

/** What keepers are asked with. */
interface KeeperMeans {
  readonly db: Database;
  readonly sign: (text: Uint8Array) => Uint8Array;
  readonly timeoutMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The keeper at an address. */
export function createKeeper({ url, publicKey: pinned }: KeeperAddress, means: KeeperMeans): OneKeeper {
  const { db, sign, timeoutMs, logger } = means;
  const client = keeperClient(url, timeoutMs);
  const troubles = new Map<'places' | 'release', string>();
  let named: NamedKeeper | undefined;
  let places: Places | undefined;
  let shown: KnownRelease | undefined | null = null;
  let refilling = false;

  const troubled = (what: 'places' | 'release', trouble: string | undefined): void => {
    if (trouble !== undefined && trouble !== troubles.get(what))
      logger.warn({ keeper: url, what, trouble }, 'a keeper of seeds does not answer as it should');
    if (trouble === undefined) troubles.delete(what);
    else troubles.set(what, trouble);
  };

  async function findPlaces(): Promise<Places> {
    const found = await client.whoAreYou();
    const key = pinned ?? (await pinnedKeeperKey(db, url, found.publicKey));
    if (found.publicKey !== key) throw new NoAnswer(`it has the key ${found.publicKey}, and ought to have ${key}`);
    named = { name: found.name, publicKey: found.publicKey };
    return createPlaces(db, client, found);
  }

  return {
    named: () => named,
    isOf: (publicKey) => (named?.publicKey ?? pinned) === publicKey,
    ready: (day) => places?.ready(day) ?? 0,
    take: (day) => places!.take(day)!,
    isRefilling: () => refilling,
    async refill(wanted, now) {
      refilling = true;
      try {
        places ??= await findPlaces();
        await places.lookAgain(now);
        await places.refill(utcDay(now), wanted, now);
        troubled('places', undefined);
        await places.lookAhead(utcDay(new Date(now.getTime() + DAY_MS)), now);
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        // What is to come tomorrow may still come.
        if ((places?.ready(utcDay(now)) ?? 0) < wanted) troubled('places', error.message);
      } finally {
        refilling = false;
      }
    },
    async ask(asked) {
      if (shown === null) shown = asked[0] && (await findKnown(db, asked[0].place.keeper));
      const answers = await askRelease(client, asked, { sign, known: shown });
      shown = answers.known ?? shown;
      troubled('release', answers.missing[0]?.why ?? answers.wrong[0]?.reason);
      return answers;
    },
    troubles: () =>
      [...troubles.values()]
        .filter((trouble) => trouble !== places?.conviction())
        .map((trouble) => `${url}: ${trouble}`),
    conviction: () => {
      const conviction = places?.conviction();
      return conviction === undefined ? undefined : `${url}: ${conviction}`;
    },
  };
}
