import type { Logger } from 'pino';
import type { Events, PanelKey, Services } from '../services.ts';
import { carryNews } from './news-carrier.ts';

/** Where servers tell each other which panels have changed. */
const PANELS_CHANNEL = 'panels';

/** What has changed on a panel: its stakes alone, or anything else besides. */
type Changed = Events['panelChanged'][1];
/** A panel as servers tell each other of it. */
type PanelNews = readonly [networkId: number, gameKey: string, what?: Changed];

/** Who hears of panels that have changed, here or on another server. */
export interface PanelHearer {
  readonly changed: (panel: PanelKey, what: Changed) => void;
  /** Others may have told something that nobody heard: whatever is shown is to be read anew. */
  readonly missed: () => void;
}

/**
 * Carries which panels have changed: at once to the hearer of this server, and within moments to those of all others on the database.
 * What a server that dies has not told yet, the others see when they read a panel again by themselves.
 */
export function carryPanelNews(
  services: Services,
  logger: Logger,
  { changed, missed }: PanelHearer,
): { close(): Promise<void> } {
  const carrier = carryNews<PanelNews>(services, logger, {
    channel: PANELS_CHANNEL,
    join: (earlier, later) => (later[2] === 'stakes' ? earlier : later),
    heard: ([networkId, gameKey, what = 'any']) => changed({ networkId, gameKey }, what),
    missed,
  });
  function collect(panel: PanelKey, what: Changed): void {
    changed(panel, what);
    const { networkId, gameKey } = panel;
    carrier.tell(`${networkId} ${gameKey}`, what === 'any' ? [networkId, gameKey] : [networkId, gameKey, what]);
  }
  services.events.on('panelChanged', collect);
  return {
    async close() {
      services.events.off('panelChanged', collect);
      await carrier.close();
    },
  };
}
