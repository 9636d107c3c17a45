import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** What no page here uses, and no script that gets into one may. `fullscreen` stays: screens in shops show panels so. */
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
  'publickey-credentials-get',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** The name of the header that says which scripts and styles a page may have. */
export const POLICY_HEADER = 'content-security-policy';

const OWN_STYLES = "style-src 'self'";

/** The policy of a page in which Mantine adds styles while it runs: each has the nonce, which no other answer of the server has. */
export function policyWithNonce(policy: string, nonce: string): string {
  return policy.replace(OWN_STYLES, `${OWN_STYLES} 'nonce-${nonce}'`);
}

/**
 * The security headers of every answer. They are the same for all, so helmet is asked once: put together for each call they would be a
 * tenth of the work of a short one. `inline` are the sources of the scripts and styles that stand in the pages.
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
        // Live sockets of the same host too, in Chromium from 71 and Safari from 16 on; an older one has its panels by polling.
        'connect-src': ["'self'"],
        'script-src': ["'self'", ...inline.scripts],
        'font-src': ["'self'"],
        // Nothing has a style attribute in its markup: React sets styles by script, which no policy is about.
        'style-src': ["'self'", ...inline.styles],
        'upgrade-insecure-requests': null,
      },
    },
    // The server itself speaks plain HTTP; whoever puts HTTPS in front decides on HSTS.
    strictTransportSecurity: false,
    // For programs that are gone (Internet Explorer, Flash, filters of scripts in old browsers), with each answer.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    // No page leads to another host.
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
