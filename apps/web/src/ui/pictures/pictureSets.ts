import { fetchedSet, loadSet, marksOf, setOf } from '@drawhouse/pictures/picture-sets';
import type { PictureSet } from '@drawhouse/pictures/picture-sets';
import type { Pictured, PictureOf } from '@drawhouse/pictures/shapes';
import { useEffect, useState } from 'react';

/** The game whose outcome a picture shows, the outcome, and its uploaded image. */
export interface Depicted extends Pictured {
  readonly gameId: string;
  readonly family: string;
  /** The address of an uploaded image, which wins over the drawn one while it can be fetched. */
  readonly image?: string | null | undefined;
}

/** What `OutcomePicture` shows of an outcome; null where it is a plain number, which a picture says no better. */
export function pictureFor(
  { gameId, family }: Pick<Depicted, 'gameId' | 'family'>,
  { drawno, label, color, image }: Omit<Depicted, 'gameId' | 'family'>,
): Depicted | null {
  if (!image && setOf(gameId, family) === undefined) return null;
  return { gameId, family, drawno, label, color, image };
}

/** What draws the outcomes of a set; null until it is there. Without a set, and where it can't be fetched, numbers are marked. */
export function usePictures(set: PictureSet | undefined): PictureOf | null {
  const [fetched, setFetched] = useState<{ set: PictureSet; pictureOf: PictureOf } | null>(null);
  const ready = set === undefined ? marksOf : (fetchedSet(set) ?? (fetched?.set === set ? fetched.pictureOf : null));
  const missing = ready === null ? set : undefined;
  useEffect(() => {
    if (missing === undefined) return;
    let unmounted = false;
    const show = (pictureOf: PictureOf) => {
      if (!unmounted) setFetched({ set: missing, pictureOf });
    };
    loadSet(missing).then(show, () => show(marksOf));
    return () => {
      unmounted = true;
    };
  }, [missing]);
  return ready;
}
