/** Whether npm's own record of node_modules agrees with the lockfile: someone ran `npm install` by hand. */
export function isInstalled(root: string): boolean;
