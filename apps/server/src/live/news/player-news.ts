import type { Logger } from 'pino';
import type { Services } from '../../platform/services.ts';
import { createSemaphore } from '../../platform/time/semaphore.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { refuse, type LiveServer, type LiveSocket } from '../sockets/live-socket.ts';
import type { PanelListener, WalletListener } from './broadcast.ts';
import { notifyNetwork } from './notify-network.ts';
import { newWatchedNetwork, requeue, takePending, notifyDueMs, type WatchedNetwork } from './pending-news.ts';

const RETRY_MS = 1_000;
const READS_AT_ONCE = 3;

export interface PlayerNews {
  /** Replaces earlier subscriptions. Sends current games and wallets first, then changes. */
  watch(socket: LiveSocket, games: readonly string[]): void;
  readonly panels: PanelListener;
  readonly wallets: WalletListener;
  close(): void;
}

interface WatchedNetworks {
  readonly byId: Map<number, WatchedNetwork>;
  schedule(this: void, network: WatchedNetwork): void;
  close(): void;
}

function createWatchedNetworks(io: LiveServer, services: Services, logger: Logger): WatchedNetworks {
  const byId = new Map<number, WatchedNetwork>();
  const reads = createSemaphore(READS_AT_ONCE);
  let closed = false;

  function schedule(network: WatchedNetwork, atLeastMs = 0): void {
    if (network.notifying || closed) return;
    const nowMs = performance.now();
    const dueAtMs = Math.max(notifyDueMs(network), nowMs + atLeastMs);
    if (network.timer !== undefined && network.dueAtMs <= dueAtMs) return;
    clearTimeout(network.timer);
    network.dueAtMs = dueAtMs;
    network.timer = setTimeout(() => void notify(network), Math.max(0, dueAtMs - nowMs)).unref();
  }

  async function notify(network: WatchedNetwork): Promise<void> {
    network.timer = undefined;
    if (network.accounts.size === 0) {
      byId.delete(network.networkId);
      return;
    }
    network.notifying = true;
    network.sentAtMs = performance.now();
    const pending = takePending(network);
    let againMs = 0;
    try {
      await reads.run(() => notifyNetwork(io, services, network, pending));
    } catch (error) {
      logger.error({ error }, 'news could not be sent to players');
      for (const socket of pending.newcomers.keys()) refuse(socket, new CallError('NOT_READY'));
      requeue(network, pending);
      network.boardChanged = true;
      againMs = RETRY_MS;
    }
    network.notifying = false;
    schedule(network, againMs);
  }

  return {
    byId,
    schedule,
    close() {
      closed = true;
      for (const network of byId.values()) clearTimeout(network.timer);
      byId.clear();
    },
  };
}

/** Reads each network once for all its watchers. */
export function createPlayerNews(io: LiveServer, services: Services, logger: Logger): PlayerNews {
  const watched = createWatchedNetworks(io, services, logger);
  const { byId: networks, schedule } = watched;
  let begun = (): void => {};

  function leave(network: WatchedNetwork, socket: LiveSocket): void {
    const { id } = socket.data.session.actor;
    network.pending.newcomers.delete(socket);
    const account = network.accounts.get(id);
    account?.sockets.delete(socket);
    if (account?.sockets.size === 0) network.accounts.delete(id);
  }

  function readAnew(network: WatchedNetwork): void {
    network.boardChanged = true;
    schedule(network);
  }

  return {
    watch(socket, games) {
      const { id, networkId } = socket.data.session.actor;
      const isFirst = networks.size === 0;
      const network = networks.get(networkId) ?? newWatchedNetwork(networkId);
      networks.set(networkId, network);
      const account = network.accounts.get(id) ?? { sockets: new Set(), sent: undefined };
      network.accounts.set(id, account);
      if (!account.sockets.has(socket)) {
        account.sockets.add(socket);
        socket.once('disconnect', () => leave(network, socket));
      }
      network.pending.newcomers.set(socket, games);
      schedule(network);
      if (isFirst) begun();
    },
    panels: {
      changed({ networkId }, what) {
        const network = networks.get(networkId);
        if (network && what === 'any') readAnew(network);
      },
      missed() {
        for (const network of networks.values()) readAnew(network);
      },
    },
    wallets: {
      isWatched: () => networks.size > 0,
      whenBegun: (notifyOthers) => void (begun = notifyOthers),
      moved({ networkId, accountIds }) {
        const network = networks.get(networkId);
        if (!network) return;
        for (const accountId of accountIds) if (network.accounts.has(accountId)) network.pending.moved.add(accountId);
        if (network.pending.moved.size > 0) schedule(network);
      },
      paid({ networkId, gameKey, drawId }) {
        const network = networks.get(networkId);
        if (!network || network.sentDraws.has(drawId)) return;
        network.pending.paid.set(drawId, gameKey);
        schedule(network);
      },
      missed() {
        for (const network of networks.values()) {
          network.sweptAtMs = -Infinity;
          schedule(network);
        }
      },
    },
    close: () => watched.close(),
  };
}
