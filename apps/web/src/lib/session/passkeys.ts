import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** As the server sends them. */
type Options = Readonly<Record<string, unknown>>;

// Few pages use passkeys, so the library loads on demand.
const loadLibrary = () => import('@simplewebauthn/browser');

/** Asks the browser for a new passkey. Returns what the server checks; throws if the person cancels. */
export async function makePasskey(options: Options): Promise<string> {
  const { startRegistration } = await loadLibrary();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return JSON.stringify(await startRegistration({ optionsJSON }));
}

/** Asks the browser to sign with a passkey. Returns what the server checks; throws if the person cancels. */
export async function signByPasskey(options: Options): Promise<string> {
  const { startAuthentication } = await loadLibrary();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return JSON.stringify(await startAuthentication({ optionsJSON }));
}
