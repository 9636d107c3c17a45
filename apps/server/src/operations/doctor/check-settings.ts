import { readConfig, type Config } from '../../config/config.ts';
import { SETTINGS, unknownSettings } from '../../config/setting-names.ts';
import { fault, ok, warning, type Finding } from './findings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ReadSettings {
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
