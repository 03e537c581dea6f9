import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AskemaError, didYouMean, type EmbeddingModel, isAskemaError } from '@askema/core';
import type { CommandContext } from '../process/command-context.ts';
import type { AskemaConfig } from './askema-config.ts';
import { configRisk } from './config-risk.ts';
import { tracingProblem } from './tracing-config.ts';

/** The names that are looked for, in this order. */
const CONFIG_FILE_NAMES = ['askema.config.ts', 'askema.config.mts', 'askema.config.mjs', 'askema.config.js'] as const;

const SECTIONS = [
  'databases',
  'restrict',
  'schemes',
  'models',
  'embeddings',
  'flows',
  'lint',
  'catalogs',
  'knowledge',
  'prices',
  'tracing',
  'server',
  'defaults',
] as const;
const LINT = ['rules', 'severities'] as const;
const PRICES = ['input', 'output', 'cachedInput', 'cacheWrite'] as const;
const DEFAULTS = ['database', 'model', 'flow', 'maxSchemaTokens'] as const;

export interface LoadedConfig {
  /** Undefined when there is no file. */
  readonly file: string | undefined;
  readonly config: AskemaConfig;
}

/**
 * Loads the configuration: the file named by `--config`, or the nearest `askema.config.ts`, `.mts`, `.mjs` or `.js` in
 * `cwd` and the folders above it. TypeScript runs by Node's own type stripping. One that was found, and that another
 * user may write, is not run. What its `tracing` holds back is sent when the command has ended.
 *
 * @throws AskemaError `CONFIG_INVALID` with the file and the reason.
 */
export async function loadConfig(
  cwd: string,
  named: string | undefined,
  { atEnd }: Pick<CommandContext, 'atEnd'>,
): Promise<LoadedConfig> {
  const file = named === undefined ? findConfigFile(cwd) : resolve(cwd, named);
  if (file === undefined) return { file: undefined, config: {} };
  if (!existsSync(file)) {
    throw new AskemaError('CONFIG_INVALID', `The configuration ${file} does not exist; check what --config names.`);
  }
  const risk = named === undefined ? configRisk(file) : undefined;
  if (risk !== undefined)
    throw new AskemaError(
      'CONFIG_INVALID',
      `The configuration ${file} is not run: ${risk}. Make it yours alone (chown, chmod go-w), or, if you know what is in it, name it: --config ${file}`,
    );
  const config = checkConfig(await importDefault(file), file);
  const { tracing } = config;
  if (tracing?.close !== undefined) atEnd(tracing, async () => tracing.close?.());
  return { file, config };
}

/** The nearest configuration file in `cwd` or above; undefined when there is none. */
export function findConfigFile(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = CONFIG_FILE_NAMES.map((name) => join(folder, name)).find((candidate) => existsSync(candidate));
    if (file !== undefined) return file;
    if (dirname(folder) === folder) return undefined;
  }
}

async function importDefault(file: string): Promise<unknown> {
  if (file.endsWith('.ts')) treatTypeScriptAsModules();
  try {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    return module.default;
  } catch (error) {
    throw new AskemaError('CONFIG_INVALID', `${file} cannot be loaded: ${reasonOf(error, file)}`, { cause: error });
  }
}

/**
 * Makes Node read the user's `.ts` files as ES modules, whatever the `type` of the package around them: `npm init`
 * writes `commonjs` (https://nodejs.org/api/module.html#moduleregisterhooksoptions). It stays for what the
 * configuration imports later. Node versions without these hooks run no TypeScript either.
 */
function treatTypeScriptAsModules(): void {
  nodeModule.registerHooks?.({
    load: (url, context, next) =>
      next(
        url,
        /^file:(?!.*\/node_modules\/).*\.ts$/.test(url) ? { ...context, format: 'module-typescript' } : context,
      ),
  });
}

/** Node's message with the line it points at, and what to do about the causes that are usual. */
function reasonOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const url = pathToFileURL(file).href;
  const place = (error.stack ?? '').split('\n').find((line) => line.includes(`${url}:`) || line.includes(`${file}:`));
  const [, number] = /:(\d+)(?::\d+)?\)?$/.exec(place?.trim() ?? '') ?? [];
  const reason = `${error.message}${number === undefined ? '' : ` (line ${number})`}`;
  if (code === 'ERR_MODULE_NOT_FOUND') return `${reason}. Install what it imports next to it, with npm install.`;
  if (/outside a module|Unexpected token 'export'/.test(error.message)) {
    return `${reason}. Node takes it for CommonJS: set "type": "module" in package.json, or let its name end in .ts or .mjs.`;
  }
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `${reason}. This Node (${process.versions.node}) does not run TypeScript files: take Node 22.18 or newer, or name the file askema.config.mjs.`;
  }
  return reason;
}

