const ORIGIN = /^(.+)\/seals\/([1-9]\d{0,8})$/;

/** The n-th log of an installation, from 1. */
export interface LogName {
  readonly name: string;
  readonly nth: number;
}

/** First line of its checkpoints: `<name>/seals/<n>` (docs/seals.md). */
export function originOf(name: string, nth: number): string {
  return `${name}/seals/${nth}`;
}

/** Null for foreign origins. */
export function logNameOf(origin: string): LogName | null {
  const [, name, nth] = ORIGIN.exec(origin) ?? [];
  return name === undefined ? null : { name, nth: Number(nth) };
}
