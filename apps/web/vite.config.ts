import { createHash } from 'node:crypto';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { earlyPages } from '../../tools/setup/early-pages.ts';
import { leanForms, leanMantine, leanReact, textSocket } from '../../tools/setup/lean-packages.ts';

const server = 'http://localhost:3000';
/** Scripts of the fairness pages, which only their readers load. */
const LANGUAGES = ['hi'];
const scriptOf = (code: string) => `src/features/fair/languages/${code}.ts`;

/** Hashes the content-hashed file names. The server sends the name with every response, so pages detect a new build. */
function buildName(): Plugin {
  return {
    name: 'build-name',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle) return [];
        const content = createHash('sha256')
          .update(Object.keys(bundle).toSorted().join('\n'))
          .digest('hex')
          .slice(0, 16);
        return [{ tag: 'meta', attrs: { name: 'build', content }, injectTo: 'head' }];
      },
    },
  };
}

/** Strips HTML comments, and writes what each page starts early, for the server to fill in. The dev server omits it. */
function wholePage(): Plugin {
  return {
    name: 'whole-page',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) =>
        (bundle ? html : html.replaceAll(/%EARLY_\w+%/g, ''))
          .replace("'%LANGUAGES%'", JSON.stringify(Object.fromEntries(languageFiles(bundle))))
          .replaceAll(/\s*<!--[^]*?-->/g, ''),
    },
    generateBundle(_options, bundle) {
      this.emitFile({ type: 'asset', fileName: 'early.json', source: JSON.stringify(earlyPages(bundle)) });
    },
  };
}

function languageFiles(bundle: Rolldown.OutputBundle | undefined): (readonly [code: string, file: string])[] {
  const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
  return LANGUAGES.map((code) => {
    const own = chunks.find((chunk) => chunk.isEntry && chunk.name === `fair-${code}`);
    if (own && own.imports.length > 0) throw new Error(`${own.name} runs after ${own.imports.join(', ')}`);
    return [code, `/${own?.fileName ?? scriptOf(code)}`];
  });
}

/** Imports styles with each Mantine component, in a layer: the app's own styles win in any load order. */
function mantineStyles(): Plugin {
  let serves = false;
  return {
    name: 'mantine-styles',
    enforce: 'pre',
    configResolved: (config) => void (serves = config.command === 'serve'),
    transform(code, id) {
      // The dev server prebundles packages past plugins, so it loads all styles together.
      if (serves)
        return id.endsWith('/src/main.tsx')
          ? ['core', 'dates', 'notifications'].map((name) => `import '@mantine/${name}/styles.layer.css';`).join('') +
              code
          : null;
      const [, name, component] =
        /@mantine[\\/](core|dates|notifications)[\\/]esm[\\/].*?(\w+)\.module\.mjs$/.exec(id) ?? [];
      if (name === undefined) return null;
      const styles = name === 'core' ? `styles/${component}.layer.css` : 'styles.layer.css';
      return { code: `import '@mantine/${name}/${styles}';\n${code}`, map: null, moduleSideEffects: true };
    },
  };
}

