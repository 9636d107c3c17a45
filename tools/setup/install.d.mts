/** Whether npm's own record of node_modules agrees with the lockfile: someone ran `npm install` by hand. */
export function isInstalled(root: string): boolean;

/** The Node that the project pins for a machine, or the machine's own where it is new enough. Throws a sentence that says what to do. */
export function pinnedNode(
  root: string,
  machine?: {
    readonly platform: string;
    readonly arch: string;
    readonly execPath: string;
    readonly versions: { readonly node: string };
  },
): string;
