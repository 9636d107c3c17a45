import { useEffect, createElement, useState, useCallback, type ReactNode } from 'react';
import { house } from '@drawhouse/session/house';
import { sessionFetchPause } from '@drawhouse/session/session-end';
import { useReachable } from '@drawhouse/session/server-reach';
import { Link, useAddress } from '../lib/navigation.ts';
import { useSession, useSessionTime } from '../lib/session/playerSession.ts';
import { useWallet, noteWallet } from '../lib/betting/wallet.ts';
import mark from '../ui/house.svg';
import { HouseLogo } from '../ui/House.tsx';
import { Money } from '../ui/Figures.tsx';
import { notifySetting, useDeviceStorage } from '../lib/useDeviceStorage.ts';
import { useLazyModule } from '../lib/useLazyModule.ts';
import buttons from '../ui/Button.module.css';
import { watchWallet, useConnectionState } from '../lib/server/liveConnection.ts';
import { confirmBy } from '../lib/server/playerApi.ts';
import { refreshSession, useClockDisagreement, useRestoring } from '../lib/session/sessionCalls.ts';
import { useOpenBets } from '../lib/betting/openBets.ts';
import { RequestLine } from '../ui/Notice.tsx';
import { useToast } from '../lib/toast.ts';
import styles from './Shell.module.css';
import { shellTexts } from './shellTexts.ts';
import { useNewVersion } from './workerUpdate.ts';
import noticeStyles from './ShellNotices.module.css';

export function Shell({ children }: { children: ReactNode }) {
  const session = useSession();
  const isPlayer = session?.role === 'user';
  const playerId = isPlayer ? session.user?._id : undefined;
  useEffect(() => {
    return playerId === undefined ? undefined : resumeStoredBets(playerId);
  }, [playerId]);
  return (
    <>
      <button type="button" className={styles.skip} onClick={() => document.getElementById('page')?.focus()}>
        {shellTexts.skip}
      </button>
      <header className={styles.bar}>
        <div className={styles.inside}>
          <Link href={isPlayer ? '/' : '/welcome'} className={styles.brand}>
            {house.logo ? <HouseLogo height={36} /> : <img src={mark} alt="" width="32" height="32" />}
            <span>{house.name}</span>
          </Link>
          {isPlayer && <WalletInBar />}
          <MenuButton isPlayer={isPlayer} />
        </div>
      </header>
      <ShellNotices />
      <div id="page" tabIndex={-1} className={styles.below}>
        {children}
      </div>
      {isPlayer && <SessionKeeper key={session.token} />}
      {playerId !== undefined && <LazyNotices accountId={playerId} />}
    </>
  );
}

function WalletInBar() {
  const wallet = useWallet();
  return (
    <Link href="/mine/statement" className={styles.wallet}>
      <span className={styles.walletLabel}>{shellTexts.wallet}</span>{' '}
      {wallet ? <Money points={wallet.walletBalance} /> : <span className={styles.walletGap} />}
      <span className="unseen">{shellTexts.openStatement}</span>
    </Link>
  );
}

/** Prefix of stored bets. */
const KEPT = 'bet/';

/** Resumes on any page if an outcome is unknown. */
function resumeStoredBets(accountId: string): () => void {
  const look = () => {
    const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    if (!names.some((name) => name.startsWith(`${KEPT}${accountId}/`))) return;
    import('../play/placing/lazyPlacing.ts').then(({ fetchPlacing }) => fetchPlacing()).catch(() => undefined);
  };
  look();
  window.addEventListener('storage', look);
  return () => window.removeEventListener('storage', look);
}

const loadNotices = async () => (await import('./DrawNotices.tsx')).DrawNotices;

function LazyNotices({ accountId }: { accountId: string }) {
  const [setting] = useDeviceStorage(notifySetting(accountId));
  const notices = useLazyModule(setting === 'on', loadNotices);
  return notices && createElement(notices);
}

const loadSheet = async () => (await import('./MenuSheet.tsx')).MenuSheet;

function loadAhead(): void {
  loadSheet().catch(() => undefined);
}

