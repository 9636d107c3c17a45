/**
 * Installs the programs that the tests use and the system lacks: `transfers` or `browser`. It is a process of its own because an
 * installation blocks, and the other parts of `npm test` go on meanwhile.
 */
import { ensureChromium } from './chromium.ts';
import { ensureTransferServers } from './transfer-servers.ts';

if (process.argv[2] === 'browser') ensureChromium();
else ensureTransferServers({ long: Boolean(process.env['TEST_LONG']) });
