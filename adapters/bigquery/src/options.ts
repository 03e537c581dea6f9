import { checkAllowFunctions } from '@askema/adapter-kit';
import { type Access, checkAccess, checkChoice, checkTimer, checkWhole, invalidOption } from '@askema/core';
import { type DatasetName, readDataset, readProject } from './dataset-name.ts';

/** An authentication client of google-auth-library; structural, because two copies of the library may be installed. */
export interface AuthClientLike {
  readonly request: (...parameters: never[]) => unknown;
}

/** Options of {@link bigquery}. */
export interface BigQueryOptions {
  /** The project that pays. Default: that of the credentials, or `GOOGLE_CLOUD_PROJECT`. */
  readonly projectId?: string | undefined;
  /** The datasets to read the structure of, as `dataset` or `project.dataset`. Default: all of the project that pays. */
  readonly datasets?: readonly string[] | undefined;
  /** Where names without a dataset are looked for. Default: the dataset, when `datasets` has exactly one. */
  readonly defaultDataset?: string | undefined;
  /** `US`, `EU`, `europe-west4`, …; needed where BigQuery cannot tell it from the tables. */
  readonly location?: string | undefined;
  /** A JSON file of credentials: service account, user, impersonation, workload identity. Default: application default credentials. */
  readonly keyFilename?: string | undefined;
  /** What stands in such a file. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  /** An OAuth access token; it is not renewed. */
  readonly accessToken?: string | undefined;
  /** A client of google-auth-library, for what else it can do (impersonation). */
  readonly authClient?: AuthClientLike | undefined;
  /** Of another universe than `googleapis.com`. */
  readonly universeDomain?: string | undefined;
  /** Another server, for stand-ins and private endpoints: `http://127.0.0.1:9050`. No credentials are looked for then, only those given are used. */
  readonly apiEndpoint?: string | undefined;
  /** A query that would bill more fails before it costs anything. `Infinity`: none. Default: 10 GiB, about 6 cents. */
  readonly maximumBytesBilled?: number | undefined;
  /** US dollars for a TiB on demand, for estimates. Default: 6.25. */
  readonly pricePerTib?: number | undefined;
  /** On every job, beside those of the run. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** What the adapter may be asked for at most. Default: `read`. */
  readonly access?: Access | undefined;
  /**
   * Functions of your own that reading may call although it cannot be seen that they only read, as `dataset.name`.
   * Default: none.
   */
  readonly allowFunctions?: readonly string[] | undefined;
  /** Statements side by side; more of them wait. Default: 16. */
  readonly concurrency?: number | undefined;
  /** Rows of one page of a result. Default: 5,000. */
  readonly pageRows?: number | undefined;
  /** How often a request is sent again after 429, 5xx or a broken connection, within the deadline. Default: 5. */
  readonly maxRetries?: number | undefined;
  /** One request may take so long until it is sent again. Default: 60,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** All of `introspect`. Default: 120,000. */
  readonly introspectTimeoutMs?: number | undefined;
  /** Take the result of the same query from BigQuery's cache, free of charge. Default: true. */
  readonly useQueryCache?: boolean | undefined;
  /** `information-schema` costs at least 10 MB a view and dataset, `rest` nothing but a request a table; `auto` takes the first and falls back. Default: `auto`. */
  readonly metadata?: 'auto' | 'information-schema' | 'rest' | undefined;
}

/** All options with their defaults. */
export interface ResolvedOptions {
  /** To show: `project.dataset`. */
  readonly name: string;
  readonly projectId: string | undefined;
  readonly datasets: readonly { readonly project?: string | undefined; readonly dataset: string }[];
  readonly defaultDataset: { readonly project?: string | undefined; readonly dataset: string } | undefined;
  readonly location: string | undefined;
  readonly keyFilename: string | undefined;
  readonly credentials: Readonly<Record<string, unknown>> | undefined;
  readonly accessToken: string | undefined;
  readonly authClient: AuthClientLike | undefined;
  /** The service account that the credentials act for: the role of `scope`. */
  readonly impersonated: string | undefined;
  readonly universeDomain: string | undefined;
  readonly apiEndpoint: string | undefined;
  readonly maximumBytesBilled: number;
  readonly pricePerTib: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly access: Access;
  readonly allowFunctions: readonly string[];
  readonly concurrency: number;
  readonly pageRows: number;
  readonly maxRetries: number;
  readonly requestTimeoutMs: number;
  readonly introspectTimeoutMs: number;
  readonly useQueryCache: boolean;
  readonly metadata: 'auto' | 'information-schema' | 'rest';
}

const GIBIBYTE = 1024 ** 3;

/**
 * A pipeline sends many queries that a model wrote. 10 GiB is 6 cents on demand and 1 % of the free TiB of a month; enough for most
 * datasets, too little to be a bad surprise.
 */
const DEFAULT_MAXIMUM_BYTES = 10 * GIBIBYTE;

