/** LIKE pattern for a substring, wildcards escaped. Null without text. */
export function containing(text: string | undefined): string | null {
  return text ? `%${text.replace(/[\\%_]/g, '\\$&')}%` : null;
}
