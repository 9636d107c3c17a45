import { useCallback, useEffect, useRef, useState } from 'react';

/** So long after the pointer has moved or pressed there, an order stays as it is. */
const HELD_MS = 1_500;

/** Holds an order while somebody points: what is about to be clicked does not move away. */
export interface FrozenOrder {
  /** The order that is held; null while none is. */
  frozen: readonly string[] | null;
  /** To be called whenever the pointer moves or presses, with the order that it sees. */
  freeze: (order: readonly string[]) => void;
}

/** An order that is held from a move of the pointer until it has rested for a moment. */
export function useFrozenOrder(): FrozenOrder {
  const [frozen, setFrozen] = useState<readonly string[] | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const freeze = useCallback((order: readonly string[]) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setFrozen(null), HELD_MS);
    setFrozen((before) => before ?? order);
  }, []);
  return { frozen, freeze };
}
