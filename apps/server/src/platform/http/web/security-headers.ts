import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** No page uses these. `fullscreen` stays for panels on shop screens. */
const PERMISSIONS = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

export const POLICY_HEADER = 'content-security-policy';

const OWN_STYLES = "style-src 'self'";

/** Mantine inserts styles at runtime. Unique per answer. */
export function policyWithNonce(policy: string, nonce: string): string {
  return policy.replace(OWN_STYLES, `${OWN_STYLES} 'nonce-${nonce}'`);
}

/**
 * Computed once with helmet: per call, they would take a tenth of a short call. `inline`: hashes of inline scripts and
 * styles.
 */
export function securityHeaders(inline: {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  };
  const set = helmet({
    contentSecurityPolicy: {
      directives: {
        'img-src': ["'self'", 'data:', 'blob:'],
        // Includes same-host sockets from Chromium 71 and Safari 16; older browsers poll.
        'connect-src': ["'self'"],
        'script-src': ["'self'", ...inline.scripts],
        'font-src': ["'self'"],
        // Markup has no style attributes; React sets styles by script, which CSP permits.
        'style-src': ["'self'", ...inline.styles],
        'upgrade-insecure-requests': null,
      },
    },
    // The server speaks plain HTTP; the HTTPS proxy decides on HSTS.
    strictTransportSecurity: false,
    // Only for obsolete clients: Internet Explorer, Flash, old XSS filters.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    // Pages link to no other host.
    xDnsPrefetchControl: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  });
  headers['permissions-policy'] = PERMISSIONS;
  set({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    if (error) throw error as Error;
  });
  return headers;
}
