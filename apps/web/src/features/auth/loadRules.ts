import { lookForServer } from '@drawhouse/session/server-reach';

/** Loads the validation rules lazily: the page must appear before them. */
export const loadRules = () =>
  import('./signInRules.ts').catch((error: unknown) => {
    // The chunk may belong to an old release: ask the server for its current build.
    void lookForServer();
    throw error;
  });

/** Returns no errors if the rules fail to load: the server validates too. */
export async function wrongFields(values: unknown): Promise<Record<string, string>> {
  const rules = await loadRules().catch(() => null);
  return rules ? rules.schemaErrors(rules.login.body!, values) : {};
}
