import { drawName } from '@drawhouse/rules/time/draw-name';
import { wall, type WallTable } from '@drawhouse/contract/players/wall';
import { ApiError } from '@drawhouse/session/api-client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type CSSProperties } from 'react';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { OutcomePicture } from '../../../ui/pictures/OutcomePicture.ts';
import { useDigitWidth } from '../../../ui/useWidth.ts';
import { secondsUntil } from '@drawhouse/session/server-clock';
import {
  clockTarget,
  countdownText,
  intervalSeconds,
  isOver,
  LAST_SECONDS,
  PHASE_LABEL,
  phaseAt,
  useClockOffset,
  useServerClock,
} from '../drawClock.ts';
import { sourceWord } from '../LiveMarks.tsx';
import { formatClock } from '../liveFormat.ts';
import { resultTexts, wallTexts } from '../liveTexts.ts';
import { fillScreen, useAwake } from './useWall.ts';
import { chosenTables, readWallAddress, shownGame, wallNews, type WallNews, wallResult } from './wallTables.ts';
import { WallOutcome } from './WallMoment.tsx';
import screen from './WallScreen.module.css';
import classes from './PublicWall.module.css';

const EVERY_MS = 2_000;
/** Several follow each other faster. */
const SHOWN_MS = { alone: 6_000, several: 4_000 };

/** Shows no sums and no controls, and needs no session. */
export function PublicWall() {
  const [{ key, games, seconds }] = useState(() => readWallAddress(window.location));
  const { data, error } = useQuery({
    queryKey: ['wall', key],
    queryFn: async ({ signal }) => {
      const answer = await call(wall, { params: { key } }, { signal, background: true });
      return { ...answer, receivedAt: Date.now() };
    },
    refetchInterval: EVERY_MS,
    staleTime: 0,
    retry: false,
  });
  const offset = useClockOffset(data);
  useAwake();
  useDigitWidth();
  useFullScreen();
  const isMissing = error instanceof ApiError && error.status < 500 && error.status !== 429 && error.status > 0;
  if (isMissing || !data) return <NoWall message={error && errorMessage(error)} />;
  const tables = chosenTables(data.data, games);
  if (tables.length === 0) return <NoWall message={wallTexts.noGames} />;
  return (
    <WallTables tables={tables} at={data.serverTime} offset={offset} seconds={seconds} isHalted={error !== null} />
  );
}

function NoWall({ message }: { message: string | null }) {
  return (
    <main className={classes.none} aria-busy={message === null}>
      <title>{wallTexts.title}</title>
      {message === null ? <output>{wallTexts.connecting}</output> : <p role="alert">{message}</p>}
    </main>
  );
}

/** Full screen requires a gesture. */
function useFullScreen() {
  useEffect(() => {
    document.addEventListener('dblclick', fillScreen);
    return () => document.removeEventListener('dblclick', fillScreen);
  }, []);
}

interface WallTablesProps {
  tables: readonly WallTable[];
  at: string;
  offset: number;
  seconds: number;
  isHalted: boolean;
}

function WallTables({ tables, at, offset, seconds, isHalted }: WallTablesProps) {
  const turn = useTurn(seconds);
  const news = useWallNews(tables, at);
  const shown = tables.find(({ gameId }) => gameId === news?.gameId) ?? tables[turn % tables.length]!;
  const others = tables.filter((table) => table !== shown);
  const game = shownGame(shown);
  const [last] = shown.results;
  return (
    <main className={screen.wall} data-wall>
      <title>{wallTexts.title}</title>
      <header className={screen.head}>
        <Countdown key={shown.gameId} table={shown} offset={offset} className={screen.clock} />
        <div className={screen.what}>
          <h1 className={screen.game}>{shown.gameName}</h1>
          <p className={screen.draw}>
            {shown.draw && (
              <span>
                {wallTexts.draw} <strong>{drawName(shown.draw.number)}</strong>
                {shown.draw.outside !== null && `, ${resultTexts.outsideWord(shown.draw.outside)}`}
              </span>
            )}
            <Phase table={shown} offset={offset} />
            {shown.awaited.map(({ drawId, outside }) => (
              <span key={drawId}>{wallTexts.awaits(outside)}</span>
            ))}
          </p>
        </div>
      </header>
      {isHalted && (
        <p className={screen.trouble} role="alert">
          {wallTexts.reconnecting(formatClock(at))}
        </p>
      )}
      <section
        key={news?.result.drawId ?? shown.gameId}
        className={classes.stage}
        data-news={news !== null || undefined}
        aria-label={wallTexts.lastResult}
      >
        {last && (
          <>
            <WallOutcome game={game} result={last.result} />
            <p className={classes.facts}>
              {wallTexts.draw} <strong>{drawName(last.number)}</strong> · {sourceWord(last)},{' '}
              <strong>{last.booster} X</strong>
            </p>
          </>
        )}
        {!last && <p className={classes.facts}>{wallTexts.noResults}</p>}
      </section>
      <output className="unseen">
        {news && `${shown.gameName}: ${wallResult(game, news.result.result).text}, ${news.result.booster} X`}
      </output>
      <LastResults table={shown} />
      {others.length > 0 && <OtherTables tables={others} offset={offset} />}
    </main>
  );
}

