import { roleRefused } from '@askema/adapter-kit';
import { readFailure } from '../errors/rest-failure.ts';
import type { GoogleClient } from './sender.ts';

interface Impersonation {
  /** Has the credentials that may act for the account: the role Service Account Token Creator on it. */
  readonly source: GoogleClient;
  /** Sends without credentials. */
  readonly bare: GoogleClient;
  /** The address of the service account. */
  readonly account: string;
  /** `googleapis.com` */
  readonly domain: string;
}

interface Token {
  readonly text: string;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

const SCOPE = 'https://www.googleapis.com/auth/bigquery';
/** Before a token expires it is renewed. */
const EARLY_MS = 300_000;

/**
 * A client that works as a service account, with tokens of an hour that the source asks for: `generateAccessToken` of the IAM Credentials API
 * (https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken).
 *
 * Rejects with `CALLER_REFUSED` where the source may not act for the account, and else with what the source throws.
 */
export async function impersonated({ source, bare, account, domain }: Impersonation): Promise<GoogleClient> {
  const url = `https://iamcredentials.${domain}/v1/projects/-/serviceAccounts/${encodeURIComponent(account)}:generateAccessToken`;
  const ask = async (): Promise<Token> => {
    const { data } = await source.request({
      method: 'POST',
      url,
      responseType: 'json',
      retry: false,
      headers: { 'content-type': 'application/json' },
      data: JSON.stringify({ scope: [SCOPE], lifetime: '3600s' }),
    });
    const { accessToken, expireTime } = data as { readonly accessToken?: unknown; readonly expireTime?: unknown };
    if (typeof accessToken !== 'string') throw new Error(`The answer for ${account} has no token.`);
    return { text: accessToken, expires: Date.parse(String(expireTime)) || 0 };
  };
  let token = ask();
  const renewed = async (): Promise<Token> => {
    const asked = token;
    const kept = await asked.catch(() => undefined);
    const isOver = kept === undefined || kept.expires - EARLY_MS <= Date.now();
    // Requests side by side share the next token.
    if (isOver && token === asked) token = ask();
    return token;
  };
  try {
    await token;
  } catch (thrown) {
    const { status, message } = readFailure(thrown, 1);
    if (status === 403 || status === 404) throw roleRefused(message, thrown);
    throw thrown;
  }
  return {
    async request(options) {
      const { text } = await renewed();
      const headers = { ...(options.headers as Readonly<Record<string, string>>), authorization: `Bearer ${text}` };
      return bare.request({ ...options, headers });
    },
  };
}
