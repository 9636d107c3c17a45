import type { IncomingMessage } from 'node:http';

/**
 * Whether a request has no more than one `Host` (RFC 9112, 3.2): with several a proxy may go by one of them and this server by another. Node
 * keeps the first and passes over the others.
 */
export function hasOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') hosts++;
  return hosts <= 1;
}

/**
 * Whether a request comes from a page of the host that it asks for, as browsers say by `Origin`; programs say nothing, and may. Behind a proxy
 * the host is the one that it says in `X-Forwarded-Host`, where it does.
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
  // A port that is the usual one of the page's protocol may be left out on either side.
  const [of, asked] = [origin, `${origin.split('://', 1)[0]}://${forwarded || headers.host}`].map((url) =>
    URL.canParse(url) ? new URL(url).host : undefined,
  );
  return of !== undefined && of !== '' && of === asked;
}
