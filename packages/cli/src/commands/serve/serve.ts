import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AskemaError, type Logger } from '@askema/core';
import {
  checkBind,
  createServer,
  type FileAuditOptions,
  fileAudit,
  folderEvaluations,
  type KeepTimes,
  type ServedMcp,
} from '@askema/server';
import { getRequestListener } from '@hono/node-server';
import { loadConfig } from '../../config/load-config.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { parseCount } from '../../flags/parse-count.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import type { Output } from '../../process/output.ts';
import { parseAge } from '../../terminal/parse-age.ts';
import { printable, withoutUserInfo } from '../../terminal/printable.ts';
import type { AskingFlags } from '../ask/open-asked.ts';
import { checkServerConfig } from './check-server-config.ts';
import { openRuns } from './open-runs.ts';
import { servedDatabases } from './served-databases.ts';
import { designWith, modelOfDesigns } from './served-design.ts';
import { serverAuth } from './server-auth.ts';
import { makeFolders, stateFiles } from './state-files.ts';

export interface ServeFlags extends AskingFlags {
  readonly port: string;
  readonly host: string;
  readonly queue?: string;
  readonly concurrency?: string;
}

/** How long work may take that runs when the server is stopped, and how long all of stopping. */
const DRAIN_MS = 10_000;
const STOP_MS = 15_000;

const LAST_PORT = 65_535;

const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'];

/** `askema serve [DATABASE…]`; returns the exit code when it was stopped. */
export async function runServe(words: readonly string[], flags: ServeFlags, context: CommandContext): Promise<number> {
  const { host, err, signal, endWithin } = context;
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const { tracing } = loaded.config;
  const port = readPort(flags.port);
  const config = checkServerConfig(loaded);
  const { auth, told } = serverAuth(config);
  checkBind(flags.host, auth);
  const hosts = hostsOf(config.hosts, flags.host);
  const files = stateFiles(loaded, host.env);
  const designModel = await modelOfDesigns(config, flags.model, { loaded, env: host.env, signal });
  const audit = auditOptions(config);
  const logger = loggerTo(err);
  /** Close what is open: what was opened last comes first. */
  const closers: (() => Promise<void>)[] = [];
  try {
    const served = await servedDatabases(words, flags, loaded, context);
    closers.unshift(served.close);
    const design = designModel && designWith(designModel, loaded.config, served.dialect);
    const { auditFile, evaluationsFolder: folder } = files;
    await makeFolders(flags.queue === undefined ? files : { auditFile });
    const runs = await openRuns(flags, files, logger);
    closers.unshift(runs.close);
    const server = createServer({
      ...{ databases: served.databases, auth, hosts, origins: config.origins },
      ...{ mcp: { ...mcpOf(config), within: tracing?.within }, design },
      ...(folder === undefined ? {} : { evaluations: folderEvaluations({ folder }) }),
      ...{ limits: config.limits, prices: loaded.config.prices, runtime: { logger } },
      ...(auditFile === undefined ? {} : { audit: fileAudit({ ...audit, file: auditFile }) }),
      ...runs.options,
      keep: keepTimes(config),
    });
    const http = createHttpServer(getRequestListener(tracing?.handler(server.fetch) ?? server.fetch));
    closers.unshift(server.close, () => closeHttp(http));
    await runs.opened();
    const address = await listen(http, port, flags.host);
    const names = Object.keys(served.databases).map((name) =>
      served.ofTenants.includes(name) ? `${name} (a file for each tenant)` : name,
    );
    const months = audit.rotate === undefined ? '' : ', a file for each month';
    await tell(err, [
      ['Listening at', address],
      ['Databases', names.join(', ')],
      ['Answered by', `${served.model}, flow ${served.flow}`],
      ...(designModel === undefined ? [] : [['Designed by', designModel.label] as const]),
      ['Who may ask', told],
      ['Audit', auditFile === undefined ? 'none' : `${auditFile}${months}`],
      ['Runs', runs.told],
      ['Routes', `${address}/openapi.json`],
      ['MCP', `${address}/mcp`],
    ]);
    for (const [name, why] of Object.entries(served.away))
      await err.write(`${err.yellow('note:')} ${printable(`${name} cannot be asked now. ${withoutUserInfo(why)}`)}\n`);
    endWithin(STOP_MS);
    await stopped(signal);
    await err.write(`${err.dim('Stopping: nothing new is taken, and what runs may end. Once more stops at once.')}\n`);
    await server.drain(DRAIN_MS);
  } finally {
    for (const close of closers) await close();
  }
  return EXIT.ok;
}

function readPort(text: string): number {
  const port = parseCount(text, '--port', 0);
  if (port <= LAST_PORT) return port;
  throw new AskemaError('INPUT_INVALID', `--port ${text} is no port: 1 to 65535, or 0 for any that is free.`);
}

/** Names of loopback stay: whoever looks after the server asks it from beside it. */
function hostsOf(hosts: readonly string[] | undefined, listening: string): readonly string[] | undefined {
  if (hosts !== undefined) return [...hosts, ...LOOPBACK_HOSTS];
  if (LOOPBACK_HOSTS.includes(listening)) return undefined;
  if (listening !== '0.0.0.0' && listening !== '::') return [listening, ...LOOPBACK_HOSTS];
  throw new AskemaError(
    'CONFIG_INVALID',
    `The server would listen at ${listening}, and nothing says by which names it is reached. Name them in askema.config.ts: server: { hosts: ['askema.example.com'] }.`,
  );
}

/** Clients of MCP find out by themselves where they get a token. */
function mcpOf({ auth, mcp }: ServerConfig): ServedMcp {
  const issuer = auth === undefined || 'authenticate' in auth ? undefined : auth.jwt?.issuer;
  return { ...(issuer === undefined ? {} : { authorizationServers: [issuer] }), ...mcp };
}

/** Whole files are deleted: what is kept for some time only has one for each month. */
function auditOptions({ audit, keep }: ServerConfig): Omit<FileAuditOptions, 'file'> {
  return { ...(keep?.audit === undefined ? {} : { rotate: 'month' }), ...(audit || {}) };
}

function keepTimes({ keep = {} }: ServerConfig): KeepTimes {
  const msOf = (age: string | undefined) => (age === undefined ? undefined : parseAge(age));
  return { runsMs: msOf(keep.runs), auditMs: msOf(keep.audit) };
}

async function listen(http: Server, port: number, host: string): Promise<string> {
  http.listen(port, host);
  try {
    await once(http, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE'
        ? `something listens there already. Take another port: --port ${port === LAST_PORT ? 0 : port + 1}.`
        : `the system reports ${code}. Check --host and --port.`;
    throw new AskemaError('INPUT_INVALID', `The server cannot listen at ${host}:${port}: ${reason}`, { cause });
  }
  const address = http.address() as AddressInfo;
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

async function tell(err: Output, lines: readonly (readonly [string, string])[]): Promise<void> {
  for (const [name, value] of lines) await err.write(`${err.bold(name.padEnd(14))}${printable(value)}\n`);
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function closeHttp(http: Server): Promise<void> {
  if (!http.listening) return;
  const closed = once(http, 'close');
  http.close();
  http.closeAllConnections();
  await closed;
}

/** Lines of JSON on stderr, of what went wrong in the server. */
function loggerTo(err: Output): Logger {
  const nothing = (): void => undefined;
  return {
    debug: nothing,
    info: nothing,
    warn: (message, data) =>
      void err.write(`${JSON.stringify({ at: new Date().toISOString(), level: 'warn', message, ...data })}\n`),
  };
}
