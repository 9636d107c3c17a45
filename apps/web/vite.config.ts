import { createHash } from 'node:crypto';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

const server = 'http://localhost:3000';

/**
 * Writes the build's name into the page: a hash of the names of its files, which are hashes of what is in them. The server says it
 * with every answer, and the page sees when there is another one.
 */
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

/**
 * Makes the page whole by itself: its comments stay here, and it names the files that only those who are signed in
 * need, so that the script in it asks for them before the app has come: `%SIGNED_IN%` becomes a list of paths.
 */
function wholePage(): Plugin {
  return {
    name: 'whole-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
        const entry = chunks.find((chunk) => chunk.isEntry);
        const signedIn = chunks.find((chunk) => chunk.name === 'signed-in');
        const files = signedIn ? [signedIn.fileName, ...signedIn.imports] : [];
        const early = files.filter((name) => name !== entry?.fileName).map((name) => `/${name}`);
        return html.replace("'%SIGNED_IN%'", JSON.stringify(early)).replaceAll(/\s*<!--[^]*?-->/g, '');
      },
    },
  };
}

/**
 * Brings the styles of a Mantine component with the component, so that none can be missing and none comes that is not used. They lie in
 * a layer: whatever the app says of its own wins, in whichever order its parts arrive.
 */
function mantineStyles(): Plugin {
  let serves = false;
  return {
    name: 'mantine-styles',
    enforce: 'pre',
    configResolved: (config) => void (serves = config.command === 'serve'),
    transform(code, id) {
      // Vite bundles packages beforehand when it serves, past any plugin: all styles come at once there.
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

/** What stands around the pages, and the small parts that lists have in common with live panels and the dashboard, so that these bring no list. */
const AROUND_PAGES =
  /[\\/](SignedIn|LeaveGuard|Messages|StatusBadge|Points|DateTime|ChoiceButton)\.tsx$|[\\/](NativeSelect|CloseButton|Icon(Check|Coins|Dots|AlertTriangle)|clamp)\.mjs$|[\\/](useWidth|periods|useMinute|game-pair|rowClick)\.ts$/;
/** The lists of accounts, and with them all that any list has. */
const LISTS = /[\\/](AccountListRoute|ListPage|DataTable)\.tsx$/;
/** What is needed to choose a day. */
const CALENDARS = /@mantine[\\/]dates|dayjs|[\\/](DayInput|DayRangeInputs|RangeForm)\.tsx$/;
/** What is typed into and chosen from. */
const INPUTS = /@mantine[\\/](core|form)[\\/]/;
/** The features that are forms for the most part, with what only they call. */
const FORMS = /[\\/]features[\\/](accounts|credit|games)[\\/]|[\\/]contract[\\/]src[\\/]games[\\/](game|time)/;
/** Chooses an account: few reports do. */
const PICKER = /[\\/](AccountPicker\.tsx|useAccountSearch\.ts)$/;
/** What the pages of credit that has moved have in common: commission, statements, transfers. */
const CREDIT =
  /[\\/]features[\\/]reports[\\/]commission[\\/]|[\\/]contract[\\/]src[\\/]\w+[\\/](commission|statement|credit|transactions)\.ts/;
/** Charts: what frames them comes with the pages that have one, what draws them after it. */
const CHARTS = /[\\/]ui[\\/]chart[\\/]/;
/** What few pages say of the seals. */
const SEAL_WORDS = /[\\/](?:lib[\\/]gradeWords|tlog[\\/]src[\\/]short-seal)\.ts$/;
/** The drawn sets of pictures and what they share, a few hundred bytes: none of them brings what pages have in common. */
const PICTURES = /[\\/](?:ui[\\/]pictures|packages[\\/]pictures[\\/]src)[\\/]/;

/** The live panel, with the pictures of outcomes that the bet list shows too: a panel is opened more often, and in as few files as may be. */
const LIVE_PANEL = /[\\/](LivePanelPage|OutcomePicture)\.tsx?$/;

/** What a live panel tells of its results, which comes after it: in one file, so that it brings nothing that other pages have in common. */
const LIVE_RESULTS =
  /features[\\/]live[\\/]results[\\/](ResultMoment|ResultSums|Frequencies|useResultSums|resultTexts)\.tsx?$|[\\/]live-results\.ts$/;

/** What several grids of live panels have in common: a panel brings its own grid and no other. */
const PANEL_GRIDS = /[\\/]features[\\/]live[\\/]grids[\\/](?!wheel[\\/])/;

/** The table of a wheel, with what the wall screen shows of it. */
const WHEEL = /[\\/]grids[\\/]wheel[\\/]/;

/** The rules of the games, and what is said of returns by them: what several pages ask of them comes without what those pages have in common. */
const RULES = /packages[\\/]rules[\\/]src[\\/](?!verify-beacon\.ts)|[\\/]lib[\\/]returnMarks\.ts$/;

/** What verifies the signatures of beacons. */
const BEACONS =
  /@noble[\\/]curves[\\/]|packages[\\/]rules[\\/]src[\\/]verify-beacon\.ts|[\\/]features[\\/]fair[\\/]BeaconVerdict/;

/** How draws are fair: what the checks that come later have in common with the page stands in it. */
const FAIR =
  /[\\/]app[\\/]FairPages\.tsx$|[\\/]features[\\/]fair[\\/](?!FairSealsPage|BeaconVerdict|PaperCheck|paperFinding|TicketCheck|TicketSteps|checkTicket|ticketName|ticketTexts)/;

export default defineConfig({
  plugins: [mantineStyles(), react(), buildName(), wholePage()],
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Each brings along what it imports, unless one above has it. What every page needs, signed in or not:
            { name: 'start', tags: ['$initial'], priority: 5 },
            // what stands around the pages of those who are:
            { name: 'signed-in', test: AROUND_PAGES, priority: 4 },
            // the rules, of which pages that anybody may open want no live panel;
            { name: 'game-rules', test: RULES, minShareCount: 2, priority: 4 },
            // lists, with the one that is opened most; what several other pages have; and calendars, only where there is one.
            { name: 'lists', test: LISTS, priority: 3 },
            { name: 'LivePanelPage', test: LIVE_PANEL, priority: 3 },
            { name: 'FairPages', test: FAIR, priority: 3 },
            { name: 'results', test: LIVE_RESULTS, priority: 3 },
            { name: 'dialogs', test: /[\\/]dialogParts\.ts$/, priority: 3 },
            { name: 'panel-grids', test: PANEL_GRIDS, minShareCount: 2, priority: 3 },
            { name: 'wheel', test: WHEEL, priority: 3 },
            { name: 'dates', test: CALENDARS, priority: 3 },
            // What only forms have in common, so that no report brings it.
            { name: 'inputs', test: INPUTS, minShareCount: 2, priority: 2.5 },
            { name: 'credit', test: CREDIT, minShareCount: 2, priority: 2.2 },
            {
              name: 'shared',
              test: (id) => ![FORMS, PICKER, PICTURES, CHARTS, SEAL_WORDS, BEACONS].some((own) => own.test(id)),
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
