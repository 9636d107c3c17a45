/** Finds a zone where the time is between eight and nine in the morning. */
export function zoneOfMorning(at: Date): string {
  const ahead = ((8 - at.getUTCHours() + 36) % 24) - 12;
  // `Etc/GMT` names have inverted signs.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
