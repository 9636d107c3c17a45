/** The server's time zone; none as long as nobody is signed in. Kept small: the sign-in loads it. */
let zone: string | undefined;

/** The time zone whose days reports and filters count by: the server's, as the signed-in account has it, else that of this device. */
export function dayZone(): string {
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Takes over the server's time zone. */
export function setDayZone(name: string | undefined): void {
  zone = name;
}
