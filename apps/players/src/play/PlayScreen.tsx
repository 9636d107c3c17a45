import type { GameIdentity, GameRules } from '@drawhouse/rules/games/rules';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Notice } from '../ui/Notice.tsx';
import { PageHeading } from '../ui/Page.tsx';
import { PauseNotice } from '../ui/PauseNotice.tsx';
import { boardOf } from './boards/boardCells.ts';
import type { BoardChoice } from './boards/boardCells.ts';
import { isTyped, PlayBoard } from './boards/PlayBoard.tsx';
import { ChipTray } from './chips/ChipTray.tsx';
import type { Tool } from './chips/ChipTray.tsx';
import { scopeOf } from './keypad/keypadText.ts';
import { fetchPlacing, forgetBet, loadedPlacing } from './placing/lazyPlacing.ts';
import { rulesOfPlay, resultGame } from './playState.ts';
import type { PlayState, Settlements } from './playState.ts';
import { asksFirst } from '../lib/playSettings.ts';
import { usePlaySettings } from '../lib/playSettings.ts';
import type { OpenSheet } from './sheets/PlaySheets.tsx';
import { fetchExpand } from './slip/lazyExpand.ts';
import { fetchLines, SlipPanel } from './slip/SlipPanel.tsx';
import { stakeOf } from './slip/slipSums.ts';
import { gameLimitTexts } from './slip/remainingLimits.ts';
import { DayLine } from './screen/DayLine.tsx';
import { DrawBar, useDrawPhase } from './screen/DrawBar.tsx';
import { usePayout } from './screen/usePayout.ts';
import { PlaceDock } from './screen/PlaceDock.tsx';
import { usePlace } from './usePlace.ts';
import type { Placer } from './usePlace.ts';
import { useSlip } from './useSlip.ts';
import type { SlipEditor } from './useSlip.ts';
import styles from './PlayScreen.module.css';
import { DrawnResult } from '../ui/DrawnResult.tsx';
import { playTexts } from './playTexts.ts';

const Keypad = lazy(async () => ({ default: (await import('./boards/NumberBoard.tsx')).Keypad }));
const ResultCard = lazy(async () => ({ default: (await import('./screen/ResultCard.tsx')).ResultCard }));
const PlaySheets = lazy(async () => ({ default: (await import('./sheets/PlaySheets.tsx')).PlaySheets }));
/** Preloads on first interaction. Failures retry on use. */
const fetchAhead = () => {
  for (const part of [fetchExpand(), fetchPlacing(), fetchLines(), import('./sheets/PlaySheets.tsx')])
    part.catch(() => undefined);
};
const SHOWN_BETS = 3;

interface PlayScreenProps {
  game: GameIdentity;
  state: PlayState;
  settled: Settlements;
}