/** On demand in the US, since July 2023 (https://cloud.google.com/bigquery/pricing); other places have other prices. */
const DEFAULT_PRICE_PER_TIB = 6.25;

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveOptions(
  options: BigQueryOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ResolvedOptions {
  if (typeof options !== 'object' || options === null)
    throw invalidOption('The options of `bigquery` are missing; an empty object will do.');
  const projectId = readProject('projectId', options.projectId ?? environment.GOOGLE_CLOUD_PROJECT);
  const apiEndpoint = readEndpoint(options.apiEndpoint);
  if (apiEndpoint !== undefined && projectId === undefined)
    throw invalidOption('`apiEndpoint` is given without `projectId`; name the project that queries run in.');
  const datasets = readDatasets(options.datasets);
  const only = datasets.length === 1 ? datasets[0] : undefined;
  const defaultDataset =
    options.defaultDataset === undefined ? only : readDataset('defaultDataset', options.defaultDataset);
  checkCredentials(options);
  const shown = datasets.length === 0 ? [] : [datasets.map(({ dataset }) => dataset).join('+')];
  return {
    name: [only?.project ?? projectId ?? 'bigquery', ...shown].join('.'),
    projectId,
    datasets,
    defaultDataset,
    location: readLocation(options.location),
    keyFilename: options.keyFilename,
    credentials: options.credentials,
    accessToken: options.accessToken,
    authClient: options.authClient,
    impersonated: undefined,
    universeDomain: options.universeDomain,
    apiEndpoint,
    maximumBytesBilled: readCeiling(options.maximumBytesBilled ?? DEFAULT_MAXIMUM_BYTES),
    pricePerTib: readPrice(options.pricePerTib ?? DEFAULT_PRICE_PER_TIB),
    labels: options.labels ?? {},
    access: checkAccess(options.access),
    allowFunctions: checkAllowFunctions(options.allowFunctions),
    concurrency: checkWhole('concurrency', options.concurrency ?? 16, 1, 1_000),
    pageRows: checkWhole('pageRows', options.pageRows ?? 5_000, 1, 100_000),
    maxRetries: checkWhole('maxRetries', options.maxRetries ?? 5, 0, 100),
    requestTimeoutMs: checkTimer('requestTimeoutMs', options.requestTimeoutMs ?? 60_000, 10),
    introspectTimeoutMs: checkTimer('introspectTimeoutMs', options.introspectTimeoutMs ?? 120_000),
    useQueryCache: options.useQueryCache ?? true,
    metadata: checkChoice('metadata', options.metadata ?? 'auto', ['auto', 'information-schema', 'rest']),
  };
}

/** The dataset with its project; `billing` is the project that pays. */
export function withProject(
  dataset: { readonly project?: string | undefined; readonly dataset: string },
  billing: string,
): DatasetName {
  return { project: dataset.project ?? billing, dataset: dataset.dataset };
}

function readDatasets(datasets: BigQueryOptions['datasets']): ResolvedOptions['datasets'] {
  if (datasets === undefined) return [];
  if (!Array.isArray(datasets)) throw invalidOption('`datasets` must be a list, such as ["project.dataset"].');
  return datasets.map((dataset: unknown) => readDataset('datasets', dataset));
}

const CREDENTIALS = ['keyFilename', 'credentials', 'accessToken', 'authClient'] as const;

/** Never shows a value. */
function checkCredentials(options: BigQueryOptions): void {
  const given = CREDENTIALS.filter((key) => options[key] !== undefined);
  if (given.length > 1)
    throw invalidOption(`${given.map((key) => `\`${key}\``).join(' and ')} are given; one of them says who connects.`);
  if (
    options.keyFilename !== undefined &&
    (typeof options.keyFilename !== 'string' || options.keyFilename.trim() === '')
  )
    throw invalidOption('`keyFilename` is empty; give the path of a JSON file of credentials.');
  if (
    options.accessToken !== undefined &&
    (typeof options.accessToken !== 'string' || /[^\x21-\x7e]/.test(options.accessToken))
  )
    throw invalidOption('`accessToken` is no token: it has blanks or unprintable characters.');
  if (options.credentials !== undefined && (typeof options.credentials !== 'object' || options.credentials === null))
    throw invalidOption('`credentials` must be an object: what stands in the JSON file of a service account.');
  if (options.authClient !== undefined && typeof options.authClient?.request !== 'function')
    throw invalidOption('`authClient` has no `request`; give a client of google-auth-library.');
}

function readEndpoint(endpoint: string | undefined): string | undefined {
  if (endpoint === undefined) return undefined;
  let url: URL | undefined;
  try {
    url = new URL(endpoint);
  } catch {
    url = undefined;
  }
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw invalidOption(
      '`apiEndpoint` must be an address such as http://127.0.0.1:9050, without user, password or parameters.',
    );
  return endpoint.replace(/\/{1,8}$/, '');
}

function readLocation(location: string | undefined): string | undefined {
  if (location === undefined || /^[A-Za-z][A-Za-z0-9-]{0,62}$/.test(location)) return location;
  throw invalidOption(
    `\`location\` is ${JSON.stringify(location)}; it must be a place of BigQuery, such as US, EU or europe-west4.`,
  );
}

function readCeiling(bytes: number): number {
  if (bytes === Number.POSITIVE_INFINITY || (Number.isSafeInteger(bytes) && bytes > 0)) return bytes;
  throw invalidOption(
    `\`maximumBytesBilled\` is ${bytes}; it must be a whole number of bytes above 0, or Infinity for no ceiling.`,
  );
}

function readPrice(price: number): number {
  if (Number.isFinite(price) && price >= 0) return price;
  throw invalidOption(`\`pricePerTib\` is ${price}; it must be US dollars for a TiB, 0 or more.`);
}
