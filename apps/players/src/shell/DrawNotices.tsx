import type { Lobby } from '@drawhouse/contract/players/lobby';
import type { WalletNews } from '@drawhouse/contract/players/player-live';
import { house } from '@drawhouse/session/house';
import { useEffect, useState } from 'react';
import { LOBBY } from '../lib/betting/useLobby.ts';
import { watchWallet } from '../lib/server/liveConnection.ts';
import { cachedData } from '../lib/server/useQuery.ts';
import { notifySetting, useDeviceStorage } from '../lib/useDeviceStorage.ts';
import styles from './Shell.module.css';
import { shellSheetTexts } from './shellSheetTexts.ts';

const texts = shellSheetTexts.notify;

type Settled = NonNullable<WalletNews['settled']>;

/** Lets other tabs report that they show the draw. */
const SEEN_MS = 500;

const isOnHere = (): boolean => 'Notification' in window && Notification.permission === 'granted';

async function notify({ gameId, drawId, staked, won }: Settled): Promise<void> {
  const { games } = (cachedData(LOBBY) as Lobby | undefined) ?? { games: [] };
  const title = texts.title(games.find((game) => game.gameId === gameId)?.gameName ?? texts.game);
  const path = `/play/${encodeURIComponent(gameId)}`;
  // One notification per draw, however many tabs are open.
  const options = { body: texts.body(staked, won), tag: drawId, icon: '/players/players-icon-192.png', data: { path } };
  const worker = await navigator.serviceWorker?.getRegistration();
  // Android takes notifications from a worker only.
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options).addEventListener('click', () => window.focus());
}

export function DrawNotices(): null {
  useEffect(() => {
    const tabs = new BroadcastChannel('draws-seen');
    const waiting = new Map<string, ReturnType<typeof setTimeout>>();
    tabs.addEventListener('message', ({ data }) => clearTimeout(waiting.get(data as string)));
    const stop = watchWallet(({ settled }) => {
      if (!settled) return;
      // A channel stays within its origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      if (document.visibilityState === 'visible') tabs.postMessage(settled.drawId);
      else if (isOnHere())
        waiting.set(
          settled.drawId,
          setTimeout(() => void notify(settled).catch(() => undefined), SEEN_MS),
        );
    });
    return () => {
      stop();
      tabs.close();
      for (const timer of waiting.values()) clearTimeout(timer);
    };
  }, []);
  return null;
}

/** Only this switch asks the browser for permission. */
export function NotifySwitch({ accountId }: { accountId: string }) {
  const [stored, store] = useDeviceStorage(notifySetting(accountId));
  const [isRefused, setRefused] = useState(false);
  if (!('Notification' in window)) return null;
  const change = async (isOn: boolean) => {
    const isAllowed = !isOn || (await Notification.requestPermission()) === 'granted';
    setRefused(!isAllowed);
    store(isOn && isAllowed ? 'on' : '');
  };
  return (
    <div className={styles.notify}>
      <label>
        <input
          type="checkbox"
          role="switch"
          aria-checked={stored === 'on' && isOnHere()}
          checked={stored === 'on' && isOnHere()}
          onChange={(event) => void change(event.target.checked)}
        />
        <span>{texts.label}</span>
      </label>
      <p>{isRefused ? texts.refused : texts.help(house.name)}</p>
    </div>
  );
}
