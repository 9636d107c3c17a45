import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Link } from '../lib/navigation.ts';
import { useSession } from '../lib/playerSession.ts';
import { playerTexts } from '../lib/playerTexts.ts';
import { useWallet } from '../lib/wallet.ts';
import house from '../ui/house.svg';
import { Money } from '../ui/Money.tsx';
import { finishTickets } from './finishTickets.ts';
import { FrameMenu } from './FrameMenu.tsx';
import { FrameNotices } from './FrameNotices.tsx';
import { SessionKeeper } from './SessionKeeper.tsx';
import styles from './PageFrame.module.css';

/** What stands around every page: the bar with the wallet and the menu, and what is said at once wherever one is. */
export function PageFrame({ children }: { children: ReactNode }) {
  const session = useSession();
  const isPlayer = session?.role === 'user';
  const playerId = isPlayer ? session.user?._id : undefined;
  useEffect(() => {
    return playerId === undefined ? undefined : finishTickets(playerId);
  }, [playerId]);
  return (
    <>
      <button type="button" className={styles.skip} onClick={() => document.getElementById('page')?.focus()}>
        To the page
      </button>
      <header className={styles.bar}>
        <div className={styles.inside}>
          <Link to={isPlayer ? '/' : '/welcome'} className={styles.brand}>
            <img src={house} alt="" width="32" height="32" />
            <span>{playerTexts.product}</span>
          </Link>
          {isPlayer && <WalletInBar />}
          <FrameMenu isPlayer={isPlayer} />
        </div>
      </header>
      <FrameNotices />
      <div id="page" tabIndex={-1} className={styles.below}>
        {children}
      </div>
      {isPlayer && <SessionKeeper key={session.token} session={session} />}
    </>
  );
}

function WalletInBar() {
  const wallet = useWallet();
  return (
    <Link to="/mine/statement" className={styles.wallet}>
      <span className={styles.walletLabel}>Wallet</span>{' '}
      {wallet ? <Money points={wallet.walletBalance} /> : <span className={styles.walletGap} />}
      <span className="unseen">, to the statement</span>
    </Link>
  );
}
