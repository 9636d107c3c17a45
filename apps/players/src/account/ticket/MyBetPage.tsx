import { LANGUAGES, language } from '@drawhouse/session/language';
import { playerTexts } from '../../lib/playerTexts.ts';
import { drawName, isClockNumber } from '@drawhouse/rules/time/draw-name';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { slotsWonBy } from '@drawhouse/rules/panel/shown-result';
import { shortSeal } from '@drawhouse/tlog/short-seal';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { fetchFamily, rulesOf } from '../../lib/betting/familyRules.ts';
import { countText, dateText, pointsText } from '../../lib/amounts.ts';
import { watchGames, watchWallet } from '../../lib/server/liveConnection.ts';
import { Link } from '../../lib/navigation.ts';
import type { PageProps } from '../../lib/matchPath.ts';
import { call, saveFile } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { refetch, useQuery } from '../../lib/server/useQuery.ts';
import { Button } from '../../ui/Button.tsx';
import { sourceText } from '../../ui/result/DrawnResult.tsx';
import { AllWinners } from '../../ui/result/AllWinners.tsx';
import { Money } from '../../ui/Figures.tsx';
import { HouseFooter } from '../../ui/House.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { BetLines } from './BetLines.tsx';
import { TicketResult, BetTerm, StakeTerm, WonTerm } from '../bets/BetRow.tsx';
import { noWinText, outcomeOf } from '../bets/betStates.ts';
import { betTexts } from '../bets/betTexts.ts';
import type { OwnBet } from './proveBet.ts';
import { useClaim } from '../bets/useClaim.ts';
import { richText } from '@drawhouse/session/rich-text';
import { ticketTexts as texts } from './ticketTexts.ts';
import styles from './MyBetPage.module.css';

const BetProofCard = lazy(async () => ({ default: (await import('./BetProofCard.tsx')).BetProofCard }));
const PrintSheet = lazy(async () => ({ default: (await import('./PrintSheet.tsx')).PrintSheet }));

export function MyBetPage({ params }: PageProps) {
  const ticketId = params['ticketId'] ?? '';
  const { data, error, reload } = useQuery(`bet/${ticketId}`, async (signal) => {
    const answer = await call(accountRoutes.ticket, { params: { ticketId } }, { signal, background: true });
    await fetchFamily(answer.ticket.family);
    return answer;
  });
  const bet = data?.ticket;
  return (
    <Page>
      <PageHeading title={bet?.gameName ?? texts.title} tabTitle={texts.tabTitle(bet?.ticketId ?? ticketId)}>
        <Link href="/mine/bets">{texts.allBets}</Link>
      </PageHeading>
      {error !== undefined && <BetFailure error={error} onRetry={reload} />}
      {bet === undefined && error === undefined && <Skeleton heights={[180, 160, 220]} label={texts.loading} />}
      {bet && (
        <>
          <Bet bet={bet} seal={data?.seal} reload={reload} />
          <HouseFooter />
        </>
      )}
    </Page>
  );
}

function BetFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isNone = error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'INVALID_INPUT');
  if (!isNone) return <ReadFailure error={error} onRetry={onRetry} />;
  return <Notice tone="warn" title={error.code === 'NOT_FOUND' ? error.message : texts.notATicket} />;
}

function Bet({ bet, seal, reload }: { bet: OwnBet; seal: string | undefined; reload: () => void }) {
  const [isPrinting, setPrinting] = useState(false);
  useLiveBet(bet, reload);
  return (
    <>
      {bet.undoneAt !== null && (
        <Notice tone="warn" title={texts.undone(bet.undoneAt)}>
          {texts.undoneHelp}
        </Notice>
      )}
      <Summary bet={bet} />
      <Corrections rows={bet.corrections} />
      <Claim bet={bet} reload={reload} />
      <BetLines bet={bet} />
      <section className={styles.receipt} aria-label={texts.receipt.title}>
        <h2>{texts.receipt.title}</h2>
        <p>{texts.receipt.help}</p>
        <code className={styles.digest}>{bet.digest}</code>
        <SealLine seal={seal} />
        <div className={styles.acts}>
          {bet.undoneAt === null && <Button onClick={() => setPrinting(true)}>{texts.receipt.print}</Button>}
          <Button kind="quiet" onClick={() => saveReceipt(bet, seal)}>
            {texts.receipt.save}
          </Button>
        </div>
      </section>
      <Suspense fallback={<Skeleton heights={[220]} label={texts.proof.loading} />}>
        <BetProofCard bet={bet} />
      </Suspense>
      {isPrinting && (
        <Suspense>
          <PrintSheet bet={bet} seal={shortSeal(seal)} onClose={() => setPrinting(false)} />
        </Suspense>
      )}
    </>
  );
}

function SealLine({ seal }: { seal: string | undefined }) {
  const short = shortSeal(seal);
  if (!short) return null;
  return (
    <p className={styles.seal}>
      {richText(texts.receipt.seal, {
        sealed: <strong>{texts.receipt.sealed}</strong>,
        origin: <code>{short.origin}</code>,
        count: countText(short.size),
        root: <code>{short.root}</code>,
      })}{' '}
      {/* Another app: needs a full page load. */}
      <a href="/fair#seals">{texts.receipt.aboutSeals}</a>
    </p>
  );
}

