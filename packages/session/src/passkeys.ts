import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Options as the server sends them. */
type Options = Readonly<Record<string, unknown>>;

// Few pages use passkeys.
const loadLibrary = () => import('@simplewebauthn/browser');

/** Returns what the server checks. */
export async function makePasskey(options: Options): Promise<string> {
  const { startRegistration } = await loadLibrary();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return JSON.stringify(await startRegistration({ optionsJSON }));
}

/** Returns what the server checks. Throws if the person cancels. */
export async function signByPasskey(options: Options): Promise<string> {
  const { startAuthentication } = await loadLibrary();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return JSON.stringify(await startAuthentication({ optionsJSON }));
}
