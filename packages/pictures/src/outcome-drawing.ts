import { createElement, memo, useEffect, useState, type MemoExoticComponent, type ReactElement } from 'react';
import { fetchedSet, loadSet, marksOf, numberMark, setOf, type PictureSet } from './picture-sets.ts';
import type { Paint, Pictured, PictureOf, Shape } from './shapes.ts';

export interface Depicted extends Pictured {
  readonly gameId: string;
  readonly family: string;
  /** Uploaded image; replaces the drawn one if it loads. */
  readonly image?: string | null | undefined;
}

export interface DrawingProps extends Depicted {
  size: number;
  /** Accessible name. Omit beside a visible label. */
  name?: string | undefined;
  className?: string | undefined;
}

/** Clients supply the class, and colors as `--pic-red` etc. per theme. */
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
      // Spread as arguments: fixed order, so no keys.
      ...(picture ?? []).map(drawn),
    );
  });
}

/** Null while loading. Falls back to number marks. */
function usePictures(set: PictureSet | undefined): PictureOf | null {
  const [loaded, setCame] = useState<PictureSet | null>(null);
  const isFailed = loaded !== null && loaded === set && fetchedSet(loaded) === undefined;
  const ready = set === undefined || isFailed ? marksOf : (fetchedSet(set) ?? null);
  useEffect(() => {
    if (set === undefined || fetchedSet(set)) return;
    let isUnmounted = false;
    const show = () => {
      if (!isUnmounted) setCame(set);
    };
    loadSet(set).then(show, show);
    return () => {
      isUnmounted = true;
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
