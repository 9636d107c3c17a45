import { lookForServer } from '@drawhouse/session/server-reach';

/**
 * Fetches what a form of those who are not signed in may send, and how that is checked. Not with the page itself: it is there before anybody
 * has typed a name.
 */
export const loadRules = () =>
  import('./signInRules.ts').catch((error: unknown) => {
    // It may be of a release that is gone: the server is asked, and says which one it has.
    void lookForServer();
    throw error;
  });

/** What is wrong with the fields of the sign-in. Nothing is known to be where the rules can't be fetched: the server then says it. */
export async function wrongFields(values: unknown): Promise<Record<string, string>> {
  const rules = await loadRules().catch(() => null);
  return rules ? rules.schemaErrors(rules.login.body!, values) : {};
}
