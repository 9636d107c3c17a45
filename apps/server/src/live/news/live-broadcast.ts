import type { Logger } from 'pino';
import type { Services } from '../../platform/services.ts';
import type { LiveSockets } from '../sockets/live-sockets.ts';
import { broadcastPanelChanges } from '../panels/broadcast-panel-changes.ts';
import { carryWalletNews } from './wallet-news.ts';

export function broadcastLive(
  services: Services,
  logger: Logger,
  { panels, wallets }: Pick<LiveSockets, 'panels' | 'wallets'>,
): { close(): Promise<void> } {
  const carriers = [broadcastPanelChanges(services, logger, panels), carryWalletNews(services, logger, wallets)];
  return {
    async close() {
      await Promise.all(carriers.map((carrier) => carrier.close()));
    },
  };
}
