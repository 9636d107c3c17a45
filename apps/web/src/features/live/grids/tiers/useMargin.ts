import { useState } from 'react';
import { keep, kept } from '../../../../lib/kept.ts';
import { readMargin } from '../groupMath.ts';

/** Under which this device keeps the margin. */
const MARGIN_KEY = 'jodi-margin';

/** The margin as it is typed, and what it was last where that is none. */
export interface Margin {
  text: string | number;
  isWrong: boolean;
  /** In per cent. */
  margin: number;
  type: (text: string | number) => void;
}

/** The share of a tier's collection that is kept back, which this device keeps. */
export function useMargin(): Margin {
  const [text, setText] = useState<string | number>(() => kept(MARGIN_KEY) ?? '');
  const [margin, setMargin] = useState(() => readMargin(kept(MARGIN_KEY) ?? '') ?? 0);
  return {
    text,
    isWrong: readMargin(text) === null,
    margin,
    type(typed) {
      setText(typed);
      const read = readMargin(typed);
      if (read === null) return;
      setMargin(read);
      keep(MARGIN_KEY, read === 0 ? null : String(read));
    },
  };
}
