import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { editDistance, rejectMisspelled, SETTINGS, unknownSettings } from './setting-names.ts';

/** Other programs' variables, some with names close to our settings. */
const OF_OTHERS = (
  'PATH HOME HOSTNAME HOSTTYPE SHELL USER LANG LC_ALL TERM PWD SHLVL TZ LOGNAME MAIL EDITOR NODE_ENV ' +
  'NODE_OPTIONS NODE_COMPILE_CACHE npm_config_cache npm_lifecycle_event INIT_CWD GLIBC_TUNABLES CI SESSION_MANAGER ' +
  'DBUS_SESSION_BUS_ADDRESS XDG_SESSION_TYPE DISPLAY INVOCATION_ID JOURNAL_STREAM SUDO_USER ' +
  'PGHOST PGPORT PGDATA PGPASSWORD AWS_ACCESS_KEY_ID AWS_PROFILE LOG_DIR DATABASE KUBERNETES_PORT TEST_LONG'
).split(' ');

it('match the configuration', () => {
  const asked = new Set<string>();
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_, name) => (asked.add(String(name)), undefined),
    },
  );
  readConfig(env);
  expect([...asked].toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
});

it('are suggested for one or two wrong letters', () => {
  const letter = fc.stringMatching(/^[A-Z_]$/);
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(SETTINGS)),
      fc.nat(),
      letter,
      fc.constantFrom(0, 1),
      (name, at, put, left) => {
        const place = at % name.length;
        const typed = name.slice(0, place) + put + name.slice(place + left);
        fc.pre(!Object.hasOwn(SETTINGS, typed));
        const [stray] = unknownSettings([typed]);
        expect(stray?.name).toBe(typed);
        // Another setting may be equally close, such as SEAL_KEY and SEED_KEY.
        expect(editDistance(typed.replaceAll('_', ''), stray!.suggestion!.replaceAll('_', ''))).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 300 },
  );
});

it('stop the start if a set name has one wrong letter', () => {
  expect(() => rejectMisspelled({ DATABSE_URL: 'postgres://x', BACKUP_SCHEDUL: '3' })).toThrow(
    'DATABSE_URL is not a setting. Did you mean DATABASE_URL? BACKUP_SCHEDUL is not a setting. Did you mean BACKUP_SCHEDULE?',
  );
  expect(() => rejectMisspelled({ LOGLEVEL: 'info' })).toThrow('Did you mean LOG_LEVEL?');
  const others = Object.fromEntries([...OF_OTHERS, ...Object.keys(SETTINGS)].map((name) => [name, 'x']));
  expect(() => rejectMisspelled({ ...others, DATABSE_URL: ' ', SEAL_FOLDER: 'x' })).not.toThrow();
});

it('suggest the intended name and ignore foreign variables', () => {
  const suggestionFor = (name: string) => unknownSettings([name])[0]?.suggestion;
  expect(['LOGLEVEL', 'DATABASE_URI', 'port', 'BAKCUP_DIR', 'TRUSTPROXY'].map(suggestionFor)).toEqual([
    'LOG_LEVEL',
    'DATABASE_URL',
    'PORT',
    'BACKUP_DIR',
    'TRUST_PROXY',
  ]);
  const ofNone = ['SEAL_FOLDER', 'SEALS_FOLDER', 'backup_retention', 'AUDIT_DAYS', 'LOG_FILE', 'SESSION_TIMEOUT'];
  ofNone.push('ADDRESS_LIMIT', 'TRUST_HOPS', 'DATABASE_PASSWORD');
  expect(unknownSettings(ofNone)).toEqual(ofNone.map((name) => ({ name, suggestion: undefined })));
  expect(unknownSettings([...OF_OTHERS, ...Object.keys(SETTINGS)])).toEqual([]);
});
