import type { Clock } from '../../platform/time/clock.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { connect, type Database } from '../../platform/db/database.ts';
import { hasCluster, pathsOf } from '../../platform/db/embedded/embedded-cluster.ts';
import { startEmbedded } from '../../platform/db/embedded/embedded.ts';
import { PROBE_TIMEOUTS } from '../../platform/db/connection/dedicated-connections.ts';
import { fault, reasonOf, warning, type Finding, ok } from './findings.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { SETTINGS, unknownSettings } from '../../config/setting-names.ts';

export interface ReachedDatabase {
  readonly db: Database;
  readonly address: string;
  readonly ownerAddress: string;
  readonly isOwn: boolean;
}

export interface Surroundings {
  readonly settings: ReadSettings;
  readonly clock: Clock;
  /** Undefined if unreachable; `trouble` says why. */
  readonly database: ReachedDatabase | undefined;
  readonly trouble: Finding | undefined;
}

/** The database may be unreachable. Starts an idle embedded PostgreSQL meanwhile. */
export async function withSurroundings<T>(
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  act: (surroundings: Surroundings) => Promise<T>,
): Promise<T> {
  const settings = readSettings(env);
  const without = (trouble: Finding): Promise<T> => act({ settings, clock, database: undefined, trouble });
  const misleading = ['DATABASE_URL', 'DATA_DIR'].find((name) => settings.wrong.has(name));
  if (misleading !== undefined)
    return without(
      fault('postgresql', `The database was not checked: ${misleading} is wrong.`, `Correct ${misleading} first.`),
    );
  const { databaseUrl, databaseOwnerUrl, dataDir } = settings.config;
  if (databaseUrl === undefined && !hasCluster(pathsOf(dataDir)))
    return without(
      warning(
        'postgresql',
        `${dataDir} has no database: no server has been started there yet.`,
        'npm start creates it. If it is elsewhere, set DATA_DIR to its folder, or set DATABASE_URL.',
      ),
    );
  let embedded: Awaited<ReturnType<typeof startEmbedded>> | undefined;
  try {
    embedded = databaseUrl === undefined ? await startEmbedded(dataDir, { exclusive: false }) : undefined;
  } catch (error) {
    return without(
      fault(
        'postgresql',
        `The embedded PostgreSQL can't be reached: ${reasonOf(error)}.`,
        `See ${pathsOf(dataDir).log} for more.`,
      ),
    );
  }
  const address = embedded?.serverUrl ?? databaseUrl!;
  const ownerAddress = embedded?.ownerUrl ?? databaseOwnerUrl ?? address;
  const db = connect(address, { onError: () => {}, poolSize: 1, patience: PROBE_TIMEOUTS, readOnly: true });
  try {
    const refused = await whyNotReached(db, settings.config);
    if (refused) return await without(refused);
    return await act({
      settings,
      clock,
      database: { db, address, ownerAddress, isOwn: !embedded },
      trouble: undefined,
    });
  } finally {
    await db.close();
    await embedded?.stop();
  }
}

async function whyNotReached(db: Database, { databaseUrl }: Config): Promise<Finding | undefined> {
  try {
    await db.query(sql`select 1`);
    return undefined;
  } catch (error) {
    return fault(
      'postgresql',
      `It can't be reached: ${reasonOf(error)}.`,
      databaseUrl === undefined
        ? 'See postgres.log in DATA_DIR.'
        : 'Check that it runs and accepts this machine (pg_hba.conf, firewall), and check DATABASE_URL: host, ' +
            'port, role, password, database.',
    );
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

interface ReadSettings {
  /** Wrong settings have their default. */
  readonly config: Config;
  readonly wrong: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

export function readSettings(env: Environment): ReadSettings {
  const left: Record<string, string | undefined> = { ...env };
  const wrong = new Set<string>();
  const findings: Finding[] = [];
  for (;;) {
    try {
      const config = readConfig(left);
      findings.push(...strays(env));
      const set = Object.keys(SETTINGS).filter((name) => env[name]?.trim());
      if (wrong.size === 0)
        findings.unshift(ok('settings', set.length === 0 ? 'All are defaults.' : `Set and valid: ${set.join(', ')}.`));
      return { config, wrong, findings };
    } catch (error) {
      const { message } = error as Error;
      const names = toLeaveOut(message, left);
      if (names.length === 0) throw error;
      for (const name of names) {
        wrong.add(name);
        delete left[name];
      }
      findings.push(
        fault('settings', message, 'The server does not start with it. See docs/manual/running.md for all settings.'),
      );
    }
  }
}

/** The first set setting that the error names, else those sharing a missing one's prefix. */
function toLeaveOut(message: string, env: Environment): string[] {
  const isSet = (name: string): boolean => Boolean(env[name]?.trim());
  const named = (message.match(/\b[A-Z]+(?:_[A-Z]+)*\b/g) ?? []).filter((name) => Object.hasOwn(SETTINGS, name));
  const first = named.find(isSet);
  if (first !== undefined) return [first];
  for (let prefix = named[0] ?? ''; prefix.includes('_'); prefix = prefix.slice(0, prefix.lastIndexOf('_'))) {
    const sameKind = Object.keys(SETTINGS).filter((name) => name.startsWith(prefix) && isSet(name));
    if (sameKind.length > 0) return sameKind;
  }
  return [];
}

function strays(env: Environment): Finding[] {
  return unknownSettings(Object.keys(env)).map(({ name, suggestion }) =>
    warning(
      'settings',
      `${name} is not a setting and has no effect.`,
      suggestion === undefined ? 'See docs/manual/running.md for all settings.' : `Did you mean ${suggestion}?`,
    ),
  );
}
