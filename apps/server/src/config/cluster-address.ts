/** A standby is preferred: without one, the primary serves. */
export type WantedRole = 'primary' | 'standby';

export interface ClusterAddress {
  readonly hosts: readonly string[];
  /** Undefined for other values of `target_session_attrs`. */
  readonly wanted: WantedRole | undefined;
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

const ROLES: Readonly<Record<string, WantedRole>> = {
  'read-write': 'primary',
  primary: 'primary',
  'prefer-standby': 'standby',
};

/**
 * A libpq URL such as `postgres://role@a:5432,b:5432/drawhouse?target_session_attrs=read-write`. Several hosts imply
 * `read-write`. Undefined for one host without a wanted role, which needs no choice.
 */
export function parseClusterAddress(url: string): ClusterAddress | undefined {
  const [, start, hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  const attrs = /[?&]target_session_attrs=([^&]*)/.exec(rest)?.[1];
  const wanted = ROLES[attrs ?? 'read-write'];
  if (start === undefined || (attrs === undefined && !hosts.includes(','))) return undefined;
  return { hosts: hosts.split(',').map((host) => `${start}${host}${rest}`), wanted };
}

export function hostOf(url: string): string {
  return PARTS.exec(url)?.[2] ?? '';
}
