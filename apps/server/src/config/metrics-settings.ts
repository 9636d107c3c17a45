export interface MetricsSettings {
  readonly port: number | undefined;
  readonly host: string;
  readonly token: string | undefined;
}

/** Shorter tokens could be guessed. */
const TOKEN_LEAST = 16;

export function readMetricsSettings(text: (name: string) => string | undefined): MetricsSettings {
  const port = text('METRICS_PORT');
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    throw new Error('METRICS_PORT must be a whole number from 0 to 65535.');
  const token = text('METRICS_TOKEN');
  if (token !== undefined && !(token.length >= TOKEN_LEAST && /^[\x21-\x7e]+$/.test(token)))
    throw new Error(
      `METRICS_TOKEN must have at least ${TOKEN_LEAST} characters, without spaces: openssl rand -hex 32 makes one.`,
    );
  return { port: port === undefined ? undefined : Number(port), host: text('METRICS_HOST') ?? '127.0.0.1', token };
}
