/** The session that the elevation belongs to, and its secret. In memory alone: a reload, another tab and whoever reads the storage have none. */
let kept: { readonly token: string; readonly secret: string } | undefined;

/** Keeps the elevation that the server answered for the password. */
export function keepElevation(token: string, secret: string | undefined): void {
  kept = secret === undefined ? undefined : { token, secret };
}

/** The elevation of a session, if this page has one. */
export function elevationOf(token: string | undefined): string | undefined {
  return kept?.token === token ? kept?.secret : undefined;
}
