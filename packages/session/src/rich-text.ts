import { createElement, Fragment, type ReactNode } from 'react';

/** Fills `{name}` placeholders with elements, so that a sentence can be translated as a whole. */
export function richText(text: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  const pieces = text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : parts[piece]));
  return createElement(Fragment, null, ...pieces);
}
