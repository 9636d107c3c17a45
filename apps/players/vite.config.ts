import { createHash } from 'node:crypto';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { leanReact, textSocket } from '../../tools/setup/lean-packages.ts';

const server = 'http://localhost:3000';
const BASE = '/players/';
const LANGUAGES = ['hi'];
/** Languages run before the app, so they share no chunk with it. */
const OWN_ENTRIES = /[\\/]src[\\/](?:worker|languages)[\\/]|[\\/]session[\\/]src[\\/](?:hindi-names|translate)\./;
/** Fixed path, because browsers register it. */
const WORKER = 'service-worker';

const FIRST_PAGES: Readonly<Record<string, string>> = {
  '/sign-in': 'sign-in/PlayerSignInPage.tsx',
  '/welcome': 'welcome/WelcomePage.tsx',
  '/play': 'play/PlayPage.tsx',
  '/': 'lobby/LobbyPage.tsx',
};

/** A group takes along what its files import, so shared groups come first. */
const LATER = [
  ['roulette', /[\\/]families[\\/]roulette\.|[\\/]games[\\/]wheel\./],
  ['options', /[\\/]src[\\/]ui[\\/]fields[\\/](?:Options|PasswordField)\./],
  ['sheets', /[\\/]src[\\/]ui[\\/]sheets[\\/]/],
  ['hashes', /[\\/](?:@noble[\\/]hashes|rules[\\/]src[\\/]fair[\\/]tree[\\/]merkle)/],
  ['expand', /[\\/]rules[\\/]src[\\/]bet-text[\\/](?!line-name)/],
  ['drafts', /[\\/](?:useDraftBackup|form-backup)\./],
  ['stakes', /[\\/]rules[\\/]src[\\/]games[\\/]shares\./],
] as const;

/** Rules that boards of all families share. */
const RULES = /[\\/](?:familyRules|game-rules|rules-cache|pays|bet-fields|single-number|layout)\./;

const BOARD = [
  'slip/slipSums',
  'placing/pendingBet',
  'placing/lazyPlacing',
  'boards/BoardGrid',
  'playTexts',
  'playState',
  'readPlayState',
  'chips/Chip',
  'PlayScreen.module',
];

function buildName(bundle: Readonly<Record<string, unknown>>): string {
  const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
  return createHash('sha256').update(files.toSorted().join('\n')).digest('hex').slice(0, 16);
}

/**
 * Lists first-page files as `%FIRST_PAGES%`, to load with the shell. The server sends the build name with every answer,
 * so pages detect new builds.
 */
function wholePage(): Plugin {
  return {
    name: 'whole-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
        const entry = chunks.find((chunk) => chunk.isEntry && chunk.name === 'players');
        const early = Object.entries(FIRST_PAGES).map(([path, source]) => {
          const own = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(`/src/${source}`));
          if (bundle && !own) throw new Error(`${source} has no chunk of its own`);
          const files = own ? [own.fileName, ...own.imports] : [];
          const styles = own?.viteMetadata?.importedCss ?? [];
          return [
            path,
            [...files.filter((name) => name !== entry?.fileName), ...styles].map((name) => `${BASE}${name}`),
          ];
        });
        const languages = LANGUAGES.map((code) => {
          const own = chunks.find((chunk) => chunk.isEntry && chunk.name === code);
          if (own && own.imports.length > 0) throw new Error(`${code} runs after ${own.imports.join(', ')}`);
          return [code, `${BASE}${own?.fileName ?? `src/languages/${code}.ts`}`];
        });
        const build = bundle ? `<meta name="build" content="${buildName(bundle)}" />` : '';
        return html
          .replace('</title>', `</title>${build}`)
          .replace("'%FIRST_PAGES%'", JSON.stringify(Object.fromEntries(early)))
          .replace("'%LANGUAGES%'", JSON.stringify(Object.fromEntries(languages)))
          .replaceAll(/\s*<!--[^]*?-->/g, '');
      },
    },
  };
}

/** Each build gets a new worker and cache. */
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

const APART = [
  /[\\/](?:worker|languages|play|pictures|account|tlog|families)[\\/]/,
  /[\\/](?:AllWinners|game-texts|line-name|shellSheetTexts)\./,
];

export default defineConfig({
  base: BASE,
  plugins: [react(), wholePage(), workerOfBuild(), leanReact(), textSocket()],
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2022',
    // A page waits only for its styles; the service worker caches the scripts.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, deps) => deps.filter((name) => name.endsWith('.css')),
    },
    rolldownOptions: {
      input: {
        players: 'index.html',
        [WORKER]: 'src/worker/service-worker.ts',
        ...Object.fromEntries(LANGUAGES.map((code) => [code, `src/languages/${code}.ts`])),
      },
      output: {
        entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          groups: [
            {
              name: 'start',
              tags: ['$initial'],
              priority: 2,
              test: (id) => !OWN_ENTRIES.test(id),
            },
            {
              name: 'shared',
              minShareCount: 2,
              priority: 1,
              test: (id) => ![...APART, RULES, ...LATER.map(([, later]) => later)].some((own) => own.test(id)),
            },
            {
              name: 'board',
              minShareCount: 2,
              priority: 1,
              test: (id) => RULES.test(id) || BOARD.some((name) => id.includes(`/src/play/${name}.`)),
            },
            ...LATER.map(([name, test]) => ({ name, test, minShareCount: 2, priority: 0 })),
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': server, '/healthz': server, '/socket.io': { target: server, ws: true } } },
});
