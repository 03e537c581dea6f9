import { connect } from 'node:net';
import { type Environment, readVariable } from '../process/host.ts';
import { OLLAMA_PREFERENCES, OLLAMA_UNSUITABLE } from './providers.ts';

const DEFAULT_PORT = 11_434;
/** For a server to take the connection, and for one that took it to answer: a busy machine has not started `fetch` sooner. */
const CONNECT_TIMEOUT_MS = 300;
const ANSWER_TIMEOUT_MS = 2_000;

interface OllamaModel {
  readonly name: string;
  /** Billions of parameters, where the server says. */
  readonly billions: number | undefined;
}

/** What a probe found. */
export interface OllamaProbe {
  readonly url: string;
  readonly isReachable: boolean;
  /** The most suitable one first. */
  readonly models: readonly OllamaModel[];
}

/** Stands for `fetch`; tests pass their own. */
type Fetch = (url: string, options: { readonly signal: AbortSignal }) => Promise<Response>;

/**
 * The address of the local Ollama: OLLAMA_HOST in any form that Ollama itself takes (`host`, `host:port`,
 * `http://host:port`), else http://127.0.0.1:11434. A server that listens everywhere (`0.0.0.0`) is asked on this
 * machine (https://docs.ollama.com/faq, "How do I configure Ollama server?").
 */
export function ollamaUrl(env: Environment): string {
  const host = readVariable(env, 'OLLAMA_HOST') ?? '127.0.0.1';
  const [, scheme = 'http', rest = ''] = /^(?:(https?):\/\/)?(.*?)\/*$/i.exec(host) ?? [];
  const [authority = '', ...path] = rest.split('/');
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  const isHttps = scheme.toLowerCase() === 'https';
  // With a scheme and without a port, the scheme's own port is meant, as in Ollama's envconfig.
  const chosenPort = port ?? (host.includes('://') ? (isHttps ? '443' : '80') : String(DEFAULT_PORT));
  const reachable = name === '' || name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name;
  return [`${scheme.toLowerCase()}://${reachable}:${chosenPort}`, ...path].join('/');
}

export interface ProbeOptions {
  /** Default: the global one. */
  readonly fetch?: Fetch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the local Ollama for its models. One that takes no connection within 300 ms, or does not answer within two
 * seconds, is not there, which is no error.
 */
export async function probeOllama(env: Environment, options: ProbeOptions = {}): Promise<OllamaProbe> {
  const url = ollamaUrl(env);
  const within = (timeoutMs: number): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal === undefined ? [] : [options.signal])]);
  try {
    if (options.fetch === undefined && !(await isListening(url, within(CONNECT_TIMEOUT_MS))))
      return { url, isReachable: false, models: [] };
    const response = await (options.fetch ?? fetch)(`${url}/api/tags`, { signal: within(ANSWER_TIMEOUT_MS) });
    const body: unknown = response.ok ? await response.json() : undefined;
    return body === undefined
      ? { url, isReachable: false, models: [] }
      : { url, isReachable: true, models: rankModels(readModels(body)) };
  } catch {
    return { url, isReachable: false, models: [] };
  }
}

/**
 * False where nobody listens on this machine, which most runs find. Node loads `fetch` at its first use, and that takes
 * longer than to start Node. Of another machine a proxy may know more, so there only `fetch` tells.
 */
async function isListening(url: string, signal: AbortSignal): Promise<boolean> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!/^(?:localhost|127\.[\d.]+|::1)$/.test(host)) return true;
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80), signal });
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

/** The list of `GET /api/tags` (https://docs.ollama.com/api/tags); what is not as expected is left out. */
function readModels(body: unknown): OllamaModel[] {
  const models = (body as { readonly models?: unknown } | null)?.models;
  if (!Array.isArray(models)) return [];
  return models.flatMap((entry: unknown) => {
    const { name, details } = (entry ?? {}) as {
      readonly name?: unknown;
      readonly details?: { readonly parameter_size?: unknown };
    };
    if (typeof name !== 'string' || name === '') return [];
    const [, amount, unit] = /^([\d.]+)\s*([BM])$/i.exec(String(details?.parameter_size ?? '')) ?? [];
    const size = Number(amount) / (unit?.toUpperCase() === 'M' ? 1_000 : 1);
    return [{ name, billions: Number.isFinite(size) ? size : undefined }];
  });
}

/** Suitable models, best first: by kind, then the larger one, then by name. */
export function rankModels(models: readonly OllamaModel[]): OllamaModel[] {
  const unsuitable = new RegExp(OLLAMA_UNSUITABLE, 'i');
  const kinds = OLLAMA_PREFERENCES.map((source) => new RegExp(source, 'i'));
  const rank = (model: OllamaModel): number => {
    const index = kinds.findIndex((kind) => kind.test(model.name));
    return index === -1 ? kinds.length : index;
  };
  return models
    .filter((model) => !unsuitable.test(model.name))
    .sort((a, b) => rank(a) - rank(b) || (b.billions ?? 0) - (a.billions ?? 0) || a.name.localeCompare(b.name));
}
