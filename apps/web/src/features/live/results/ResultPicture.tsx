import type { ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { drawnOutcome } from '@drawhouse/rules/shown-result';
import { OutcomePicture } from '../../../ui/pictures/OutcomePicture.ts';
import { pictureFor } from '../../../ui/pictures/pictureSets.ts';
import type { Depicted } from '@drawhouse/pictures/outcome-drawing';

/** Null if text says as much. */
export function resultPicture(panel: Panel, result: ResultData): Depicted | null {
  const outcome = drawnOutcome(panel, result);
  return outcome && pictureFor(panel, outcome);
}

interface ResultPictureProps {
  panel: Panel;
  result: ResultData;
  /** Pixels. */
  size: number;
}

export function ResultPicture({ panel, result, size }: ResultPictureProps) {
  const picture = resultPicture(panel, result);
  return picture && <OutcomePicture {...picture} size={size} />;
}
