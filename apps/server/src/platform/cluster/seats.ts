/** `goes`: the seat vacated when a group has more than `most`. */
export interface SeatRule {
  readonly most: number;
  readonly goes: 'oldest' | 'newest';
}

export interface Seats {
  /** Calls `vacate` if this seat must go, perhaps at once. Returns a function that frees the seat. */
  take(group: string, rule: SeatRule, vacate: () => void): () => void;
}

interface Seat {
  readonly vacate: () => void;
}

export function createSeats(): Seats {
  const groups = new Map<string, Set<Seat>>();
  return {
    take(group, { most, goes }, vacate) {
      const seats = groups.get(group) ?? new Set();
      const own = { vacate };
      groups.set(group, seats.add(own));
      const leave = (seat: Seat): void => {
        if (seats.delete(seat) && seats.size === 0) groups.delete(group);
      };
      if (seats.size > most) {
        const [oldest] = seats;
        const leaving = goes === 'oldest' ? oldest! : own;
        leave(leaving);
        leaving.vacate();
      }
      return () => leave(own);
    },
  };
}
