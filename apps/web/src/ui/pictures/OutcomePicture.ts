import { numberMark, setOf } from '@drawhouse/pictures/picture-sets';
import type { Paint, Shape } from '@drawhouse/pictures/shapes';
import { createElement, memo, useState } from 'react';
import { usePictures } from './pictureSets.ts';
import type { Depicted } from './pictureSets.ts';
import classes from './OutcomePicture.module.css';

interface OutcomePictureProps extends Depicted {
  /** The width and height in px, there from the start, so that nothing jumps. A class may set others. */
  size: number;
  /** What it is to those who don't see it. Left out where its label stands beside it. */
  name?: string | undefined;
  className?: string | undefined;
}

/** The picture of an outcome: the uploaded one, else the drawn one, else the mark of its number. */
export const OutcomePicture = memo(function OutcomePicture(props: OutcomePictureProps) {
  const { gameId, family, drawno, label, color, image, size, name, className = '' } = props;
  const [broken, setBroken] = useState<string | null>(null);
  const uploaded = image && image !== broken ? image : null;
  const pictureOf = usePictures(uploaded === null ? setOf(gameId, family) : undefined);
  if (uploaded !== null) {
    return (
      <img
        className={`${classes.picture} ${className}`}
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
      className: `${classes.picture} ${className}`,
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

function paint(name: Paint | undefined): string {
  return name === undefined ? 'none' : `var(--dh-pic-${name})`;
}

function drawn(shape: Shape) {
  if (shape.text !== undefined)
    return (
      <text x={shape.x} y={shape.y} fontSize={shape.size} fill={paint(shape.fill)}>
        {shape.text}
      </text>
    );
  return (
    <path
      d={shape.d}
      fill={paint(shape.fill)}
      stroke={paint(shape.stroke)}
      strokeWidth={shape.width}
      transform={shape.transform}
    />
  );
}
