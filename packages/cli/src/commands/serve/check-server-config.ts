import { AskemaError, didYouMean } from '@askema/core';
import type { Caller, CallerLimits, ServedMcp } from '@askema/server';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { ServedJournal, ServedKeep, ServedRole, ServerConfig } from '../../config/server-config.ts';
import { DIALECT_NAMES } from '../../format/target-dialects.ts';
import { parseAge } from '../../terminal/parse-age.ts';

const HOUR_MS = 3_600_000;

/** Gives what is wrong with a value, or nothing. */
type Check = (value: unknown, place: string) => string | undefined;

/** What stands for a part that may be left out. */
type Parts<T> = Readonly<Record<keyof Required<T>, Check>>;

const is =
  (fits: (value: unknown) => boolean, wanted: string): Check =>
  (value, place) =>
    fits(value) ? undefined : `\`${place}\` must be ${wanted}.`;

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const text = is(isText, 'a text');
const truth = is((value) => typeof value === 'boolean', 'true or false');
const amount = is((value) => typeof value === 'number' && value >= 0, 'a number of at least 0');
const oneOf = (...choices: readonly string[]): Check =>
  is((value) => choices.some((choice) => choice === value), `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
const anything: Check = () => undefined;
const no = (value: unknown): boolean => value === false;

/** The first that fits; what is said is of the last. */
const either =
  (fits: (value: unknown) => boolean, other: Check): Check =>
  (value, place) =>
    fits(value) ? undefined : other(value, place);

const listOf =
  (check: Check): Check =>
  (value, place) =>
    Array.isArray(value)
      ? first(value.entries(), ([index, each]) => check(each, `${place}[${index}]`))
      : `\`${place}\` must be a list.`;

const mapOf =
  (check: Check): Check =>
  (value, place) =>
    isObject(value)
      ? first(Object.entries(value), ([name, each]) => check(each, `${place}.${name}`))
      : `\`${place}\` must be an object.`;

/** A name that is not known would be a limit that does not hold, or a column that is not hidden. */
const partsOf =
  (parts: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check =>
  (value, place) => {
    if (!isObject(value)) return `\`${place}\` must be an object.`;
    const missing = needed.find((name) => value[name] === undefined);
    if (missing !== undefined) return `\`${place}.${missing}\` is missing.`;
    return first(Object.entries(value), ([name, part]) => {
      const check = Object.hasOwn(parts, name) ? parts[name] : undefined;
      const known = Object.keys(parts);
      if (check === undefined)
        return `there is no \`${place}.${name}\`. ${didYouMean(name, known) || `Known: ${known.join(', ')}.`}`;
      return part === undefined ? undefined : check(part, `${place}.${name}`);
    });
  };

function first<T>(values: Iterable<T>, check: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const wrong = check(value);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const texts = listOf(text);

const LIMITS = partsOf({
  requestsPerMinute: amount,
  questionsPerMinute: amount,
  statementsPerMinute: amount,
  statementsAtOnce: either(no, amount),
  questionsAtOnce: either(no, amount),
  tokensPerDay: amount,
  costUsdPerDay: amount,
  bytesPerDay: amount,
} satisfies Parts<CallerLimits>);

const OF_CALLERS = { limits: LIMITS, hide: texts, mask: texts };

const CALLER = partsOf(
  { ...OF_CALLERS, subject: text, tenant: text, role: text, scopes: texts } satisfies Parts<Caller>,
  ['subject', 'scopes'],
);

const ROLE = partsOf({ ...OF_CALLERS, scopes: texts, database: either(no, text) } satisfies Parts<ServedRole>);

/** What `jwtAuth` and `keyAuth` say themselves is not said here. */
const AUTH = partsOf({
  keys: listOf(partsOf({ sha256: text, caller: CALLER }, ['sha256', 'caller'])),
  jwt: partsOf(
    {
      ...{ issuer: text, audience: anything, jwksUri: text, algorithms: texts, rules: anything },
      ...{ clockToleranceS: amount, claims: partsOf({ tenant: text, role: text, scopes: text }) },
    },
    ['issuer', 'audience'],
  ),
});

const isAuthenticator = (value: unknown): boolean => isObject(value) && typeof value.authenticate === 'function';

const tenantPattern = is(
  (value) => typeof value === 'string' && tenantPlace(value) !== undefined,
  'a file whose name is {tenant} and an ending, such as data/{tenant}.sqlite',
);

const bytes = is((value) => value instanceof Uint8Array && value.length >= 32, 'at least 32 bytes');
const MCP = partsOf({ url: text, authorizationServers: texts, key: bytes } satisfies Parts<Omit<ServedMcp, 'within'>>);

const AUDIT = partsOf({
  ...{ file: text, fsync: truth, rotate: oneOf('month') },
  ...{ sql: oneOf('text', 'redacted', 'hash'), question: oneOf('text', 'hash') },
});

const JOURNAL = partsOf({ folder: text, fsync: truth } satisfies Parts<ServedJournal>);

const age = is(
  (value) => typeof value === 'string' && parseAge(value) >= HOUR_MS,
  'a time of at least 1h: 12h, 30d, 2w',
);

const SERVER = partsOf({
  auth: either(isAuthenticator, AUTH),
  roles: mapOf(ROLE),
  tenants: mapOf(tenantPattern),
  limits: LIMITS,
  hosts: texts,
  origins: texts,
  mcp: MCP,
  design: either((value) => typeof value === 'boolean', partsOf({ dialect: oneOf(...DIALECT_NAMES) })),
  evaluations: text,
  audit: either(no, AUDIT),
  keep: partsOf({ runs: age, audit: age } satisfies Parts<ServedKeep>),
  journal: either((value) => no(value) || isText(value), JOURNAL),
} satisfies Parts<ServerConfig>);

/** The part `server` of the configuration. @throws AskemaError `CONFIG_INVALID` with the place and the nearest name. */
export function checkServerConfig({ config, file }: LoadedConfig): ServerConfig {
  const { server = {} } = config;
  const wrong = SERVER(server, 'server') ?? wrongName(server);
  if (wrong !== undefined) throw new AskemaError('CONFIG_INVALID', `${file}: ${wrong}`);
  return server;
}

function wrongName({ tenants = {} }: ServerConfig): string | undefined {
  const name = Object.keys(tenants).find((each) => /[\s/@]/.test(each));
  return name === undefined
    ? undefined
    : `\`server.tenants\` has ${JSON.stringify(name)}; a name has no blanks, "/" or "@".`;
}

/** Folder and ending of a pattern; undefined for what is none. */
export function tenantPlace(pattern: string): { readonly folder: string; readonly extension: string } | undefined {
  const [, folder, extension] = /^(?:(.*)\/)?\{tenant\}\.(\w+)$/.exec(pattern) ?? [];
  if (extension === undefined || folder?.includes('{tenant}') === true) return undefined;
  return { folder: folder === '' ? '/' : (folder ?? '.'), extension };
}
