/** Unset while signed out. Small, because the sign-in page loads this module. */
let zone: string | undefined;

/** Returns the server's zone while signed in, else the device's. */
export function dayZone(): string {
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function setDayZone(name: string | undefined): void {
  zone = name;
}