/** Apart, so that lists, panels and dashboard share it without list code. */
const AROUND_PAGES = anyOf(
  /[\\/](SignedIn|LeaveGuard|Messages|PageHeader|StatusBadge|Points|DateTime|NotFoundState)\.tsx$/,
  /[\\/](NativeSelect|CloseButton|CopyButton|Icon(Check|ChevronUp|Coins|Dots|AlertTriangle|ArrowLeft|ExternalLink)|clamp)\.mjs$/,
  /[\\/](useWidth|pageVisibility|periods|game-pair|rowClick|usePageNote)\.ts$/,
  // Saves panels a style file.
  /[\\/]OutcomePicture\.module\.css$/,
);
const LISTS = /[\\/](AccountListRoute|ListPage|DataTable)\.tsx$/;
const CALENDARS = /@mantine[\\/]dates|dayjs|[\\/](DayInput|RangeForm)\.tsx$/;
const INPUTS = /@mantine[\\/](core|form)[\\/]/;
const FORMS = anyOf(
  /[\\/]features[\\/](accounts|credit|games)[\\/]|[\\/]contract[\\/]src[\\/]games[\\/](game|time|limits|schedules)/,
  /[\\/]rules[\\/]src[\\/]time[\\/](?!draw-name|zone-days)|[\\/](?:ImageInput|IconPhotoPlus|readImage)\.m?[jt]sx?$/,
);
/** Code of a few pages each. */
const WEEKS = /[\\/](?:features|contract[\\/]src)[\\/]weeks[\\/]|[\\/]week-balance\.ts$/;
const FACTORS = anyOf(
  /[\\/]contract[\\/]src[\\/]auth[\\/](?:factors|device-name|invitations)\.ts$|[\\/]session[\\/]src[\\/]passkeys\.ts$/,
  /[\\/]auth[\\/]authTexts\.ts$|[\\/]features[\\/]profile[\\/]|[\\/]OnceDialog\.tsx$/,
);
const STANDING_ORDERS = /[\\/](?:features|contract[\\/]src)[\\/]standing-orders[\\/]/;
const TABLE_PARTS = /[\\/](?:ChangeTable|SelectionBar)\./;
const LOGINS = /[\\/](?:features|contract[\\/]src)[\\/](?:logins|approvals)[\\/]|[\\/]AddressesField\.tsx$/;
const SOCKET = /(?:engine|socket)\.io-|@socket\.io[\\/]|[\\/](?:socket|watchSession|live-line)\.ts$/;
const PICKER = /[\\/]AccountPicker\.tsx$/;
const CREDIT =
  /[\\/]features[\\/]reports[\\/]commission[\\/]|[\\/]contract[\\/]src[\\/]\w+[\\/](commission|statement|credit|transactions)\.ts/;
/** Chart frames load with their page, the drawing code later. */
const CHARTS = /[\\/]ui[\\/]chart[\\/]/;
/** Shared by `/fair` and Liability, which share no other code. */
const SEAL_WORDS = /[\\/]sealGradeTexts\.ts$/;
/** Small, and apart so that no set pulls in shared page code. */
const PICTURES = /[\\/](?:ui[\\/]pictures|packages[\\/]pictures[\\/]src)[\\/]/;

/** Apart, so that the shared code needs no inputs. */
const DEVICE_ALERTS = /[\\/]features[\\/]notices[\\/]DeviceAlerts\.tsx$/;

/** Panels open most often, so they get the fewest files. */
const LIVE_PANEL = /[\\/]LivePanelPage\.tsx$/;

/** Shared by panels, reports and logs, so that none loads the others. */
const RECORDS = anyOf(
  /[\\/]contract[\\/]src[\\/](?:draws[\\/]draw(?:s|-texts)|tickets[\\/]ticket-limits|credit[\\/]credit|seals[\\/]seals)\.ts$/,
  /[\\/](?:OutcomePicture|outcome-drawing|picture-sets)\.ts$/,
);

/** Notices, and what the dashboard shares with few pages. */
const NOTICES =
  /[\\/]features[\\/]notices[\\/](NoticeList|NoticePanel|UnreadOwnNotices)|[\\/]contract[\\/]src[\\/]first-steps[\\/]/;

/** Pages that draw outcomes. */
const OBJECTS =
  /[\\/]features[\\/]reports[\\/](?:objects|bet-list)[\\/]|[\\/]contract[\\/]src[\\/](?:tickets[\\/]tickets|reports[\\/](?:bet-list|object-pages))\.ts$/;

/** Apart, so that the shared code needs neither draws nor chains. */
const FEW_PAGES = /[\\/]contract[\\/]src[\\/](?:first-steps[\\/]first-steps|players[\\/]wall)\.ts$/;

/** Loads after the panel, in one file without code of other pages. */
const LIVE_RESULTS =
  /features[\\/]live[\\/]results[\\/](ResultMoment|ResultSums|Frequencies)\.tsx?$|[\\/]live-results\.ts$/;

/** A panel loads only its own grid; this is shared by several. */
const PANEL_GRIDS = /[\\/]features[\\/]live[\\/]grids[\\/](?!wheel[\\/])/;

/** Also used by the wall screen. */
const WHEEL = /[\\/]grids[\\/]wheel[\\/]/;

/** Shared with the public wall. */
const WALL = /[\\/]features[\\/]live[\\/]wall[\\/]/;

/** Kept apart from other shared page code. */
const RULES =
  /packages[\\/]rules[\\/]src[\\/](?!fair[\\/]beacon-signature|time[\\/](?!draw-name)|records[\\/]week-balance)/;

