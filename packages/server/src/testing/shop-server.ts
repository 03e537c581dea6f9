import { memoryJournal } from '@askema/core';
import type { Caller, ServerOptions } from '../contract.ts';
import type { Route } from '../routes/route.ts';
import { ROUTES } from '../routes/routes.ts';
import { createServer } from '../server.ts';
import { type ScriptedShop, scriptedShop } from './scripted-shop.ts';
import { subjectKeys } from './subject-keys.ts';

/** Two tenants, and a caller who may only look at the catalog. */
const CALLERS: readonly Caller[] = [
  { subject: 'ann', tenant: 'north', scopes: ['*'] },
  { subject: 'bob', tenant: 'south', scopes: ['*'] },
  { subject: 'eve', tenant: 'north', scopes: ['*'] },
  { subject: 'cat', tenant: 'north', scopes: ['catalog'] },
];

export type SendInit = Omit<RequestInit, 'body'> & { readonly body?: unknown };

export interface ShopServerOptions extends Partial<ServerOptions> {
  readonly shop?: ScriptedShop;
  readonly callers?: readonly Caller[];
}

/** A server of one scripted database whose callers send their subject as the key. */
export function shopServer(options: ShopServerOptions = {}) {
  const { shop = scriptedShop(), callers = CALLERS, ...more } = options;
  const auth = subjectKeys(callers);
  const server = createServer({ databases: { shop }, auth, journal: memoryJournal(), ...more });
  /** Sends a request; JSON that a route of the description gives is held against its schema. */
  const send = async (key: string, method: string, path: string, init: SendInit = {}): Promise<Response> => {
    const { body, headers, ...rest } = init;
    const sent = new Headers({ authorization: `Bearer ${key}`, ...Object.fromEntries(new Headers(headers)) });
    if (body !== undefined) sent.set('content-type', 'application/json');
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await server.fetch(
      new Request(`http://localhost${path}`, { ...rest, method, headers: sent, ...text }),
    );
    if (response.status === 200 && response.headers.get('content-type')?.startsWith('application/json'))
      routeOf(method, path)?.output?.parse(await response.clone().json());
    return response;
  };
  /** The JSON of a response, with its status. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  const json = async (key: string, method: string, path: string, body?: unknown, init: SendInit = {}): Promise<any> => {
    const response = await send(key, method, path, { ...init, ...(body === undefined ? {} : { body }) });
    return { status: response.status, ...((await response.json()) as object) };
  };
  return { server, shop, send, json };
}

function routeOf(method: string, path: string): Route | undefined {
  const { pathname } = new URL(path, 'http://localhost');
  return ROUTES.find(
    (route) =>
      route.method === method &&
      new RegExp(`^${route.path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`).test(pathname),
  );
}

/** The events of a response, in their order. */
export async function eventsOf(response: Response) {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((block) => block.includes('event: '))
    .map((block) => {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? '';
      return { event: field('event'), data: JSON.parse(field('data')) };
    });
}