export function PlayScreen({ game, state, settled }: PlayScreenProps) {
  const { gameId, heads, unitPrice } = state;
  const rules = useMemo(() => rulesOfPlay(game, heads), [game, heads]);
  const { accountId, settings, setSettings } = usePlaySettings();
  const [choice, setChoice] = useState<Partial<BoardChoice>>({});
  const [tool, setTool] = useState<Tool>({ units: 1 });
  const [open, setOpen] = useState<OpenSheet>(null);
  const editor = useSlip(rules);
  const place = usePlace(state, rules, editor);
  const phase = useDrawPhase(state);
  const [result] = state.results;
  const payout = usePayout(gameId, result, settled, place.bets);
  const board = useMemo(() => boardOf(game, rules, choice), [game, rules, choice]);
  const units = tool === 'eraser' ? 1 : tool.units;
  const inScope = scopeOf(rules, board.choice);
  const ask = () => {
    if (asksFirst(settings, stakeOf(editor.slip.lines, unitPrice))) setOpen({ asks: state.draw! });
    else void place.place(state.draw!);
  };
  // With stakes, the result comes above the board, otherwise below.
  const last = result && <LazyResult state={state} rules={rules} result={result} payout={payout} />;
  return (
    <div className={styles.table}>
      <div className={styles.head}>
        <PageHeading title={state.gameName} />
        <DayLine settings={settings} onSettings={() => setOpen('settings')} isBusy={place.isBusy || open !== null} />
      </div>
      <div className={styles.draw}>
        <DrawBar state={state} />
        <PauseNotice />
        <BetStatuses place={place} rules={rules} editor={editor} />
        {payout && last}
      </div>
      <Suspense fallback={<div className={styles.coming} />}>
        <div className={styles.board} onPointerDown={fetchAhead} onFocus={fetchAhead}>
          {isTyped(board) && (
            <Keypad
              state={state}
              rules={rules}
              choice={inScope}
              defaultUnits={units}
              onAdd={editor.addBets}
              onPaste={() => setOpen('list')}
            />
          )}
          <div className={styles.felt}>
            <PlayBoard state={state} rules={rules} board={board} editor={editor} tool={tool} onChoice={setChoice} />
          </div>
          <BelowFelt state={state}>{!payout && last}</BelowFelt>
        </div>
        <div className={styles.slip} onPointerDown={fetchAhead} onFocus={fetchAhead}>
          <SlipPanel
            state={state}
            rules={rules}
            editor={editor}
            onQuickPick={() => setOpen('pick')}
            onRepeat={() => void place.repeat()}
            onFavourites={() => setOpen('favourites')}
          />
        </div>
      </Suspense>
      <div className={styles.dock}>
        <ChipTray unitPrice={unitPrice} tool={tool} onTool={setTool} />
        <PlaceDock state={state} rules={rules} phase={phase} slip={editor.slip} isBusy={place.isBusy} onPlace={ask} />
      </div>
      <LazySheets
        open={open}
        state={state}
        rules={rules}
        editor={editor}
        scope={inScope}
        units={units}
        storageKey={`${accountId}/${gameId}`}
        settings={settings}
        onSettings={setSettings}
        onPlace={(draw) => void place.place(draw)}
        onClose={() => setOpen(null)}
      />
    </div>
  );
}

function BelowFelt({ state, children }: { state: PlayState; children: ReactNode }) {
  return (
    <>
      <GameLimits state={state} />
      {children}
      <EarlierResults state={state} />
    </>
  );
}

function GameLimits({ state }: { state: PlayState }) {
  const texts = gameLimitTexts(state.limits);
  return texts.length > 0 && <p className={styles.limits}>{texts.join(' ')}</p>;
}

function BetStatuses({ place, rules, editor }: { place: Placer; rules: GameRules; editor: SlipEditor }) {
  const BetStatusCard = loadedPlacing()?.BetStatusCard;
  return (
    <>
      {BetStatusCard &&
        place.bets
          .toReversed()
          .slice(0, SHOWN_BETS)
          .map((bet) => (
            <BetStatusCard
              key={bet.requestId}
              bet={bet}
              rules={rules}
              onAgain={editor.load}
              onSeen={() => forgetBet(bet.requestId)}
            />
          ))}
      {place.note !== null && (
        <Notice isSaid tone="warn">
          {place.note}
        </Notice>
      )}
    </>
  );
}

function LazyResult(props: ComponentProps<typeof ResultCard>) {
  return (
    <Suspense fallback={<div className={styles.result} />}>
      <ResultCard {...props} />
    </Suspense>
  );
}

function LazySheets(props: ComponentProps<typeof PlaySheets>) {
  return (
    props.open !== null && (
      <Suspense>
        <PlaySheets {...props} />
      </Suspense>
    )
  );
}

const SHOWN = 8;

function EarlierResults({ state }: { state: PlayState }) {
  const before = state.results.slice(1, 1 + SHOWN);
  if (before.length === 0) return null;
  const game = resultGame(state);
  return (
    <ul className={styles.strip} aria-label={playTexts.earlierResults}>
      {before.map((drawn) => (
        <li key={drawn.drawId}>
          {/* Separate app, so a full page load. */}
          <a href={`/fair/${drawn.drawId}`}>
            <DrawnResult game={game} drawn={drawn} size={36} />
          </a>
        </li>
      ))}
    </ul>
  );
}
