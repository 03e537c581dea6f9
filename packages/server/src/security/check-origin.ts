import { AskemaError, invalidOption } from '@askema/core';
import { isLoopback } from './loopback.ts';

export interface OriginRules {
  readonly hosts?: readonly string[] | undefined;
  readonly origins?: readonly string[] | undefined;
}

/** Holds the address of each request and the page that sent it against what the server lists. */
export interface OriginCheck {
  /**
   * A name that leads to this machine is not yet one that it was given: without this check, a page of any site could
   * point a name of its own here and read the answers (DNS rebinding). @throws AskemaError `CALLER_REFUSED`.
   */
  check(request: Request): void;
  /** Headers that let a page of a listed origin read the answer; none for others. */
  corsHeaders(request: Request): Readonly<Record<string, string>>;
}

/** @throws AskemaError `CONFIG_INVALID` for an origin that is none, `*` among them. */
export function createOriginCheck({ hosts, origins = [] }: OriginRules): OriginCheck {
  const listed = new Set(hosts?.map((host) => host.toLowerCase()));
  const known = new Set(origins.map(checkedOrigin));
  const isHost = (host: string): boolean => {
    const { hostname } = new URL(`http://${host}`);
    return hosts === undefined ? isLoopback(hostname) : listed.has(host) || listed.has(hostname);
  };
  return {
    check(request) {
      const host = hostOf(request);
      if (host === undefined || !isHost(host))
        throw new AskemaError(
          'CALLER_REFUSED',
          'The server does not answer under this name. Whoever runs it lists its names in `hosts`.',
        );
      const origin = request.headers.get('origin');
      // An image or a script of a page elsewhere is fetched without an origin: nobody reads it, but it would run.
      const isEmbedded = origin === null && request.headers.get('sec-fetch-site') === 'cross-site';
      const isSame = origin === null || origin === `http://${host}` || origin === `https://${host}`;
      if (!isEmbedded && (isSame || known.has(origin))) return;
      throw new AskemaError(
        'CALLER_REFUSED',
        'Pages of this origin may not use the server. Whoever runs it lists them in `origins`.',
      );
    },
    corsHeaders(request) {
      const origin = request.headers.get('origin');
      if (origin === null || !known.has(origin)) return {};
      return {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, DELETE',
        'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id',
        'access-control-expose-headers': 'retry-after, x-request-id',
        'access-control-max-age': '600',
        vary: 'origin',
      };
    },
  };
}

/**
 * What the client calls the server: its header, or the address where something in front has read that already. A request
 * line may name any other host (RFC 9112, section 3.2.2), which is not looked at. Undefined for what is no host.
 */
export function hostOf(request: Request): string | undefined {
  const host = (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();
  return /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.test(host) && URL.canParse(`http://${host}`)
    ? host
    : undefined;
}

function checkedOrigin(origin: string): string {
  if (URL.canParse(origin) && new URL(origin).origin === origin && origin !== 'null') return origin;
  throw invalidOption(`\`origins\` has ${JSON.stringify(origin)}; write each one out: https://app.example.com`);
}
