import { createElement, memo, useEffect, useState } from 'react';
import type { MemoExoticComponent, ReactElement } from 'react';
import { fetchedSet, loadSet, marksOf, numberMark, setOf } from './picture-sets.ts';
import type { PictureSet } from './picture-sets.ts';
import type { Paint, Pictured, PictureOf, Shape } from './shapes.ts';

/** The game whose outcome a picture shows, the outcome, and its uploaded image. */
export interface Depicted extends Pictured {
  readonly gameId: string;
  readonly family: string;
  /** The address of an uploaded image, which wins over the drawn one while it can be fetched. */
  readonly image?: string | null | undefined;
}

/** What the picture of an outcome is given. */
export interface DrawingProps extends Depicted {
  /** The width and height in px, there from the start, so that nothing jumps. A class may set others. */
  size: number;
  /** What it is to those who don't see it. Left out where its label stands beside it. */
  name?: string | undefined;
  className?: string | undefined;
}

/**
 * Makes the component that shows the picture of an outcome: the uploaded one, else the drawn one, else the mark of its number. The client gives the class
 * of all of them, and in `--pic-red` and the like the colours of the paints in its themes.
 */
export function outcomeDrawing(ownClass: string): MemoExoticComponent<(props: DrawingProps) => ReactElement> {
  return memo(function OutcomeDrawing(props: DrawingProps) {
    const { gameId, family, drawno, label, color, image, size, name, className = '' } = props;
    const [broken, setBroken] = useState<string | null>(null);
    const uploaded = image && image !== broken ? image : null;
    const pictureOf = usePictures(uploaded === null ? setOf(gameId, family) : undefined);
    const box = { className: `${ownClass} ${className}`, width: size, height: size };
    if (uploaded !== null) {
      const onError = () => setBroken(uploaded);
      return createElement('img', {
        ...box,
        src: uploaded,
        alt: name ?? '',
        loading: 'lazy',
        decoding: 'async',
        onError,
      });
    }
    const picture = pictureOf && (pictureOf({ drawno, label, color }) ?? numberMark(drawno));
    return createElement(
      'svg',
      {
        ...box,
        viewBox: '0 0 48 48',
        role: name === undefined ? undefined : 'img',
        'aria-label': name,
        'aria-hidden': name === undefined || undefined,
      },
      // As arguments, so that shapes, which never change their order, need no keys.
      ...(picture ?? []).map(drawn),
    );
  });
}

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

function paint(name: Paint | undefined): string {
  return name === undefined ? 'none' : `var(--pic-${name})`;
}

function drawn({ fill, stroke, width, d, text, x, y, size, transform }: Shape): ReactElement {
  if (text !== undefined) return createElement('text', { x, y, fontSize: size, fill: paint(fill) }, text);
  return createElement('path', { d, fill: paint(fill), stroke: paint(stroke), strokeWidth: width, transform });
}
