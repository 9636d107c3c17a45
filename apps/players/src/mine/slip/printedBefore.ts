/** Of so many tickets the device remembers that they were printed; of more the first ones are forgotten. */
const MOST_TICKETS = 500;

/** When tickets were printed for the first time on this device, by their numbers, those printed last at the end. */
export type Printed = readonly (readonly [ticketId: string, firstAt: string])[];

/** What was kept, read from its text; what is not right is as if nothing was. */
export function readPrinted(kept: string | null): Printed {
  try {
    const value: unknown = JSON.parse(kept ?? '[]');
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Printed[number] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    typeof value[1] === 'string' &&
    !Number.isNaN(Date.parse(value[1]))
  );
}

/** When this ticket was printed first; null where it was not. */
export function firstPrint(printed: Printed, ticketId: string): string | null {
  return printed.find(([id]) => id === ticketId)?.[1] ?? null;
}

/** What is to be kept once a ticket was printed. */
export function withPrint(printed: Printed, ticketId: string, at: string): Printed {
  if (firstPrint(printed, ticketId) !== null) return printed;
  return [...printed, [ticketId, at] as const].slice(-MOST_TICKETS);
}
