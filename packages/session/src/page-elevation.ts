/** In memory only: lost on reload, absent from other tabs and from storage. */
let kept: { readonly token: string; readonly secret: string } | undefined;

export function keepElevation(token: string, secret: string | undefined): void {
  kept = secret === undefined ? undefined : { token, secret };
}

export function elevationOf(token: string | undefined): string | undefined {
  return kept?.token === token ? kept?.secret : undefined;
}