function MenuButton({ isPlayer }: { isPlayer: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useAddress();
  const sheet = useLazyModule(isOpen, loadSheet);
  return (
    <>
      <button
        type="button"
        className={`${buttons.icon} ${styles.open}`}
        aria-label={shellTexts.menu}
        aria-haspopup="dialog"
        onPointerEnter={loadAhead}
        onFocus={loadAhead}
        onClick={() => setOpen(true)}
      >
        <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
          <path d="M4 7h16M4 12h16M4 17h16" />
        </svg>
      </button>
      {isOpen && sheet && createElement(sheet, { isPlayer, path: pathname, onClose: () => setOpen(false) })}
    </>
  );
}

const loadStay = async () => (await import('./SessionSheets.tsx')).SessionExpirySheet;
const loadPassword = async () => (await import('./SessionSheets.tsx')).PasswordSheet;

/** Only the server knows the maximum lifetime. */
const SESSION_FRESH_MS = 5 * 60_000;

function SessionKeeper() {
  const { phase, leftMs } = useSessionTime();
  const [question, setQuestion] = useState<((isConfirmed: boolean) => void) | null>(null);
  const [stay, password] = [
    useLazyModule(phase === 'warning', loadStay),
    useLazyModule(question !== null, loadPassword),
  ];
  useEffect(() => watchWallet(noteWallet), []);
  useEffect(() => {
    let askedAt = 0;
    let failures = 0;
    let isStopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      if (document.visibilityState !== 'visible' || Date.now() - askedAt < SESSION_FRESH_MS) return;
      clearTimeout(timer);
      askedAt = Date.now();
      refreshSession().then(
        () => (failures = 0),
        () => {
          if (isStopped) return;
          askedAt = 0;
          failures += 1;
          timer = setTimeout(ask, sessionFetchPause(failures));
        },
      );
    };
    ask();
    document.addEventListener('visibilitychange', ask);
    window.addEventListener('pointerdown', ask);
    return () => {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
      window.removeEventListener('pointerdown', ask);
    };
  }, []);
  useClockDisagreement();
  useEffect(() => {
    confirmBy(() => new Promise((resolve) => setQuestion(() => resolve)));
    return () => confirmBy(async () => false);
  }, []);
  const answer = useCallback(
    (isConfirmed: boolean) => {
      question?.(isConfirmed);
      setQuestion(null);
    },
    [question],
  );
  return (
    <>
      {phase === 'warning' && stay && createElement(stay, { leftMs })}
      {question && password && createElement(password, { onAnswer: answer })}
    </>
  );
}

const loadRare = async () => (await import('./RareNotices.tsx')).RareNotices;

/** The board shows open bets itself. */
function OpenBetsLine() {
  const { pathname } = useAddress();
  const first = useOpenBets().find(({ gameId }) => pathname !== `/play/${gameId}`);
  if (!first) return null;
  return (
    <span className={noticeStyles.line}>
      <span>
        <strong>{shellTexts.notices.openBet.title}</strong> {shellTexts.notices.openBet.text(first.stake)}
      </span>
      <Link href={`/play/${first.gameId}`}>{shellTexts.notices.openBet.action}</Link>
    </span>
  );
}

function ShellNotices() {
  const isReachable = useReachable();
  // The board has its own notice, which moves nothing.
  const isBoard = /^\/play\/[^/]+$/.test(useAddress().pathname);
  const line = useConnectionState();
  const isNew = useNewVersion();
  const isRestoring = useRestoring();
  const toast = useToast();
  const rare = useLazyModule(isNew || isRestoring || line === 'lost' || line === 'elsewhere', loadRare);
  return (
    <>
      <div className={noticeStyles.top}>
        <output className={noticeStyles.lines}>
          {!isReachable && !isBoard && (
            <span className={noticeStyles.line} data-tone="bad">
              <strong>{shellTexts.notices.offline.title}</strong> {shellTexts.notices.offline.text}
            </span>
          )}
          <OpenBetsLine />
          {isReachable && rare && createElement(rare, { line, isNew, waits: isRestoring })}
        </output>
      </div>
      <output className={noticeStyles.foot}>
        {toast !== null && (
          <span className={noticeStyles.said}>
            {toast}
            <RequestLine error={toast} />
          </span>
        )}
      </output>
    </>
  );
}
