/** Installs missing test programs: `transfers` or `browser`. A separate process, because installation blocks. */
import { ensureChromium } from './chromium.ts';
import { ensureTransferServers } from './transfer-servers.ts';

if (process.argv[2] === 'browser') ensureChromium();
else ensureTransferServers({ long: Boolean(process.env['TEST_LONG']) });
