import { createHash } from 'node:crypto';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

const server = 'http://localhost:3000';
/** Where the server serves what is built here. */
const BASE = '/players/';
/** The script that browsers keep beside the pages: at an address of its own, which never changes. */
const WORKER = 'service-worker';

/** What a page that is opened first is fetched with, by how its address begins: names of files below `src`. */
const FIRST_PAGES: Readonly<Record<string, string>> = {
  '/sign-in': 'sign-in/PlayerSignInPage.tsx',
  '/welcome': 'welcome/WelcomePage.tsx',
  '/play': 'play/PlayPage.tsx',
  '/': 'lobby/LobbyPage.tsx',
};

/** What comes when it is wanted: what is filled in, what opens above a page, what proves tickets and seals, and what reads the text of bets. */
const LATER = [
  ['fields', /[\\/]src[\\/]ui[\\/]Field\./],
  ['other-fields', /[\\/]src[\\/]ui[\\/](?:PasswordField|SelectField|Tick)\./],
  ['sheets', /[\\/]src[\\/](?:ui[\\/](?:Sheet|SettingsSheet|OneOf|ThemeChoice)|lib[\\/]playerTheme)\./],
  ['hashes', /[\\/](?:@noble[\\/]hashes|rules[\\/]src[\\/]merkle)/],
  ['expand', /[\\/]rules[\\/]src[\\/]expand(?!-text)/],
] as const;

/** The name of a build: a hash of the names of its files, which are hashes of what is in them. */
function buildName(bundle: Readonly<Record<string, unknown>>): string {
  const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
  return createHash('sha256').update(files.toSorted().join('\n')).digest('hex').slice(0, 16);
}

/**
 * Makes the page whole by itself: its comments stay here, and it names the files of each page that may be the first, so that they come
 * together with the frame around it: `%FIRST_PAGES%` becomes a list of paths by the begin of an address. The server reads the build's name
 * in it, and says it with every answer, by which the page sees when there is another one.
 */
function wholePage(): Plugin {
  return {
    name: 'whole-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
        const entry = chunks.find((chunk) => chunk.isEntry && chunk.name !== WORKER);
        const early = Object.entries(FIRST_PAGES).map(([path, source]) => {
          const own = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(`/src/${source}`));
          const files = own ? [own.fileName, ...own.imports] : [];
          const styles = own?.viteMetadata?.importedCss ?? [];
          return [
            path,
            [...files.filter((name) => name !== entry?.fileName), ...styles].map((name) => `${BASE}${name}`),
          ];
        });
        const build = bundle ? `<meta name="build" content="${buildName(bundle)}" />` : '';
        return html
          .replace('</title>', `</title>${build}`)
          .replace("'%FIRST_PAGES%'", JSON.stringify(Object.fromEntries(early)))
          .replaceAll(/\s*<!--[^]*?-->/g, '');
      },
    },
  };
}

/** Gives the service worker the build's name, so that each build has another one, which keeps its own files and forgets those before. */
function workerOfBuild(): Plugin {
  return {
    name: 'worker-of-build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const build = buildName(bundle);
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && file.name === WORKER) file.code = file.code.replaceAll('%BUILD%', build);
        }
      },
    },
  };
}

/** Leaves out the one way of the live connection that this client never takes (`lib/liveLine.ts`), which Socket.IO brings with the others. */
function noWebTransport(): Plugin {
  return {
    name: 'no-web-transport',
    load: {
      filter: { id: /engine\.io-client[\\/].+[\\/]webtransport\.js$/ },
      handler: () => 'export const WT = undefined;',
    },
  };
}

/** Leaves out how Socket.IO sends and takes bytes: the live connection of players has texts alone. */
function textsAlone(): Plugin {
  return {
    name: 'texts-alone',
    load: {
      filter: { id: /socket\.io-parser[\\/].+[\\/](?:is-)?binary\.js$/ },
      handler: (id) =>
        id.includes('is-binary')
          ? 'export const isBinary = () => false; export const hasBinary = () => false;'
          : 'const never = () => { throw new Error("bytes"); }; export { never as deconstructPacket, never as reconstructPacket };',
    },
  };
}

/** What every page has comes in one file, and what several have in another. */
export default defineConfig({
  base: BASE,
  plugins: [react(), wholePage(), workerOfBuild(), noWebTransport(), textsAlone()],
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { players: 'index.html', [WORKER]: 'src/worker/service-worker.ts' },
      output: {
        entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'assets/[name]-[hash].js'),
        // What stands beside the pages is whole by itself. What pages have in common is one file, but for the sets of pictures and what places bets;
        // and some of it comes later.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2, test: (id) => !id.includes('/src/worker/') },
            {
              name: 'shared',
              minShareCount: 2,
              priority: 1,
              test: (id) =>
                !/[\\/](?:worker|play|pictures|mine|tlog)[\\/]|[\\/](?:DayZoneNote|dayZone|lineName|AllWinners)\./.test(
                  id,
                ) && !LATER.some(([, later]) => later.test(id)),
            },
            {
              name: 'board',
              minShareCount: 2,
              priority: 1,
              test: /[\\/]src[\\/]play[\\/](?:slip[\\/]slipSums|placing[\\/](?:keptBet|latePlacing)|boards[\\/](?:CellButton|GridParts|BoardGrid|returnText)|chips[\\/]Chip)\./,
            },
            ...LATER.map(([name, test]) => ({ name, test, minShareCount: 2, priority: 0 })),
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': server, '/healthz': server, '/socket.io': { target: server, ws: true } } },
});
