import type { Logger } from 'pino';
import type { PanelKey, Services } from '../services.ts';

/** Where servers tell each other which panels have changed. */
const PANELS_CHANNEL = 'panels';
/** What has changed is collected for so long and told together, after its commit: no bet tells by itself, nor waits for it. */
export const TELL_AFTER_MS = 50;
/** What could not be told is told again so much later. */
const RETRY_MS = 1_000;
/** A game's key has at most 64 characters; one message may have 8,000 bytes. */
const PANELS_PER_MESSAGE = 80;

/** What one server tells the others. Of its own word it knows already. */
interface PanelNews {
  readonly from: string;
  readonly panels: readonly (readonly [networkId: number, gameKey: string])[];
}

/** Who hears of panels that have changed, here or on another server. */
export interface PanelHearer {
  readonly changed: (panel: PanelKey) => void;
  /** Others may have told something that nobody heard: whatever is shown is to be read anew. */
  readonly missed: () => void;
}

/**
 * Carries which panels have changed: at once to the hearer of this server, and within moments to those of all others on the database.
 * What a server that dies has not told yet, the others see when they read a panel again by themselves.
 */
export function carryPanelNews(
  { db, events, newId }: Services,
  logger: Logger,
  { changed, missed }: PanelHearer,
): { close(): Promise<void> } {
  const serverId = newId();
  let untold = new Map<string, PanelKey>();
  let timer: NodeJS.Timeout | undefined;
  let telling: Promise<void> | undefined;
  let isAway = false;
  let closed = false;

  const listener = db.listen(PANELS_CHANNEL, {
    heard(message) {
      const { from, panels } = JSON.parse(message) as PanelNews;
      if (from !== serverId) for (const [networkId, gameKey] of panels) changed({ networkId, gameKey });
    },
    missed,
  });

  /** Tells what is untold, and gives in how many milliseconds the next is due. */
  async function tellAll(): Promise<number> {
    const told = untold;
    untold = new Map();
    const panels = Array.from(told.values(), ({ networkId, gameKey }) => [networkId, gameKey] as const);
    try {
      for (let first = 0; first < panels.length; first += PANELS_PER_MESSAGE) {
        const news: PanelNews = { from: serverId, panels: panels.slice(first, first + PANELS_PER_MESSAGE) };
        await listener.tell(JSON.stringify(news));
      }
      isAway = false;
      return TELL_AFTER_MS;
    } catch (error) {
      if (!isAway) logger.warn({ error }, 'the other servers cannot be told of panels at the moment');
      isAway = true;
      untold = new Map([...told, ...untold]);
      return RETRY_MS;
    }
  }

  function tellAfter(ms: number): void {
    timer ??= setTimeout(() => {
      telling = tellAll().then((nextMs) => {
        timer = undefined;
        telling = undefined;
        if (untold.size > 0 && !closed) tellAfter(nextMs);
      });
    }, ms).unref();
  }

  function collect(panel: PanelKey): void {
    changed(panel);
    untold.set(`${panel.networkId} ${panel.gameKey}`, panel);
    tellAfter(TELL_AFTER_MS);
  }

  events.on('panelChanged', collect);
  return {
    async close() {
      closed = true;
      events.off('panelChanged', collect);
      clearTimeout(timer);
      await telling;
      // The last bets of a server that stops are seen on the others at once.
      if (untold.size > 0) await tellAll();
      await listener.close();
    },
  };
}
