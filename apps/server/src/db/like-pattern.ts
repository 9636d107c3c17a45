/** The pattern by which LIKE finds a text anywhere, its own wildcards taken as they are written; null without a text. */
export function containing(text: string | undefined): string | null {
  return text ? `%${text.replace(/[\\%_]/g, '\\$&')}%` : null;
}
