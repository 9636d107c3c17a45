/** Writes instants as a spreadsheet reads them, `2026-03-10 15:30:00`, in a time zone. */
export function exportTime(timeZone: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  return (iso) => format.format(new Date(iso));
}