function useTurn(seconds: number): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((before) => before + 1), seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  return turn;
}

/** Shows several new results one after another. */
function useWallNews(tables: readonly WallTable[], at: string): WallNews | null {
  const [seen, setSeen] = useState({ at, tables });
  const [queue, setQueue] = useState<readonly WallNews[]>([]);
  if (seen.at !== at) {
    const fresh = wallNews(tables, seen.tables, at);
    setSeen({ at, tables });
    if (fresh.length > 0) setQueue([...queue, ...fresh]);
  }
  const [first, second] = queue;
  const shownMs = second ? SHOWN_MS.several : SHOWN_MS.alone;
  useEffect(() => {
    if (!first) return undefined;
    const timer = setTimeout(() => setQueue((before) => before.slice(1)), shownMs);
    return () => clearTimeout(timer);
  }, [first, shownMs]);
  return first ?? null;
}

interface TableClockProps {
  table: WallTable;
  offset: number;
}

function Countdown({ table, offset, className }: TableClockProps & { className?: string | undefined }) {
  const state = { ...table, saved: null };
  const target = useServerClock(offset, (now) => clockTarget(state, phaseAt(state, now)) ?? '');
  const seconds = useServerClock(offset, (now) => (target === '' ? -1 : secondsUntil(target, now)));
  const text = target === '' ? '–' : countdownText(seconds, table.draw ? intervalSeconds(table.draw) : 0);
  return (
    <div
      role="timer"
      className={className}
      style={{ '--length': text.length } as CSSProperties}
      data-last={(seconds >= 0 && seconds <= LAST_SECONDS) || undefined}
    >
      {text}
    </div>
  );
}

function Phase({ table, offset }: TableClockProps) {
  const phase = useServerClock(offset, (now) => phaseAt({ ...table, saved: null }, now));
  return (
    <span className={screen.phase} data-open={phase === 'open' || undefined}>
      {isOver(phase) ? wallTexts.next : PHASE_LABEL[phase]}
    </span>
  );
}

function LastResults({ table }: { table: WallTable }) {
  const game = shownGame(table);
  return (
    <section className={screen.results} aria-label={wallTexts.lastResults}>
      <ul>
        {table.results.slice(1).map((result) => {
          const { text, picture } = wallResult(game, result.result);
          return (
            <li key={result.drawId}>
              {picture && <OutcomePicture {...picture} size={36} className={screen.resultImage} />}
              <strong>{text}</strong> {result.booster} X
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function OtherTables({ tables, offset }: { tables: readonly WallTable[]; offset: number }) {
  return (
    <ul className={classes.others} aria-label={wallTexts.otherTables}>
      {tables.map((table) => {
        const [last] = table.results;
        // Several winners would need more than a line.
        const drawn = last && !('winners' in last.result) && wallResult(shownGame(table), last.result);
        return (
          <li key={table.gameId}>
            <span className={classes.name}>{table.gameName}</span>
            {drawn && drawn.picture && <OutcomePicture {...drawn.picture} size={28} className={screen.resultImage} />}
            {drawn && <strong>{drawn.text}</strong>}
            <Countdown table={table} offset={offset} className={classes.small} />
          </li>
        );
      })}
    </ul>
  );
}
