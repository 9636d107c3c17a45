import { useState } from 'react';

export interface Look {
  /** Last clicked or focused. */
  current: string | null;
  setCurrent: (drawno: string) => void;
  hovered: string | null;
  setHovered: (drawno: string | null) => void;
}

export function useLook(): Look {
  const [current, setCurrent] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  return { current, setCurrent, hovered, setHovered };
}
