/* oxlint-disable jsx-a11y/prefer-tag-over-role -- cells of a board wrap as there is room, which those of a table of HTML don't */
import type { CSSProperties, ReactNode } from 'react';

interface PartProps {
  className?: string | undefined;
  style?: CSSProperties | undefined;
  children: ReactNode;
}

export function GridRows({ label, ...rest }: PartProps & { label?: string | undefined }) {
  return <div role="rowgroup" aria-label={label} {...rest} />;
}

export function GridRow(props: PartProps) {
  return <div role="row" {...props} />;
}

export function GridCell(props: PartProps) {
  return <div role="gridcell" {...props} />;
}
