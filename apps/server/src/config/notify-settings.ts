export interface NotifySettings {
  /** The path may be secret, so only the host is shown. No credentials. */
  readonly url: string;
  readonly host: string;
  readonly authorization: string | undefined;
  readonly secret: Buffer;
  /** In milliseconds. Without an answer, the message counts as undelivered. */
  readonly answerMs: number;
}

const ANSWER_MS = 8_000;

const SECRET = /^whsec_(?<base64>[A-Za-z0-9+/]{32,88}={0,2})$/;
/** Standard Webhooks: secret length in bytes. */
const [LEAST_BYTES, MOST_BYTES] = [24, 64];
const SECRET_FORM =
  'NOTIFY_SECRET must be whsec_ followed by 24 to 64 random bytes in Base64. Create them with openssl rand -base64 32.';

/** Undefined if disabled. Errors never show the secret. */
export function readNotify(text: (name: string) => string | undefined): NotifySettings | undefined {
  const [address, secretText] = [text('NOTIFY_URL'), text('NOTIFY_SECRET')];
  if (address === undefined) {
    if (secretText !== undefined)
      throw new Error('NOTIFY_SECRET needs NOTIFY_URL, the address that notices are sent to.');
    return undefined;
  }
  if (secretText === undefined)
    throw new Error(`NOTIFY_URL needs NOTIFY_SECRET, which signs the messages. ${SECRET_FORM}`);
  const secret = Buffer.from(SECRET.exec(secretText)?.groups!['base64'] ?? '', 'base64');
  if (secret.length < LEAST_BYTES || secret.length > MOST_BYTES) throw new Error(SECRET_FORM);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Error('NOTIFY_URL must be an address such as https://alerts.example/drawhouse.');
  const authorization = authorizationOf(url);
  url.username = '';
  url.password = '';
  return { url: url.href, host: url.host, authorization, secret, answerMs: ANSWER_MS };
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    throw new Error(
      'NOTIFY_URL has a name or password with a % that is not followed by two hex digits. Write it as %25.',
    );
  }
}
