/** Unset while signed out. Kept small because the sign-in page loads this module. */
let zone: string | undefined;

/** Time zone for days in reports and filters: the server's while signed in, otherwise the device's. */
export function dayZone(): string {
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function setDayZone(name: string | undefined): void {
  zone = name;
}
