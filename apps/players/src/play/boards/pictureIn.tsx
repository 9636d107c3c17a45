import { setOf } from '@drawhouse/pictures/picture-sets';
import { PictureOfOutcome } from '../../ui/PictureOfOutcome.ts';
import type { PlayState } from '../playNews.ts';
import type { BoardCell } from './boardCells.ts';

/** Sets whose pictures have the number or the card written on them. */
const WRITTEN: readonly (string | undefined)[] = ['cards', 'pingPong1', 'pingPong2'];

/** Whether the pictures of a game say by themselves what they are, so that nothing need stand beneath them. */
export function isWritten({ gameId, family, outcomes }: PlayState): boolean {
  return WRITTEN.includes(setOf(gameId, family)) && outcomes.every(({ image }) => image === null);
}

/** The picture of the outcome that a cell is named for; null where it is a plain number, or a colour. */
export function pictureIn(state: PlayState, { outcome }: BoardCell, size: number, className?: string) {
  if (!outcome) return null;
  const { gameId, family, outcomes } = state;
  const image = outcomes.find(({ drawno }) => drawno === outcome.drawno)?.image ?? null;
  if (image === null && setOf(gameId, family) === undefined) return null;
  return (
    <PictureOfOutcome
      gameId={gameId}
      family={family}
      {...outcome}
      image={image}
      size={size}
      className={className ?? ''}
    />
  );
}
