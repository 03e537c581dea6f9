import { checkAllowFunctions } from '@askema/adapter-kit';
import {
  type Access,
  checkAccess,
  checkChoice,
  checkNames,
  checkText,
  checkTimer,
  checkWhole,
  didYouMean,
  invalidOption,
} from '@askema/core';
import { type Authentication, resolveAuthentication } from './login/authentication.ts';
import { readConnection } from './login/connection-file.ts';
import type { SnowflakeOptions } from './snowflake-options.ts';

/** All options with their defaults. Secrets stand in `authentication` alone. */
export interface ResolvedOptions {
  /** To show: `account/database/schema`. */
  readonly name: string;
  readonly account: string;
  readonly user: string | undefined;
  readonly database: string | undefined;
  readonly schema: string | undefined;
  readonly warehouse: string | undefined;
  readonly role: string | undefined;
  /** It is that of `scope`: of a caller, who has no other. */
  readonly isRoleOfScope: boolean;
  readonly accessUrl: string | undefined;
  readonly authentication: Authentication;
  readonly driverOptions: Readonly<Record<string, unknown>>;
  readonly queryTag: string | undefined;
  readonly poolSize: number;
  readonly access: Access;
  readonly allowFunctions: readonly string[];
  readonly databases: readonly string[] | undefined;
  readonly schemas: readonly string[] | undefined;
  readonly nestedFields: 'sample' | 'off';
  readonly loginTimeoutMs: number;
  readonly introspectTimeoutMs: number;
  readonly retryDelayMs: number;
}

/** All of them, once: the compiler wants each option named. */
const OPTION_NAMES: Readonly<Record<keyof SnowflakeOptions, true>> = {
  connection: true,
  account: true,
  user: true,
  database: true,
  schema: true,
  warehouse: true,
  role: true,
  accessUrl: true,
  host: true,
  port: true,
  protocol: true,
  authenticator: true,
  password: true,
  passcode: true,
  privateKey: true,
  privateKeyPath: true,
  privateKeyPassphrase: true,
  token: true,
  driverOptions: true,
  queryTag: true,
  poolSize: true,
  access: true,
  allowFunctions: true,
  databases: true,
  schemas: true,
  nestedFields: true,
  loginTimeoutMs: true,
  introspectTimeoutMs: true,
  retryDelayMs: true,
};

/** What the adapter sets by itself: overriding it would make values inexact or the driver loud. */
const OWN_DRIVER_OPTIONS = [
  'account username user password passcode token privateKey privateKeyPath privateKeyPass authenticator accessUrl host port protocol',
  'database schema warehouse role queryTag rowMode streamResult fetchAsString representNullAsStringNull jsTreatIntegerAsBigInt agentClass',
].flatMap((names) => names.split(' '));

