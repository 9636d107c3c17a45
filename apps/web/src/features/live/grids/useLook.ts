import { useState } from 'react';

/** The numbers of a grid that are looked at. */
export interface Look {
  /** The one that was looked at last, by click or keyboard. */
  current: string | null;
  setCurrent: (drawno: string) => void;
  /** The one that the pointer is on. */
  hovered: string | null;
  setHovered: (drawno: string | null) => void;
}

/** Keeps which numbers of a grid are looked at. */
export function useLook(): Look {
  const [current, setCurrent] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  return { current, setCurrent, hovered, setHovered };
}
