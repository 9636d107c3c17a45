const ORIGIN = /^(.+)\/seals\/([1-9]\d{0,8})$/;

/** A log as its origin names it: the n-th that an installation began, from 1. */
export interface LogName {
  readonly name: string;
  readonly nth: number;
}

/** The origin of a log, the first line of its checkpoints: `<name>/seals/<n>` (docs/seals.md). */
export function originOf(name: string, nth: number): string {
  return `${name}/seals/${nth}`;
}

/** The log that an origin names; null where it is none of ours. */
export function logNameOf(origin: string): LogName | null {
  const [, name, nth] = ORIGIN.exec(origin) ?? [];
  return name === undefined ? null : { name, nth: Number(nth) };
}
