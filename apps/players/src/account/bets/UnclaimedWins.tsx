import { useEffect, useId } from 'react';
import { watchWallet } from '../../lib/server/liveConnection.ts';
import { useWallet } from '../../lib/betting/wallet.ts';
import { Button } from '../../ui/Button.tsx';
import { Money } from '../../ui/Figures.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { richText } from '@drawhouse/session/rich-text';
import { betTexts } from './betTexts.ts';
import { BetRow } from './BetRow.tsx';
import { useClaim } from './useClaim.ts';
import { noteClaimed, readUnclaimedWins, useUnclaimedWins } from './useOwnBets.ts';
import styles from './MyBetsPage.module.css';

const texts = betTexts.wins;

export function UnclaimedWins({ isAlone }: { isAlone: boolean }) {
  const { data, error, reload, older } = useUnclaimedWins();
  const { claiming, failure, claim, claimAll } = useClaim(noteClaimed, reload);
  const winnings = useWallet()?.winnings ?? 0;
  const id = useId();
  useEffect(() => watchWallet(reload), [reload]);
  if (!data) {
    if (error !== undefined && isAlone) return <ReadFailure error={error} onRetry={reload} />;
    return isAlone || winnings > 0 ? <Skeleton heights={[132]} label={texts.loading} /> : null;
  }
  if (data.bets.length === 0) {
    if (failure !== null) return <Notice tone="bad" isSaid title={failure} />;
    return isAlone ? <Notice title={texts.none} /> : null;
  }
  return (
    <section className={styles.wins} aria-labelledby={id}>
      <h2 id={id}>
        {texts.title(data.total)}
        {winnings > 0 && (
          <>
            {': '}
            <Money points={winnings} />
          </>
        )}
      </h2>
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
      {data.bets.length > 1 && (
        <Button kind="main" isWide isBusy={claiming !== null} onClick={() => claimAll(readUnclaimedWins)}>
          {texts.claimAll(data.total)}
        </Button>
      )}
      <ul className={styles.list}>
        {data.bets.map((bet) => (
          <BetRow
            key={bet._id}
            bet={bet}
            action={
              <Button
                kind={data.bets.length > 1 ? 'plain' : 'main'}
                isWide
                isBusy={claiming === bet._id}
                onClick={() => claim(bet._id, bet.winpoints ?? 0)}
              >
                {richText(texts.claim, { points: <Money points={bet.winpoints ?? 0} /> })}
              </Button>
            }
          />
        ))}
      </ul>
      {data.next !== null && (
        <Button isWide isBusy={older.isComing} onClick={older.read}>
          {texts.more}
        </Button>
      )}
    </section>
  );
}
