export function isInstalled(root: string): boolean;

/** Throws with instructions. */
export function pinnedNode(
  root: string,
  machine?: {
    readonly platform: string;
    readonly arch: string;
    readonly execPath: string;
    readonly versions: { readonly node: string };
  },
): string;
