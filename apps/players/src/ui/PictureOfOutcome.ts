import { fetchedSet, loadSet, marksOf, numberMark, setOf } from '@drawhouse/pictures/picture-sets';
import type { PictureSet } from '@drawhouse/pictures/picture-sets';
import type { Pictured, PictureOf, Shape } from '@drawhouse/pictures/shapes';
import { createElement, memo, useEffect, useState } from 'react';
import styles from './PictureOfOutcome.module.css';

interface PictureOfOutcomeProps extends Pictured {
  gameId: string;
  family: string;
  /** The address of an image that the operator has uploaded for it, which wins. */
  image?: string | null | undefined;
  /** Width and height in px, there from the start, so that nothing jumps. */
  size: number;
  /** What it is to those who don't see it; left out where that stands beside it. */
  name?: string | undefined;
  className?: string;
}

/** The picture of an outcome: the uploaded one, else the drawn one, else the mark of its number. */
export const PictureOfOutcome = memo(function PictureOfOutcome(props: PictureOfOutcomeProps) {
  const { gameId, family, drawno, label, color, image, size, name, className = '' } = props;
  const [broken, setBroken] = useState<string | null>(null);
  const uploaded = image && image !== broken ? image : null;
  const pictureOf = usePictures(uploaded === null ? setOf(gameId, family) : undefined);
  if (uploaded !== null) {
    return (
      <img
        className={`${styles.picture} ${className}`}
        src={uploaded}
        alt={name ?? ''}
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(uploaded)}
      />
    );
  }
  const picture = pictureOf && (pictureOf({ drawno, label, color }) ?? numberMark(drawno));
  return createElement(
    'svg',
    {
      className: `${styles.picture} ${className}`,
      viewBox: '0 0 48 48',
      width: size,
      height: size,
      role: name === undefined ? undefined : 'img',
      'aria-label': name,
      'aria-hidden': name === undefined || undefined,
    },
    // As arguments, so that shapes, which never change their order, need no keys.
    ...(picture ?? []).map(drawn),
  );
});

/** What draws the outcomes of a set; null until it is there. Without a set, and where it can't be fetched, numbers are marked. */
function usePictures(set: PictureSet | undefined): PictureOf | null {
  const [came, setCame] = useState<PictureSet | null>(null);
  const isFailed = came !== null && came === set && fetchedSet(came) === undefined;
  const ready = set === undefined || isFailed ? marksOf : (fetchedSet(set) ?? null);
  useEffect(() => {
    if (set === undefined || fetchedSet(set)) return;
    let isGone = false;
    const show = () => {
      if (!isGone) setCame(set);
    };
    loadSet(set).then(show, show);
    return () => {
      isGone = true;
    };
  }, [set]);
  return ready;
}

function drawn({ fill, stroke, width, d, text, x, y, size, transform }: Shape) {
  const paint = fill === undefined ? 'none' : `var(--pic-${fill})`;
  if (text !== undefined)
    return (
      <text x={x} y={y} fontSize={size} fill={paint}>
        {text}
      </text>
    );
  return (
    <path
      d={d}
      fill={paint}
      stroke={stroke === undefined ? 'none' : `var(--pic-${stroke})`}
      strokeWidth={width}
      transform={transform}
    />
  );
}
