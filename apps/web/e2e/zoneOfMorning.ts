/** The IANA zone of whole hours in which it is between eight and nine in the morning at a moment. */
export function zoneOfMorning(at: Date): string {
  const ahead = ((8 - at.getUTCHours() + 36) % 24) - 12;
  // The signs of these names are the other way round.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
