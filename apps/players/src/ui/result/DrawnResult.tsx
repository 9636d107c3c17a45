import type { DrawResult } from '@drawhouse/contract/draws/draws';
import { setOf } from '@drawhouse/pictures/picture-sets';
import { shownOutcome } from '@drawhouse/rules/games/outcome-names';
import { resultName } from '@drawhouse/rules/panel/shown-result';
import { sharedText } from '../../lib/inLanguage.ts';
import styles from './DrawnResult.module.css';
import { outcomeDrawing } from '@drawhouse/pictures/outcome-drawing';
import { playerTexts } from '../../lib/playerTexts.ts';

export interface ResultGame {
  readonly gameId: string;
  readonly family: string;
}

export type ResultSource = Pick<DrawResult, 'source' | 'outside' | 'correctedAt'>;

export function sourceText({ source, outside, correctedAt }: ResultSource): string {
  if (outside === null) return playerTexts.sources[source];
  return correctedAt === null ? playerTexts.outside(outside) : playerTexts.corrected(outside);
}

function picturedOutcome({ gameId, family }: ResultGame, result: DrawResult['result']) {
  return setOf(gameId, family) === undefined ? null : shownOutcome({ gameId, family }, result);
}

export function ResultPicture({
  game,
  result,
  size,
}: {
  game: ResultGame;
  result: DrawResult['result'];
  size: number;
}) {
  const outcome = picturedOutcome(game, result);
  return outcome && <OutcomePicture gameId={game.gameId} family={game.family} {...outcome} size={size} />;
}

/** D: declared. G: generated. O: of an outside lottery. */
export function SourceSign({ source, outside, correctedAt }: ResultSource) {
  const text = sourceText({ source, outside, correctedAt });
  return (
    <abbr className={styles.source} data-source={source} title={text}>
      <span aria-hidden="true">{outside !== null ? 'O' : source === 'declared' ? 'D' : 'G'}</span>
      <span className="unseen">{outside === null ? playerTexts.sourceNames[source] : text}</span>
    </abbr>
  );
}

export function DrawnResult({
  game,
  drawn,
  size = 32,
}: {
  game: ResultGame;
  drawn: Pick<DrawResult, 'result' | 'booster'> & ResultSource;
  size?: number;
}) {
  const text = sharedText(resultName(game, drawn.result));
  const isPictured = picturedOutcome(game, drawn.result) !== null;
  return (
    <span className={styles.result}>
      <ResultPicture game={game} result={drawn.result} size={size} />
      <span className={isPictured ? 'unseen' : styles.number}>
        {text.split(' · ').map((one, nth) => (
          // One of a fixed list.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={nth}>{one} </span>
        ))}
      </span>
      {drawn.booster > 1 && <span className={styles.booster}>×{drawn.booster}</span>}
      <SourceSign {...drawn} />
    </span>
  );
}

export const OutcomePicture = outcomeDrawing(styles.picture!);
