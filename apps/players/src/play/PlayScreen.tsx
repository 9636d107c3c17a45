import type { GameIdentity, GameRules } from '@drawhouse/rules/games/rules';
import { isClockNumber } from '@drawhouse/rules/time/draw-name';
import { type ComponentProps, createElement, lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { playerTexts } from '../lib/playerTexts.ts';
import { PageHeading } from '../ui/Page.tsx';
import { PauseNotice } from '../ui/PauseNotice.tsx';
import { Link } from '../lib/navigation.ts';
import { type BoardChoice, boardOf, type Board, type BoardProps } from './boards/boardCells.ts';
import { ChipTray, type Tool } from './chips/Chip.tsx';
import { scopeOf } from './keypad/keypadText.ts';
import { fetchPlacing } from './placing/lazyPlacing.ts';
import { ownWinners, useOpenStakes, usePayout } from './ownStakes.ts';
import { type PlayState, rulesOfPlay, type Settlements } from './playState.ts';
import { asksFirst, type PlaySettings, usePlaySettings } from '../lib/playSettings.ts';
import { useLazyModule } from '../lib/useLazyModule.ts';
import { useServerTime } from '../lib/server/serverTime.ts';
import type { OpenSheet } from './sheets/PlaySheets.tsx';
import { fetchExpand } from './slip/lazyExpand.ts';
import { fetchLines, SlipPanel } from './slip/SlipPanel.tsx';
import { stakeOf } from './slip/slipSums.ts';
import { DayLine, DrawBar, useDrawPhase } from './screen/DrawBar.tsx';
import { fetchLimits, PlaceDock } from './screen/PlaceDock.tsx';
import { usePlace } from './usePlace.ts';
import { useSlip, type SlipEditor } from './useSlip.ts';
import styles from './PlayScreen.module.css';
import { DrawnResult } from '../ui/result/DrawnResult.tsx';
import { playTexts } from './playTexts.ts';
import { removeBets } from './slip/slip.ts';

const Keypad = lazy(async () => ({ default: (await import('./boards/NumberBoard.tsx')).Keypad }));
const ResultCard = lazy(async () => ({ default: (await import('./screen/ResultMoment.tsx')).ResultCard }));
const ResultMoment = lazy(async () => ({ default: (await import('./screen/ResultMoment.tsx')).ResultMoment }));
const PlaySheets = lazy(async () => ({ default: (await import('./sheets/PlaySheets.tsx')).PlaySheets }));
const fetchAhead = () => {
  for (const part of [
    fetchExpand(),
    import('./slip/slipDesk.ts'),
    fetchPlacing(),
    fetchNotes(),
    fetchLines(),
    fetchLimits(),
  ])
    part.catch(() => undefined);
  import('./sheets/PlaySheets.tsx').catch(() => undefined);
};

interface PlayScreenProps {
  game: GameIdentity;
  state: PlayState;
  settled: Settlements;
}

export function PlayScreen({ game, state, settled }: PlayScreenProps) {
  const { gameId, heads, unitPrice } = state;
  const rules = useMemo(() => rulesOfPlay(game, heads), [game, heads]);
  const { accountId, settings, setSettings } = usePlaySettings();
  const [tool, setTool] = useState<Tool>({ units: 1 });
  const [open, setOpen] = useState<OpenSheet>(null);
  const phase = useDrawPhase(state);
  const opensAt = (phase === 'open' ? state.draw?.opensAt : state.nextOpensAt) ?? '';
  const editor = useSlip(rules, { accountId, gameId, opensAt });
  const place = usePlace(state, rules, editor);
  const stakes = useOpenStakes(state, rules, place.bets);
  const [result] = state.results;
  const payout = usePayout(gameId, result, settled, place.bets);
  const [board, setChoice] = useBoard(gameId, rules);
  const drawn = useDrawn(rules, result);
  const last = { state, rules, payout, mine: useMemo(() => ownWinners(result, rules), [result, rules]) };
  const units = tool === 'eraser' ? 1 : tool.units;
  const inScope = scopeOf(rules, board.choice);
  const ask = () => {
    if (asksFirst(settings, stakeOf(editor.slip.lines, unitPrice))) setOpen({ asks: state.draw! });
    else void place.place(state.draw!);
  };
  return (
    <div className={styles.table}>
      <BoardHead {...{ state, units, settings, setOpen }} isBusy={place.isBusy || open !== null} />
      <DrawBar state={state} phase={phase} stakes={stakes} payout={payout} />
      <Suspense fallback={<div className={styles.coming} />}>
        <div className={styles.board} onPointerDown={fetchAhead} onFocus={fetchAhead}>
          {isTyped(board) && (
            <Keypad
              {...{ state, rules }}
              choice={inScope}
              defaultUnits={units}
              onAdd={editor.addBets}
              onPaste={() => setOpen('list')}
            />
          )}
          <div className={styles.felt}>
            <PlayBoard
              {...{ state, rules, board, editor, tool, drawn }}
              placed={stakes?.units ?? NONE_PLACED}
              onChoice={setChoice}
            />
          </div>
          <GameLimits state={state} />
          <Results {...last} result={result} />
        </div>
        <div className={styles.slip} onPointerDown={fetchAhead} onFocus={fetchAhead}>
          <SlipPanel
            {...{ state, rules, editor }}
            onList={isTyped(board) ? null : () => setOpen('list')}
            onQuickPick={() => setOpen('pick')}
            onRepeat={() => void place.repeat()}
            onFavorites={() => setOpen('favorites')}
            onAhead={isScheduled(state) ? () => setOpen('ahead') : null}
          />
        </div>
      </Suspense>
      <div className={styles.dock}>
        <LazyNotes {...{ place, rules, editor }} />
        <ChipTray unitPrice={unitPrice} tool={tool} onTool={setTool} />
        <PlaceDock
          {...{ state, rules, phase }}
          slip={editor.slip}
          staked={stakes?.staked ?? null}
          isBusy={place.isBusy}
          onPlace={ask}
        />
      </div>
      <LazySheets
        {...{ open, state, rules, editor, units, settings }}
        scope={inScope}
        onSettings={setSettings}
        onPlace={(draw) => void place.place(draw)}
        onClose={() => setOpen(null)}
      />
    </div>
  );
}

function isScheduled({ draw, results }: PlayState): boolean {
  return isClockNumber(draw?.number ?? results[0]?.number ?? 0);
}

/** Results older than this on arrival are not presented. */
const MOMENT_MS = 15_000;

function useNewResult(result: PlayState['results'][number] | undefined): readonly [isNew: boolean, end: () => void] {
  const [seen, setSeen] = useState(result?.drawId);
  const drawsAt = result && result.drawId !== seen ? Date.parse(result.drawsAt) : -Infinity;
  const isNew = useServerTime(
    useCallback((now: number) => document.visibilityState === 'visible' && now - drawsAt < MOMENT_MS, [drawsAt]),
  );
  return [isNew, () => setSeen(result?.drawId)];
}

interface BoardHeadProps {
  state: PlayState;
  units: number;
  settings: PlaySettings;
  isBusy: boolean;
  setOpen: (sheet: OpenSheet) => void;
}

function BoardHead({ state, units, settings, isBusy, setOpen }: BoardHeadProps) {
  const rulesPath = `/play/${encodeURIComponent(state.gameId)}/rules?chip=${units}`;
  return (
    <div className={styles.head}>
      <PageHeading title={state.gameName} />
      <DayLine {...{ settings, rulesPath, isBusy }} onSettings={() => setOpen('settings')} />
      <PauseNotice />
    </div>
  );
}

function useBoard(gameId: string, rules: GameRules) {
  const [choice, setChoice] = useState<Partial<BoardChoice>>({});
  return [useMemo(() => boardOf(gameId, rules, choice), [gameId, rules, choice]), setChoice] as const;
}

const NONE_PLACED: ReadonlyMap<string, number> = new Map();
const NONE_DRAWN: ReadonlySet<string> = new Set();

function useDrawn(rules: GameRules, result: PlayState['results'][number] | undefined): ReadonlySet<string> {
  return useMemo(
    () => (result ? new Set(rules.winningBets(result.result).map(({ key }) => key)) : NONE_DRAWN),
    [rules, result],
  );
}

function GameLimits({ state }: { state: PlayState }) {
  const isLimited = Object.values(state.limits).some((limit) => limit !== null);
  const texts = useLazyModule(isLimited, fetchLimits)?.gameLimitTexts(state.limits) ?? [];
  return texts.length > 0 && <p className={styles.limits}>{texts.join(' ')}</p>;
}

type ResultsProps = Omit<ComponentProps<typeof ResultCard>, 'result'> & {
  result: PlayState['results'][number] | undefined;
};

function Results({ result, ...rest }: ResultsProps) {
  const [isNew, endMoment] = useNewResult(result);
  const { awaited } = rest.state;
  const waits = awaited.map(({ drawId, outside }) => (
    <output key={drawId} className={styles.limits}>
      {playerTexts.awaits(outside)}
    </output>
  ));
  if (!result) return waits;
  const props = { ...rest, result };
  return (
    <div className={styles.results}>
      {waits}
      <Suspense fallback={<div className={styles.result} />}>
        <ResultCard {...props} />
        {isNew && <ResultMoment {...props} key={result.drawId} onOver={endMoment} />}
      </Suspense>
      <EarlierResults state={rest.state} />
    </div>
  );
}

const fetchNotes = async () => (await import('./screen/DockNotes.tsx')).DockNotes;

function LazyNotes(props: ComponentProps<Awaited<ReturnType<typeof fetchNotes>>>) {
  const { bets, note } = props.place;
  const notes = useLazyModule(bets.length > 0 || note !== null || props.editor.dropped !== null, fetchNotes);
  return notes && createElement(notes, props);
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
  return (
    <div className={styles.earlier}>
      <ul className={styles.strip} aria-label={playTexts.earlierResults}>
        {before.map((drawn) => (
          <li key={drawn.drawId}>
            {/* Another app: needs a full page load. */}
            <a href={`/fair/${drawn.drawId}`}>
              <DrawnResult game={state} drawn={drawn} size={36} />
            </a>
          </li>
        ))}
      </ul>
      <Link href={`/results/${encodeURIComponent(state.gameId)}`}>{playTexts.allResults}</Link>
    </div>
  );
}

const TileBoard = lazy(async () => ({ default: (await import('./boards/TileBoard.tsx')).TileBoard }));
const NumberBoard = lazy(async () => ({ default: (await import('./boards/NumberBoard.tsx')).NumberBoard }));
const WheelBoard = lazy(async () => ({ default: (await import('./boards/wheel/WheelBoard.tsx')).WheelBoard }));

const BOARDS = { tiles: TileBoard, wheel: WheelBoard, numbers: NumberBoard, series: NumberBoard, tiers: NumberBoard };

interface PlayBoardProps {
  state: PlayState;
  rules: GameRules;
  board: Board;
  editor: SlipEditor;
  tool: Tool;
  placed: BoardProps['placed'];
  drawn: BoardProps['drawn'];
  onChoice: (choice: BoardChoice) => void;
}

function PlayBoard({ state, rules, board, editor, tool, placed, drawn, onChoice }: PlayBoardProps) {
  const Shown = BOARDS[board.grid];
  const erase = (keys: readonly string[]) => editor.change((slip) => removeBets(slip, keys));
  return (
    <Shown
      state={state}
      rules={rules}
      board={board}
      slip={editor.slip}
      placed={placed}
      drawn={drawn}
      onTouch={(text, keys) => (tool === 'eraser' ? erase(keys) : void editor.addBets(`${text}*${tool.units}`))}
      onErase={erase}
      onChoice={(next) => onChoice({ ...board.choice, ...next })}
    />
  );
}

/** True for games with too many numbers to search. */
function isTyped({ grid }: Board): boolean {
  return grid !== 'tiles' && grid !== 'wheel';
}
