import { BUILT_IN_GAMES, SUITS } from '@drawhouse/rules/games/catalogue';
import { RANKS, outcomeOfNumber } from '@drawhouse/rules/games/outcome-names';
import styles from './GameCover.module.css';
import { OutcomePicture } from './DrawnResult.tsx';

interface CoveredGame {
  readonly gameId: string;
  readonly family: string;
  readonly digits: number;
}

type Pictured = ReturnType<typeof outcomeOfNumber>;

const PICTURES = 3;
const LOTTERY_WIDTHS: Readonly<Record<string, number>> = { lottery3d: 3, jodi: 2 };

/** Spreads ids evenly, so that games of one family look different. */
function seedOf(gameId: string): number {
  return Array.from(gameId).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
}

/** Returns the same outcomes on every visit. */
export function coverOf(game: CoveredGame): readonly Pictured[] {
  const { gameId, family } = game;
  // 38 pockets are 0 to 36 and 00; covers leave out 00.
  const digits = family === 'roulette' && game.digits === 38 ? 37 : game.digits;
  const seed = seedOf(gameId);
  const first = BUILT_IN_GAMES.find((each) => each.gameId === gameId)?.first ?? 0;
  return Array.from({ length: PICTURES }, (_, nth): Pictured => {
    const at = (seed + nth * (Math.floor(digits / PICTURES) + 1)) % digits;
    if (family === 'andarbahar') {
      const { symbol, color } = SUITS[(seed + nth) % SUITS.length]!;
      return { drawno: String(at + 1), label: `${RANKS[at]}${symbol}`, color };
    }
    if (family === 'triple') return outcomeOfNumber(game, '7'.repeat(nth + 1));
    if (family === 'lottery4d') return outcomeOfNumber(game, String(1000 + 2000 * nth + (seed % 1000)));
    const width = LOTTERY_WIDTHS[family] ?? 0;
    const last = width === 0 ? digits : 10 ** width;
    return outcomeOfNumber(game, String((at % last) + first).padStart(width, '0'));
  });
}

/** Degrees. Neighbors in the list of games are far apart. */
export function hueOf(gameId: string): number {
  const place = BUILT_IN_GAMES.findIndex((game) => game.gameId === gameId);
  return Math.round((place < 0 ? seedOf(gameId) : place) * 137.5) % 360;
}

export function GameCover({ game, size }: { game: CoveredGame; size: number }) {
  const { gameId, family } = game;
  return (
    <span className={styles.cover} style={{ '--hue': hueOf(gameId) } as object} aria-hidden="true">
      {coverOf(game).map((outcome, nth) => (
        // Two outcomes may be equal in a game of one or two.
        // oxlint-disable-next-line react/no-array-index-key
        <OutcomePicture key={nth} gameId={gameId} family={family} {...outcome} size={size} />
      ))}
    </span>
  );
}