/** @throws AskemaError `CONFIG_INVALID`, `DATABASE_NOT_FOUND` for a connection file that is not there. */
export function resolveOptions(
  given: SnowflakeOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ResolvedOptions {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(OPTION_NAMES, name)) continue;
    throw invalidOption(
      `\`${name}\` is no option of the Snowflake adapter. ${didYouMean(name, Object.keys(OPTION_NAMES))}`,
    );
  }
  const options = given.connection === undefined ? given : withConnection(given, environment);
  for (const name of TEXT_OPTIONS) checkText(name, options[name]);
  const driverOptions = options.driverOptions ?? {};
  const own = Object.keys(driverOptions).find((name) => OWN_DRIVER_OPTIONS.includes(name));
  if (own !== undefined)
    throw invalidOption(
      `\`driverOptions.${own}\` cannot be passed on: the adapter sets it. Use the option of the adapter.`,
    );
  if (options.queryTag !== undefined && options.queryTag.length > 1_000)
    throw invalidOption(`\`queryTag\` has ${options.queryTag.length} characters; 1,000 fit beside the run.`);
  if (options.schema !== undefined && options.database === undefined)
    throw invalidOption(`\`schema\` is ${JSON.stringify(options.schema)}, but no \`database\` is given; give both.`);
  const accessUrl = resolveUrl(options);
  const account = resolveAccount(options.account, accessUrl);
  const authentication = resolveAuthentication(options);
  return {
    name: [account, options.database, options.schema].filter((part) => part !== undefined).join('/'),
    account,
    user: options.user,
    database: options.database,
    schema: options.schema,
    warehouse: options.warehouse,
    role: options.role,
    isRoleOfScope: false,
    accessUrl,
    authentication,
    driverOptions,
    queryTag: options.queryTag,
    poolSize: checkWhole('poolSize', options.poolSize ?? (authentication.needsPerson ? 1 : 4), 1, 64),
    access: checkAccess(options.access),
    allowFunctions: checkAllowFunctions(options.allowFunctions),
    databases:
      checkNames('databases', options.databases) ?? (options.database === undefined ? undefined : [options.database]),
    schemas: checkNames('schemas', options.schemas) ?? (options.schema === undefined ? undefined : [options.schema]),
    nestedFields: checkChoice('nestedFields', options.nestedFields ?? 'sample', ['sample', 'off']),
    loginTimeoutMs: checkTimer('loginTimeoutMs', options.loginTimeoutMs ?? 30_000),
    introspectTimeoutMs: checkTimer('introspectTimeoutMs', options.introspectTimeoutMs ?? 120_000),
    retryDelayMs: checkWhole('retryDelayMs', options.retryDelayMs ?? 500, 1, 60_000),
  };
}

function withConnection(
  given: SnowflakeOptions,
  environment: Readonly<Record<string, string | undefined>>,
): SnowflakeOptions {
  checkText('connection', given.connection);
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...readConnection(given.connection as string, environment), ...set };
}

const TEXT_OPTIONS = [
  'account',
  'user',
  'database',
  'schema',
  'warehouse',
  'role',
  'accessUrl',
  'host',
  'queryTag',
] as const satisfies readonly (keyof SnowflakeOptions)[];

function resolveUrl({ accessUrl, host, port, protocol }: SnowflakeOptions): string | undefined {
  if (protocol !== undefined) checkChoice('protocol', protocol, ['https', 'http']);
  if (port !== undefined) checkWhole('port', port, 1, 65_535);
  if (accessUrl === undefined && host === undefined) {
    if (port === undefined && protocol === undefined) return undefined;
    throw invalidOption('`port` and `protocol` belong to a `host`; give it, or `accessUrl`.');
  }
  if (accessUrl !== undefined && (host !== undefined || port !== undefined || protocol !== undefined))
    throw invalidOption('Give either `accessUrl` or `host`, `port` and `protocol`, not both.');
  const text = accessUrl ?? `${protocol ?? 'https'}://${host}${port === undefined ? '' : `:${port}`}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalidOption(
      `\`${accessUrl === undefined ? 'host' : 'accessUrl'}\` makes no URL; write https://host or host.`,
    );
  if (url.username !== '' || url.password !== '')
    throw invalidOption('`accessUrl` has a user or a password in it; give them as `user` and `password`.');
  return url.origin;
}

/** Letters, digits, `_`, `-` and dots: what an account identifier can be (user-guide/admin-account-identifier). */
function resolveAccount(account: string | undefined, accessUrl: string | undefined): string {
  if (account === undefined) {
    const host = accessUrl === undefined ? undefined : new URL(accessUrl).hostname;
    const first = host !== undefined && /[a-z]/i.test(host) ? host.split('.')[0] : undefined;
    if (first !== undefined && first !== '' && host !== 'localhost') return first;
    throw invalidOption(
      "`account` is missing; give the account identifier, `organization-account` (SELECT CURRENT_ORGANIZATION_NAME() || '-' || CURRENT_ACCOUNT_NAME() says it), or the name of a `connection`.",
    );
  }
  const plain = account.replace(/^https?:\/\//i, '').replace(/\.snowflakecomputing\.(com|cn)\/?$/i, '');
  if (!/^[A-Za-z0-9_.-]+$/.test(plain))
    throw invalidOption(
      `\`account\` is ${JSON.stringify(account)}; an account identifier looks like organization-account.`,
    );
  return plain;
}
