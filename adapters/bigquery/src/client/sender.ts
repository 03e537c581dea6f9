import { readFile } from 'node:fs/promises';
import { AskemaError, loadPeer } from '@askema/core';
import type { BigQueryOptions as ClientOptions } from '@google-cloud/bigquery';
import type { ResolvedOptions } from '../options.ts';
import { impersonated } from './impersonated.ts';

/** One request as it goes out. */
interface SenderRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/** Sends a request with the credentials of the options; rejects with what the client library throws. */
export interface Sender {
  send(request: SenderRequest): Promise<unknown>;
  /** The project of the credentials, where they name one. */
  credentialsProject(): Promise<string | undefined>;
}

/** What of google-auth-library's clients is used. */
export interface GoogleClient {
  request(options: Readonly<Record<string, unknown>>): Promise<{ readonly data: unknown }>;
}

interface PlainClient extends GoogleClient {
  readonly transporter: GoogleClient;
  setCredentials(credentials: { readonly access_token: string }): void;
}

/** The part of `GoogleAuth` that is used; `jsonContent` is what its own look-up of credentials takes first. */
interface GoogleAuthLike extends GoogleClient {
  jsonContent: unknown;
  getClient(): Promise<GoogleClient>;
  getProjectId(): Promise<string | null>;
}

/**
 * The client library's authentication and connections, without its own sending: that can neither be stopped nor limited in time, and a
 * request to a server that hangs would stay open for ever. Credentials are handed over as JSON, because the library prints warnings for
 * `keyFilename` and `credentials`.
 *
 * Rejects with `DEPENDENCY_MISSING`, `CONFIG_INVALID` for a file of credentials that cannot be read.
 */
export async function createSender(options: ResolvedOptions): Promise<Sender> {
  const { BigQuery } = await loadPeer(() => import('@google-cloud/bigquery'), {
    peer: '@google-cloud/bigquery',
    range: '^9',
    neededBy: '@askema/bigquery',
  });
  const clientOptions = {
    projectId: options.projectId,
    authClient: options.authClient,
    universeDomain: options.universeDomain,
  } as unknown as ClientOptions;
  const auth = new BigQuery(dropUndefined(clientOptions)).authClient as unknown as GoogleAuthLike;
  const json = await credentialsJson(options);
  if (json !== undefined) auth.jsonContent = json;
  const own = await plainClient(options, auth);
  const bare = async (): Promise<GoogleClient> => {
    const empty = new BigQuery({ projectId: '-' }).authClient as unknown as GoogleAuthLike;
    return (await emptyClient(empty)).transporter;
  };
  const { impersonated: account, universeDomain: domain = 'googleapis.com' } = options;
  const client =
    account === undefined ? own : await impersonated({ source: own ?? auth, bare: await bare(), account, domain });
  return {
    send: async ({ method, url, body, signal }) => {
      const { data } = await (client ?? auth).request({
        method,
        url,
        signal,
        responseType: 'text',
        retry: false,
        headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'askema (gzip)' },
        ...(body === undefined ? {} : { data: JSON.stringify(body) }),
      });
      return parseAnswer(data);
    },
    credentialsProject: async () => (own === undefined ? ((await auth.getProjectId()) ?? undefined) : undefined),
  };
}

function dropUndefined(options: ClientOptions): ClientOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as ClientOptions;
}

/** Made only to be told another token, or none; never sent. */
const EMPTY_USER = { type: 'authorized_user', client_id: '-', client_secret: '-', refresh_token: '-' };

/** For an access token a client that sends it; for a stand-in without credentials one that sends none. */
async function plainClient(options: ResolvedOptions, auth: GoogleAuthLike): Promise<GoogleClient | undefined> {
  const anonymous =
    options.apiEndpoint !== undefined && options.credentials === undefined && options.keyFilename === undefined;
  if (options.authClient !== undefined || (options.accessToken === undefined && !anonymous)) return undefined;
  const client = await emptyClient(auth);
  if (options.accessToken === undefined) return client.transporter;
  client.setCredentials({ access_token: options.accessToken });
  return client;
}

async function emptyClient(auth: GoogleAuthLike): Promise<PlainClient> {
  auth.jsonContent = EMPTY_USER;
  return (await auth.getClient()) as PlainClient;
}

async function credentialsJson({ credentials, keyFilename }: ResolvedOptions): Promise<unknown> {
  if (credentials !== undefined) return completed(credentials);
  if (keyFilename === undefined) return undefined;
  let text: string;
  try {
    text = await readFile(keyFilename, 'utf8');
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    throw new AskemaError(
      'CONFIG_INVALID',
      `The file of credentials ${keyFilename} cannot be read (${String(code)}); check \`keyFilename\` or GOOGLE_APPLICATION_CREDENTIALS.`,
    );
  }
  const json = parseOrNothing(text);
  if (typeof json === 'object' && json !== null) return completed(json as Readonly<Record<string, unknown>>);
  throw new AskemaError(
    'CONFIG_INVALID',
    `The file of credentials ${keyFilename} is no JSON object; download it again.`,
  );
}

/** The text may hold a key: what a parser says of it is not passed on. */
function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws AskemaError `CONFIG_INVALID` for a service account without its key. */
function completed(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isAccount = json.type === undefined || json.type === 'service_account';
  const missing = isAccount ? ['client_email', 'private_key'].filter((key) => typeof json[key] !== 'string') : [];
  if (missing.length === 0) return json;
  throw new AskemaError(
    'CONFIG_INVALID',
    `The credentials lack ${missing.map((key) => `\`${key}\``).join(' and ')}; give the whole JSON of a service account, or of another \`type\`.`,
  );
}

/** The library gives text for `responseType: 'text'`; an answer that is no JSON is one of something in between. */
function parseAnswer(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  if (data === '') return {};
  const answer = parseOrNothing(data);
  if (answer !== undefined) return answer;
  throw Object.assign(new Error(`The answer is no JSON: ${JSON.stringify(data.slice(0, 100))}`), {
    code: 'BROKEN_ANSWER',
  });
}