function checkConfig(value: unknown, file: string): AskemaConfig {
  const fail = (reason: string): never => {
    throw new AskemaError('CONFIG_INVALID', `${file}: ${reason}`);
  };
  if (value === undefined) fail('there is no default export; write `export default defineConfig({ … })`.');
  if (!isPlainObject(value)) return fail('the default export must be an object, made by defineConfig({ … }).');
  for (const [section, entries] of Object.entries(value)) {
    if (!SECTIONS.some((name) => name === section)) {
      fail(
        `there is no section \`${section}\`. ${didYouMean(section, SECTIONS) || `Sections: ${SECTIONS.join(', ')}.`}`,
      );
    }
    if (entries !== undefined && !isPlainObject(entries)) fail(`\`${section}\` must be an object that names values.`);
  }
  for (const [name, entry] of Object.entries(value.defaults ?? {})) {
    if (!DEFAULTS.some((known) => known === name)) {
      fail(`there is no default for \`${name}\`. ${didYouMean(name, DEFAULTS) || `Defaults: ${DEFAULTS.join(', ')}.`}`);
    }
    if (entry === undefined) continue;
    if (name === 'maxSchemaTokens') {
      if (!Number.isSafeInteger(entry) || Number(entry) < 1)
        fail('`defaults.maxSchemaTokens` must be a whole number of at least 1.');
    } else if (typeof entry !== 'string') fail(`\`defaults.${name}\` must be a name, as a string.`);
  }
  checkSchemes(value.schemes as Record<string, unknown> | undefined, fail);
  checkRestrict(value as AskemaConfig, fail);
  checkLint(value.lint as Record<string, unknown> | undefined, fail);
  checkCatalogs(value.catalogs as Record<string, unknown> | undefined, fail);
  checkKnowledge(value.knowledge as Record<string, unknown> | undefined, fail);
  checkPrices(value.prices as Record<string, unknown> | undefined, fail);
  const ofTracing = tracingProblem(value.tracing as Record<string, unknown> | undefined);
  if (ofTracing !== undefined) fail(ofTracing);
  checkEntries(value as Record<string, Record<string, unknown> | undefined>, fail);
  return value as AskemaConfig;
}

function checkSchemes(schemes: Record<string, unknown> = {}, fail: (reason: string) => never): void {
  for (const [scheme, opener] of Object.entries(schemes)) {
    if (!/^[a-z][a-z0-9+.-]+$/.test(scheme))
      fail(`\`schemes['${scheme}']\` is no scheme: two or more of a-z, 0-9, + . -, beginning with a letter.`);
    if (typeof opener !== 'function')
      fail(`\`schemes.${scheme}\` must be a function that opens an address: (address, request) => adapter({ … }).`);
  }
}

/** A mistake here would show what was to be hidden. Whether patterns name something, opening the database tells. */
function checkRestrict({ restrict = {}, databases, server }: AskemaConfig, fail: (reason: string) => never): void {
  const known = Object.keys({ ...databases, ...server?.tenants });
  for (const [name, rules] of Object.entries(restrict)) {
    if (!known.includes(name))
      fail(`\`restrict.${name}\` is no name of \`databases\` or \`server.tenants\`. ${didYouMean(name, known)}`.trim());
    const isRules = isPlainObject(rules) && Object.keys(rules).every((key) => key === 'hide' || key === 'mask');
    const lists = isRules ? Object.values(rules) : [undefined];
    if (!lists.every((list) => Array.isArray(list) && list.every((pattern) => typeof pattern === 'string')))
      fail(`\`restrict.${name}\` must be { hide?, mask? }, each a list of patterns such as 'users.ssn'.`);
  }
}

/** Codes and severities are checked where they are used. */
function checkLint(lint: Record<string, unknown> = {}, fail: (reason: string) => never): void {
  for (const name of Object.keys(lint))
    if (!LINT.some((known) => known === name))
      fail(`there is no \`lint.${name}\`. ${didYouMean(name, LINT) || `Known: ${LINT.join(', ')}.`}`);
  const { rules = [], severities = {} } = lint;
  if (!isPlainObject(severities)) fail('`lint.severities` must be an object: severities by code.');
  if (!Array.isArray(rules)) fail('`lint.rules` must be a list of rules.');
  for (const [index, rule] of (rules as readonly unknown[]).entries())
    if (!isRuleLike(rule))
      fail(`\`lint.rules[${index}]\` must be a rule: { code: 'custom/…', severity, title, check(query) { … } }.`);
}

function checkKnowledge(knowledge: Record<string, unknown> = {}, fail: (reason: string) => never): void {
  for (const [name, value] of Object.entries(knowledge))
    if (name !== 'folder' || (value !== undefined && typeof value !== 'string'))
      fail(`\`knowledge.${name}\` cannot be that: knowledge is { folder?: path }.`);
}