function saveReceipt({ ticketId, drawId, gameId, lines, playpoints, placedAt, digest }: OwnBet, seal?: string): void {
  const receipt = {
    ticketId,
    drawId,
    gameId,
    lines,
    playpoints,
    placedAt,
    digest,
    ...(seal !== undefined && { seal }),
  };
  const text = `${JSON.stringify(receipt, null, 2)}\n`;
  saveFile(new Blob([text], { type: 'application/json' }), texts.receipt.fileName(ticketId));
}

function wonSlots({ gameId, family, digits, lines, draw }: OwnBet): ReadonlySet<string> {
  if (!draw.result || !('winners' in draw.result)) return new Set();
  const rules = rulesOf({ gameId, family: family as FamilyName, digits });
  const keys = lines.map((line) => rules.parseBet(line)).map((bet) => (bet.ok ? bet.key : null));
  return slotsWonBy(rules, draw.result.winners, (key) => keys.includes(key));
}

function Summary({ bet }: { bet: OwnBet }) {
  const { ticketId, draw, playpoints, winpoints, placedAt, claimedAt, manualClaims } = bet;
  const standing = outcomeOf(bet);
  const { source, outside, correctedAt } = draw;
  const result = draw.result && 'winners' in draw.result ? draw.result : null;
  return (
    <section className={styles.summary} aria-label={texts.summary}>
      <p className={styles.name}>
        <code>{ticketId}</code>
        <span className={styles.standing} data-standing={standing}>
          {betTexts.outcomes[standing]}
        </span>
      </p>
      <dl>
        <StakeTerm points={playpoints} />
        <WonTerm points={winpoints} otherwise={noWinText(bet.status)} />
        {result === null && (
          <BetTerm
            name={texts.result}
            more={source !== null && <dd className={styles.more}>{sourceText({ source, outside, correctedAt })}</dd>}
          >
            <TicketResult bet={bet} size={40} />
          </BetTerm>
        )}
        <DrawTerm draw={draw} />
        <div>
          <dt>{texts.placed}</dt>
          <dd className={styles.more}>{dateText(placedAt)}</dd>
        </div>
        {standing === 'won' && claimedAt !== null && (
          <div>
            <dt>{manualClaims === 'yes' ? texts.claimed : texts.paid}</dt>
            <dd className={styles.more}>{dateText(claimedAt)}</dd>
          </div>
        )}
      </dl>
      {result && (
        <AllWinners
          result={result}
          mine={wonSlots(bet)}
          booster={draw.booster ?? 1}
          source={source !== null && sourceText({ source, outside, correctedAt })}
        />
      )}
    </section>
  );
}

function DrawTerm({ draw: { number, drawsAt, source, outside } }: Pick<OwnBet, 'draw'>) {
  const at = dateText(drawsAt);
  const name = isClockNumber(number) ? drawName(number, LANGUAGES[language].dates) : texts.drawNumber(number);
  const more = [
    // A scheduled draw is named by the clock of the house, which differs from this device's elsewhere.
    ...(name === at ? [] : [name]),
    // The result names its source itself.
    ...(source === null && outside !== null ? [playerTexts.outside(outside)] : []),
  ];
  return (
    <BetTerm name={texts.draw} more={more.length > 0 && <dd className={styles.more}>{more.join(', ')}</dd>}>
      {at}
    </BetTerm>
  );
}

function Corrections({ rows }: { rows: OwnBet['corrections'] }) {
  const last = rows.at(-1);
  const kept = last ? last.paid - last.win : 0;
  return rows.map(({ at, before, after, moved, reason }) => (
    <Notice key={at} tone="warn" title={texts.corrected(before, after, dateText(at))}>
      {moved > 0 && `${texts.correctionPaid(pointsText(moved))} `}
      {moved < 0 && `${texts.correctionTaken(pointsText(-moved))} `}
      {at === last?.at && kept > 0 && `${texts.correctionKept(pointsText(kept))} `}
      {texts.correctionReason(reason)}
    </Notice>
  ));
}

function Claim({ bet, reload }: { bet: OwnBet; reload: () => void }) {
  const { claiming, failure, claim } = useClaim(reload, reload);
  const win = bet.winpoints ?? 0;
  if (outcomeOf(bet) !== 'waiting') return failure === null ? null : <Notice tone="bad" isSaid title={failure} />;
  return (
    <Notice
      tone="good"
      title={texts.claim.ready}
      action={
        <Button kind="main" isBusy={claiming !== null} onClick={() => claim(bet._id, win)}>
          {richText(texts.claim.action, { points: <Money points={win} /> })}
        </Button>
      }
    >
      {failure ?? texts.claim.help}
    </Notice>
  );
}

function useLiveBet({ _id: ticketId, gameId, drawId, status }: OwnBet, reload: () => void): void {
  const isOpen = status === 'open';
  useEffect(() => {
    if (!isOpen) return;
    const read = () => {
      reload();
      refetch(`proof/${drawId}/${ticketId}`);
    };
    const stops = [watchGames([gameId], read), watchWallet(read)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [isOpen, gameId, drawId, ticketId, reload]);
}
