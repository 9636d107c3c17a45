import type { Logger } from 'pino';
import type { Services } from '../services.ts';
import type { LiveSockets } from './live-sockets.ts';
import { carryPanelNews } from './panel-news.ts';
import { carryWalletNews } from './wallet-news.ts';

/** Carries what is live to the sockets of this server, and between it and the others on the database. */
export function carryLiveNews(
  services: Services,
  logger: Logger,
  { panels, wallets }: Pick<LiveSockets, 'panels' | 'wallets'>,
): { close(): Promise<void> } {
  const carriers = [carryPanelNews(services, logger, panels), carryWalletNews(services, logger, wallets)];
  return {
    async close() {
      await Promise.all(carriers.map((carrier) => carrier.close()));
    },
  };
}