function checkCatalogs(catalogs: Record<string, unknown> = {}, fail: (reason: string) => never): void {
  const wanted: Readonly<Record<string, (value: unknown) => boolean>> = {
    keep: (value) => typeof value === 'boolean',
    folder: (value) => typeof value === 'string' && value.trim() !== '',
    maxAgeMs: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  };
  for (const [name, value] of Object.entries(catalogs))
    if (!Object.hasOwn(wanted, name) || (value !== undefined && wanted[name]?.(value) === false))
      fail(
        `\`catalogs.${name}\` cannot be that: catalogs is { keep?: boolean, folder?: path, maxAgeMs?: milliseconds }.`,
      );
}

function checkPrices(prices: Record<string, unknown> = {}, fail: (reason: string) => never): void {
  const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0 && Number.isFinite(value);
  for (const [model, price] of Object.entries(prices)) {
    const wanted = `\`prices['${model}']\` must be { input, output, cachedInput? }, in US dollars per million tokens.`;
    if (!isPlainObject(price)) {
      fail(wanted);
      continue;
    }
    const unknown = Object.keys(price).find((name) => !PRICES.some((known) => known === name));
    if (unknown !== undefined) fail(`there is no price \`${unknown}\`. ${didYouMean(unknown, PRICES)} ${wanted}`);
    const isWhole = isAmount(price.input) && isAmount(price.output);
    if (!isWhole || Object.values(price).some((value) => value !== undefined && !isAmount(value))) fail(wanted);
  }
}

function isRuleLike(value: unknown): boolean {
  if (!hasKeys(value, ['code', 'severity', 'title', 'check'])) return false;
  const { code, check } = value as { readonly code: unknown; readonly check: unknown };
  // `requireFormat` of core gives the one built-in code that is a user's.
  const isOwn = typeof code === 'string' && (code.startsWith('custom/') || code === 'value-format');
  return isOwn && typeof check === 'function';
}

/** Nothing is opened here: a function is called only when its name is used. */
function checkEntries(
  config: Record<string, Record<string, unknown> | undefined>,
  fail: (reason: string) => never,
): void {
  const kinds = {
    databases: { fits: isAdapterLike, wanted: 'a path or an address, an adapter, or a function that opens one' },
    models: {
      fits: isModelLike,
      wanted:
        'a name such as "openai:gpt-…", a model (one of the AI SDK by `fromAiSdk` of @askema/ai-sdk), a solver, or a function that makes one',
    },
    embeddings: {
      fits: isEmbeddingsLike,
      wanted: 'a name such as "openai:text-embedding-…", an embedding model, or a function that makes one',
    },
    flows: { fits: isFlowLike, wanted: 'a flow, or a function that builds one' },
  };
  for (const [section, { fits, wanted }] of Object.entries(kinds)) {
    for (const [name, entry] of Object.entries(config[section] ?? {})) {
      const isName = typeof entry === 'string' && section !== 'flows';
      if (!isName && typeof entry !== 'function' && !fits(entry)) fail(`\`${section}.${name}\` must be ${wanted}.`);
    }
  }
}

const ADAPTER_PARTS = ['dialect', 'executor', 'introspector'];

/** True for what an adapter is at least. */
export function isAdapterLike(value: unknown): boolean {
  return hasKeys(value, ADAPTER_PARTS);
}

/** Why a value is no adapter, for a message: the parts that an adapter has and it has not. */
export function missingAdapterParts(value: unknown): string {
  if (value instanceof Promise || typeof value !== 'object' || value === null) return '';
  const missing = ADAPTER_PARTS.filter((key) => !(key in value)).map((key) => `\`${key}\``);
  return missing.length === ADAPTER_PARTS.length ? '' : `: what it returned lacks ${missing.join(' and ')}`;
}

/** True for a language model or a solver. */
export function isModelLike(value: unknown): boolean {
  return hasKeys(value, ['generate']) || hasKeys(value, ['solve', 'supports']);
}

/** True for an embedding model. */
export function isEmbeddingsLike(value: unknown): value is EmbeddingModel {
  return hasKeys(value, ['provider', 'modelId', 'embed']);
}

/** True for a flow of text2sql. */
export function isFlowLike(value: unknown): boolean {
  return hasKeys(value, ['flow', 'access', 'needs', 'begin', 'open']);
}

function hasKeys(value: unknown, keys: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && keys.every((key) => key in value);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Runs a function of the configuration.
 *
 * @throws AskemaError `CONFIG_INVALID` with the file, the entry and the reason, unless the function itself threw an
 * AskemaError.
 */
export async function callEntry<T>(file: string | undefined, place: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isAskemaError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AskemaError('CONFIG_INVALID', `${file}: \`${place}\` failed: ${reason}`, { cause: error });
  }
}
