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
 * Makes the page whole by itself: the mark is in it, its comments stay here, and it names the files that only those who are signed in
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
        const mark = /<img src="(data:[^"]+)"/.exec(html)?.[1];
        return html
          .replace("'%SIGNED_IN%'", JSON.stringify(early))
          .replace(/(?<=<link rel="icon"[^>]* href=")[^"]+/, (file) => mark ?? file)
          .replaceAll(/\s*<!--[^]*?-->/g, '');
      },
    },
  };
}

/** Colours of Mantine that nothing here has. */
const UNUSED_COLOURS = /--mantine-color-(?:pink|grape|violet|indigo|cyan|teal|lime|orange)-[\w-]+:[^;]+;/g;

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
      // Of the colours that Mantine has, the app uses those that its theme names.
      if (id.endsWith('default-css-variables.layer.css')) return code.replace(UNUSED_COLOURS, '');
      const [, name, component] =
        /@mantine[\\/](core|dates|notifications)[\\/]esm[\\/].*?(\w+)\.module\.mjs$/.exec(id) ?? [];
      if (name === undefined) return null;
      const styles = name === 'core' ? `styles/${component}.layer.css` : 'styles.layer.css';
      return { code: `import '@mantine/${name}/${styles}';\n${code}`, map: null, moduleSideEffects: true };
    },
  };
}

/** What is needed to choose a day. */
const CALENDARS = /@mantine[\\/]dates|dayjs|[\\/](DayInput|DayRangeInputs|PeriodBar|RangeForm)\.tsx$/;

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
            { name: 'start', tags: ['$initial'], priority: 3 },
            // what stands around the pages of those who are:
            { name: 'signed-in', test: /[\\/](SignedIn|LeaveGuard|Messages)\.tsx$/, priority: 2 },
            // and what several of these pages have, in one file, for each costs a request; calendars only come where there is one.
            { name: 'shared', test: (id) => !CALENDARS.test(id), minShareCount: 2, priority: 1 },
            { name: 'dates', test: CALENDARS },
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
