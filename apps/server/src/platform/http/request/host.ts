import type { IncomingMessage } from 'node:http';

/**
 * Rejects multiple `Host` headers (RFC 9112, 3.2): proxy and server could choose different ones. Node keeps only the
 * first.
 */
export function hasOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') hosts++;
  return hosts <= 1;
}

/**
 * Checks `Origin` against the requested host. Programs send no `Origin` and pass. Behind a proxy, `X-Forwarded-Host`
 * wins.
 */
export function isOfOwnOrigin({ headers }: Pick<IncomingMessage, 'headers'>, trustProxy: boolean): boolean {
  const { origin } = headers;
  if (origin === undefined) return true;
  const forwarded = trustProxy
    ? String(headers['x-forwarded-host'] ?? '')
        .split(',')
        .at(-1)!
        .trim()
    : '';
  // Default ports may be omitted on either side.
  const [of, asked] = [origin, `${origin.split('://', 1)[0]}://${forwarded || headers.host}`].map((url) =>
    URL.canParse(url) ? new URL(url).host : undefined,
  );
  return of !== undefined && of !== '' && of === asked;
}