/** Needs the rules, unlike most pages with shared code. */
const RETURNS = /[\\/]lib[\\/]format[\\/]returns\.ts$/;

const BEACONS =
  /@noble[\\/]curves[\\/]|packages[\\/]rules[\\/]src[\\/]fair[\\/]beacon-signature\.ts|[\\/]features[\\/]fair[\\/]draw[\\/]BeaconVerdict/;

/** Includes code shared with their lazy checks. */
const FAIR = anyOf(
  /[\\/]app[\\/]FairPages\.tsx$/,
  /[\\/]features[\\/]fair[\\/](?!languages[\\/]|draw[\\/]BeaconVerdict|ticket[\\/])/,
);

const FAIR_LANGUAGES =
  /[\\/]features[\\/]fair[\\/]languages[\\/]|[\\/]session[\\/]src[\\/](?:hindi-names|translate)\.ts$/;

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'));
}

export default defineConfig({
  // Mantine's transitions use `Activity`.
  plugins: [
    mantineStyles(),
    leanMantine(),
    leanForms(),
    leanReact(['Activity']),
    textSocket(),
    react(),
    buildName(),
    wholePage(),
  ],
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: 'index.html',
        ...Object.fromEntries(LANGUAGES.map((code) => [`fair-${code}`, scriptOf(code)])),
      },
      output: {
        codeSplitting: {
          groups: [
            // Groups include their imports unless a higher priority claims them. Code of every page, signed in or not:
            { name: 'start', tags: ['$initial'], priority: 5, test: (id) => !FAIR_LANGUAGES.test(id) },
            // Code around signed-in pages:
            { name: 'signed-in', test: AROUND_PAGES, priority: 4 },
            // Loads after the page:
            { name: 'socket', test: SOCKET, priority: 3.5 },
            { name: 'records', test: RECORDS, priority: 3.5 },
            // Rules, for public pages without live panel:
            { name: 'game-rules', test: RULES, minShareCount: 2, priority: 4 },
            { name: 'returns', test: RETURNS, priority: 3 },
            // Lists, live panels, and calendars only where used:
            { name: 'lists', test: LISTS, priority: 3 },
            { name: 'LivePanelPage', test: LIVE_PANEL, priority: 3 },
            { name: 'notices', test: NOTICES, minShareCount: 2, priority: 3 },
            { name: 'objects', test: OBJECTS, minShareCount: 2, priority: 3 },
            { name: 'seal-words', test: SEAL_WORDS, priority: 3.5 },
            { name: 'FairPages', test: FAIR, priority: 3 },
            { name: 'results', test: LIVE_RESULTS, priority: 3 },
            { name: 'dialogs', test: /[\\/]dialogParts\.ts$/, priority: 3 },
            { name: 'panel-grids', test: PANEL_GRIDS, minShareCount: 2, priority: 3 },
            { name: 'wheel', test: WHEEL, priority: 3 },
            { name: 'wall', test: WALL, minShareCount: 2, priority: 2.5 },
            { name: 'dates', test: CALENDARS, priority: 3 },
            // Shared by forms only, so reports do not load it.
            { name: 'inputs', test: INPUTS, minShareCount: 2, priority: 2.5 },
            { name: 'weeks', test: WEEKS, minShareCount: 2, priority: 2.3 },
            { name: 'factors', test: FACTORS, minShareCount: 2, priority: 2.3 },
            { name: 'standing-orders', test: STANDING_ORDERS, minShareCount: 2, priority: 2.3 },
            { name: 'table-parts', test: TABLE_PARTS, minShareCount: 2, priority: 2.3 },
            { name: 'logins', test: LOGINS, minShareCount: 2, priority: 2.3 },
            { name: 'credit', test: CREDIT, minShareCount: 2, priority: 2.2 },
            {
              name: 'shared',
              test: (id) =>
                ![FORMS, PICKER, PICTURES, CHARTS, BEACONS, FEW_PAGES, DEVICE_ALERTS].some((own) => own.test(id)),
              minShareCount: 2,
              priority: 2,
            },
            { name: 'forms', test: FORMS, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': server,
      '/healthz': server,
      '/socket.io': { target: server, ws: true },
    },
  },
});
