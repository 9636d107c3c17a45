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

/**
 * The security headers of every answer. They are the same for all, so helmet is asked once: put together for each call they would be a
 * tenth of the work of a short one. `inlineScripts` are the sources of the scripts that stand in the web app's page.
 */
export function securityHeaders(inlineScripts: readonly string[]): Readonly<Record<string, string>> {
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
        'script-src': ["'self'", ...inlineScripts],
        'font-src': ["'self'"],
        // Mantine writes its variables into style elements of the page.
        'style-src': ["'self'", "'unsafe-inline'"],
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
