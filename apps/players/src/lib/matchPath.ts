/** Values of a pattern like `/play/:gameId`. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const [patternParts, pathParts] = [pattern.split('/'), path.split('/')];
  if (patternParts.length !== pathParts.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of patternParts.entries()) {
    const text = pathParts[index]!;
    if (!part.startsWith(':')) {
      if (part !== text) return null;
      continue;
    }
    try {
      values[part.slice(1)] = decodeURIComponent(text);
    } catch {
      return null;
    }
  }
  return values;
}

export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
}

/** Returns to the requested page, else to the games. Never to another host. */
export function returnPath(back: string | null): string {
  return back !== null && /^\/(?![/\\])/.test(back) && !/^\/(?:sign-in|auth\/login)\b/.test(back) ? back : '/';
}
