import type { Logger } from 'pino';
import type { Events, PanelKey, Services } from '../../platform/services.ts';
import { createBroadcast } from '../news/broadcast.ts';

const PANELS_CHANNEL = 'panels';

type Changed = Events['panelChanged'][1];
type PanelNews = readonly [networkId: number, gameKey: string, what?: Changed];

export interface PanelListener {
  readonly changed: (panel: PanelKey, what: Changed) => void;
  /** Notifications may have been lost: reread everything shown. */
  readonly missed: () => void;
}

/** This server at once, others within moments. A crashed server's unsent changes surface on the periodic reread. */
export function broadcastPanelChanges(
  services: Services,
  logger: Logger,
  { changed, missed }: PanelListener,
): { close(): Promise<void> } {
  const carrier = createBroadcast<PanelNews>(services, logger, {
    channel: PANELS_CHANNEL,
    join: (earlier, later) => (later[2] === 'stakes' ? earlier : later),
    onNews: ([networkId, gameKey, what = 'any']) => changed({ networkId, gameKey }, what),
    missed,
  });
  function collect(panel: PanelKey, what: Changed): void {
    changed(panel, what);
    const { networkId, gameKey } = panel;
    carrier.announce(`${networkId} ${gameKey}`, what === 'any' ? [networkId, gameKey] : [networkId, gameKey, what]);
  }
  services.events.on('panelChanged', collect);
  return {
    async close() {
      services.events.off('panelChanged', collect);
      await carrier.close();
    },
  };
}
